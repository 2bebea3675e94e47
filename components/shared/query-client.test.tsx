import {
  dehydrate,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useQuery,
} from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { makeQueryClient } from './query-client'

const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

function Reads() {
  const page = useQuery({ queryKey: ['page'], queryFn: () => 'never asked' })
  const kept = useQuery({ queryKey: ['kept'], queryFn: () => 'never asked', gcTime: 60_000 })
  return `${page.data} ${kept.status}`
}

test('a page made on the server leaves no timer behind that would hold its data', () => {
  const prefetched = new QueryClient()
  prefetched.setQueryData(['page'], 'what was read')
  const before = timers()
  const html = renderToString(
    <QueryClientProvider client={makeQueryClient()}>
      <HydrationBoundary state={dehydrate(prefetched)}>
        <Reads />
      </HydrationBoundary>
    </QueryClientProvider>,
  )
  expect(html).toBe('what was read pending')
  expect(timers()).toBe(before)
})
