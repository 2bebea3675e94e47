import { expect, test } from 'vitest'
import { withChannelAlias } from './channel-alias'

test('a value has its channel under both names, whichever of them is stored', () => {
  const both = { channel: 'hook', door: 'hook', said: 'failed' }
  expect(withChannelAlias({ channel: 'hook', said: 'failed' })).toEqual(both)
  const stored010 = { door: 'hook', said: 'failed' } as unknown as { channel: string; said: string }
  expect(withChannelAlias(stored010)).toEqual(both)
})
