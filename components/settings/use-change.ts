'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import type { Problem } from '@/lib/problem'
import { asProblem, sendJson } from '../shared/get-json'

/** One change at a time: sends it, then has the page read again, so that what is shown is what is stored. */
export function useChange() {
  const router = useRouter()
  const [sending, setSending] = useState(false)
  const [reading, startReading] = useTransition()
  const [problem, setProblem] = useState<Problem | null>(null)
  const change = async <T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    address: string,
    body?: unknown,
  ): Promise<T | null> => {
    setSending(true)
    setProblem(null)
    try {
      const answer = await sendJson<T>(method, address, body)
      startReading(() => router.refresh())
      return answer
    } catch (error) {
      setProblem(asProblem(error))
      return null
    } finally {
      setSending(false)
    }
  }
  return { change, busy: sending || reading, problem, forget: () => setProblem(null) }
}
