import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { clipStart } from '../formats/claude/text'
import { listLine } from './list-line'
import { capText } from './cap-text'
import { ownCopy } from './own-copy'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MIB = 1024 * 1024
/** Below what Node keeps outside of the heap. */
const TEXT = MIB / 2
/** Megabytes of the heap that stay while the cuttings of 40 such texts are held. */
function heldMb(cut: (text: string) => string): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const cuttings = Array.from({ length: 40 }, (_, n) =>
    // Flat, as what was read of bytes.
    cut(Buffer.alloc(TEXT, `${n} of many words `).toString('latin1')),
  )
  collect()
  const held = (process.memoryUsage().heapUsed - before) / MIB
  expect(cuttings).toHaveLength(40)
  return held
}

test('a cutting that is not copied holds the whole text, which is what this is about', () =>
  expect(heldMb((text) => text.slice(0, 300))).toBeGreaterThan(15))

test.each<[string, (text: string) => string]>([
  ['a copy', (text) => ownCopy(text.slice(0, 300))],
  ['the head', (text) => capText(text, 300)],
  ['the tail', (text) => clipStart(text, 300)],
  ['one line', (text) => listLine(text)],
  ['a capped text', (text) => capText(text, 300)],
])('%s of a text does not hold all of it', (_name, cut) => expect(heldMb(cut)).toBeLessThan(4))

test.each(['', 'a', 'half of a pair \ud83d', '😀'.repeat(100)])('%j is copied as it is', (text) =>
  expect(ownCopy(text)).toBe(text),
)
