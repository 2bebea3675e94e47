import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { executionQueries } from '../execution-data/queries'
import { pageAtRest } from './page-at-rest'

const KEY = [...executionQueries.root(), 'detail', 'x']

/** A page that shows an execution, with a way to answer its next reading. */
async function shown() {
  const client = new QueryClient()
  const answers: ((value: number) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: KEY,
    queryFn: () => new Promise<number>((resolve) => answers.push(resolve)),
    staleTime: Infinity,
  })
  const unsubscribe = observer.subscribe(() => undefined)
  answers.shift()!(1)
  await expect.poll(() => observer.getCurrentResult().data).toBe(1)
  return { client, answers, unsubscribe }
}
const rest = (client: QueryClient, { signal = new AbortController().signal, waitMs = 60_000 } = {}) => {
  const done = { is: false }
  const waiting = pageAtRest(client, 'x', ['detail', 'calls'], signal, waitMs).then(
    () => void (done.is = true),
  )
  return { done, waiting }
}

test('a page that holds what is stored is not waited for', async () => {
  const { client, unsubscribe } = await shown()
  await rest(client).waiting
  unsubscribe()
})

test('what the page shows and reads anew is waited for, and what it does not show is not', async () => {
  const { client, answers, unsubscribe } = await shown()
  client.setQueryData([...executionQueries.root(), 'calls', 'x'], [])
  void client.invalidateQueries({ queryKey: executionQueries.root() })
  const { done, waiting } = rest(client)
  await Promise.resolve()
  expect(done.is).toBe(false)
  answers.shift()!(2)
  await waiting
  expect(client.getQueryData(KEY)).toBe(2)
  unsubscribe()
})

test('a page that comes to no rest, and one that is left, are waited for no longer', async () => {
  const { client, unsubscribe } = await shown()
  void client.invalidateQueries({ queryKey: KEY })
  await rest(client, { waitMs: 1 }).waiting
  const left = new AbortController()
  const { waiting } = rest(client, { signal: left.signal })
  left.abort()
  await waiting
  unsubscribe()
})
