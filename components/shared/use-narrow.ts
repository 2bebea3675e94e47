import { useEffect, useState } from 'react'

/** Whether the window is narrower than `md`, where rows take two lines or become cards; false until the browser says. */
export function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(false)
  useEffect(() => {
    const query = window.matchMedia('(max-width: 55.99rem)')
    const read = (): void => setNarrow(query.matches)
    read()
    query.addEventListener('change', read)
    return () => query.removeEventListener('change', read)
  }, [])
  return narrow
}
