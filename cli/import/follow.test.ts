import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { follow } from './follow'
import type { ImportContext, Imported } from './import-file'

test('a file that is gone before it is followed, with something else in its place, does not end the following', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'inquest-follow-'))
  const path = join(folder, '1.jsonl')
  mkdirSync(path)
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 200)
  const imported = {
    standing: { streamId: null, offset: 10, sentBytes: 10, rewritten: false },
    taken: { kind: 'claude-transcript' },
  } as unknown as Imported
  const context = { signal: stop.signal } as ImportContext
  const notes: string[] = []
  await expect(
    follow({
      paths: [folder],
      standings: new Map([[path, imported]]),
      context,
      tell: () => {},
      note: (text) => notes.push(text),
    }),
  ).resolves.toBeUndefined()
  expect(notes).toEqual([])
  rmSync(folder, { recursive: true })
})
