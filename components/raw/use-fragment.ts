'use client'

import { useEffect, useState } from 'react'
import { fragmentPointer } from './json-model'

/** The JSON pointer in the address' fragment, also when it changes while the page is open. */
export function useFragment(): string | null {
  const [pointer, setPointer] = useState<string | null>(null)
  useEffect(() => {
    const read = (): void => setPointer(fragmentPointer(window.location.hash))
    read()
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])
  return pointer
}
