import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyDatabase, isWhole, lookAt, type Snapshot } from './copy-database'

const quiet: Snapshot = { file: 1n, head: 'aa', log: null, journal: null, changed: 'x', isFresh: false }

test.each<[string, Partial<Snapshot>, Partial<Snapshot>, boolean]>([
  ['nothing was written', {}, {}, true],
  ['the file was written, and there is no log', {}, { changed: 'y' }, false],
  ['pages went from the log into the file', { log: '37ab' }, { log: '37ab', changed: 'y' }, true],
  ['the log began anew', { log: '37ab' }, { log: '37ac', changed: 'y' }, false],
  ['a log came', {}, { log: '37ab', changed: 'y' }, false],
  ['the log went', { log: '37ab' }, { changed: 'y' }, false],
  ['the file was written beside an empty log', { log: '' }, { log: '', changed: 'y' }, false],
  ['the file was written within one journal', { journal: 'd9d5' }, { journal: 'd9d5', changed: 'y' }, true],
  ['the journal was wiped out', { journal: 'd9d5' }, { journal: '0000', changed: 'y' }, false],
  [
    'the file was written beside a journal that was wiped out',
    { journal: '0000' },
    { journal: '0000', changed: 'y' },
    false,
  ],
  ['another file took the place', {}, { file: 2n }, false],
])('%s', (_, before, after, whole) =>
  expect(isWhole({ ...quiet, ...before }, { ...quiet, ...after })).toBe(whole),
)

describe('a copy', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'inquest-copy-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Writes on between the first looks at it. */
  async function copied(changes: number): Promise<string> {
    const [path, target] = [join(folder, 'a.db'), join(folder, 'b.db')]
    writeFileSync(path, '0')
    let looks = 0
    const look = (file: string): Snapshot => {
      looks++
      if (looks % 2 === 0 && looks / 2 <= changes) writeFileSync(file, String(looks).repeat(looks))
      return lookAt(file)
    }
    await copyDatabase(path, target, { look, pause: async () => {} })
    return readFileSync(target, 'utf8')
  }

  test('is made again until nothing was written meanwhile', async () => {
    expect([await copied(0), await copied(1), await copied(3)]).toEqual(['0', '22', '666666'])
  })

  test('of what never rests is none', () => expect(copied(1_000)).rejects.toMatchObject({ kind: 'busy' }))
})
