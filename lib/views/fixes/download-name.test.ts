import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downloadName } from './download-name'

const sha256 = `1a2b3c4d${'0'.repeat(56)}`
const name = (runSource: string, runId: string, task: string, end?: string): string =>
  downloadName({ runSource, runId, task, sha256 }, end)

test('a download is named after the pipeline, the run, the task and the bytes', () => {
  expect(name('shop', '2026-06-14T10-43-12-345Z-5e6f7a8b', 'storefront:test')).toBe(
    'shop-2026-06-14T10-43-12-345Z-5e6f7a8b-storefront-test-1a2b3c4d.patch',
  )
  expect(name('my machine', '0a0a0a0a-0000-4000-8000-000000000001', '', '.patch.sha256')).toBe(
    'my-machine-0a0a0a0a-0000-4000-8000-000000000001-1a2b3c4d.patch.sha256',
  )
  expect(name('con', 'nul.x', 'é..')).toBe('_con-_nul.x-1a2b3c4d.patch')
})

test('whatever the names are, a file name comes out that is safe everywhere', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      'CON',
      'aux.txt',
      '../../x',
      'a..b',
      '-rf',
      '.x',
      'x\r\nSet-Cookie: a',
      '"',
      `${'x'.repeat(23)}..`,
    ),
    fc.string({ minLength: 100, maxLength: 200 }),
  )
  fc.assert(
    fc.property(text, text, text, (source, run, task) => {
      const got = name(source, run, task, '.patch.sha256')
      expect(got).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*1a2b3c4d\.patch\.sha256$|^1a2b3c4d\.patch\.sha256$/)
      expect(got).not.toContain('..')
      expect(got).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i)
      expect(got.length).toBeLessThanOrEqual(120)
    }),
  )
})
