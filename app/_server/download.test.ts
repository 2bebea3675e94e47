import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { streamed } from './download'
import { fixBundle } from './fix-bundle'
import { log } from './log'

afterEach(() => vi.restoreAllMocks())

test('a download that its reader leaves while a piece is read is no error', async () => {
  const logged = vi.spyOn(log, 'error')
  let give = (): void => undefined
  const piece = new Promise<void>((resolve) => (give = resolve))
  async function* chunks(): AsyncGenerator<Uint8Array> {
    await piece
    yield new Uint8Array(1)
  }
  const reader = streamed(chunks(), 'broke off').getReader()
  const reading = reader.read()
  await turn()
  const leaving = reader.cancel()
  give()
  await Promise.all([reading, leaving])
  await turn()
  expect(logged).not.toHaveBeenCalled()
})

test('bundles that are made at once leave turns of the event loop to others', async () => {
  const pieces = Array.from({ length: 20 }, () => new Uint8Array(10_000))
  const make = async (): Promise<void> => {
    for await (const _ of fixBundle([{ name: 'a', pieces }]));
  }
  let turns = 0
  let over = false
  const count = (): void => {
    turns += 1
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all([make(), make(), make()])
  over = true
  expect(turns).toBeGreaterThanOrEqual(60)
})
