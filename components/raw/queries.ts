import { queryOptions } from '@tanstack/react-query'
import { links } from '@/lib/links'
import { ProblemError, readProblem } from '../shared/get-json'

const root = ['received'] as const

/** Kept bytes never change: what was read once stays right. */
export const receivedQueries = {
  range: (sha256: string, start: number, end: number) =>
    queryOptions({
      queryKey: [...root, sha256, start, end] as const,
      queryFn: async ({ signal }): Promise<Uint8Array> => {
        const response = await fetch(links.api.received(sha256, { start, end }), { signal })
        if (!response.ok) throw new ProblemError(await readProblem(response))
        return new Uint8Array(await response.arrayBuffer())
      },
      staleTime: Infinity,
      // A few megabytes at a time are enough to keep.
      gcTime: 60_000,
    }),
}
