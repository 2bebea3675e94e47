'use client'

import { useEffect, useState } from 'react'

type Listener = (text: string) => void
const listeners = new Set<Listener>()

/** Says a short thing at the foot of the page, to eyes and to screen readers. */
export const say = (text: string): void => {
  for (const listener of listeners) listener(text)
}

export function Announcer() {
  const [text, setText] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const listener: Listener = (next) => {
      setText(next)
      clearTimeout(timer)
      timer = setTimeout(() => setText(''), 2400)
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      clearTimeout(timer)
    }
  }, [])
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-16 z-50 flex justify-center md:bottom-6"
    >
      {text !== '' && <span className="fade-in rounded bg-ink px-3 py-1.5 text-bg shadow-float">{text}</span>}
    </div>
  )
}
