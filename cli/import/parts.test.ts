import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { digestRange, findPart } from './parts'
import type { Part } from './parts'

const folder = mkdtempSync(join(tmpdir(), 'inquest-parts-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function partsOf(
  bytes: Buffer,
  options: { target: number; takeTorn: boolean; bufferBytes: number },
): Promise<Part[]> {
  const path = join(folder, 'file.jsonl')
  writeFileSync(path, bytes)
  const file = await open(path)
  const buffer = Buffer.alloc(options.bufferBytes)
  const parts: Part[] = []
  try {
    for (let start = 0; ; ) {
      const part = await findPart(file, start, bytes.length, { ...options, buffer })
      if (part === null) return parts
      parts.push(part)
      start = part.end
    }
  } finally {
    await file.close()
  }
}

const table = [
  {
    name: 'several lines fit into one part',
    text: 'aa\nbb\n',
    target: 100,
    takeTorn: true,
    ends: [6],
    torn: false,
  },
  {
    name: 'a part ends where the next line would not fit',
    text: 'aa\nbb\ncc\n',
    target: 7,
    takeTorn: true,
    ends: [6, 9],
    torn: false,
  },
  {
    name: 'a line longer than the target is a part of its own',
    text: 'a\nbbbbbbbbbbbbbbbb\nc\n',
    target: 4,
    takeTorn: true,
    ends: [2, 19, 21],
    torn: false,
  },
  { name: 'a torn last line is taken', text: 'aa\nbb', target: 100, takeTorn: true, ends: [5], torn: true },
  {
    name: 'a torn last line is left for later',
    text: 'aa\nbb',
    target: 100,
    takeTorn: false,
    ends: [3],
    torn: false,
  },
  {
    name: 'one long torn line is taken whole',
    text: 'aaaaaaaaaaaaaaaaaa',
    target: 4,
    takeTorn: true,
    ends: [18],
    torn: true,
  },
  {
    name: 'one long torn line is left for later whole',
    text: 'aaaaaaaaaaaaaaaaaa',
    target: 4,
    takeTorn: false,
    ends: [],
    torn: false,
  },
  { name: 'an empty file has no part', text: '', target: 4, takeTorn: true, ends: [], torn: false },
]

describe('findPart', () => {
  test.each(table)('$name', async ({ text, target, takeTorn, ends, torn }) => {
    const parts = await partsOf(Buffer.from(text), { target, takeTorn, bufferBytes: 3 })
    expect(parts.map((part) => part.end)).toEqual(ends)
    expect(parts.at(-1)?.torn ?? false).toBe(torn)
  })

  test('parts tile the file without gap or overlap, end at line ends, and hold the target unless one line is longer', async () => {
    const lines = fc.array(fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'é') }), {
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(
        lines,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 16 }),
        async (texts, endsWithLine, target, bufferBytes) => {
          const bytes = Buffer.from(texts.join('\n') + (endsWithLine ? '\n' : ''))
          const parts = await partsOf(bytes, { target, takeTorn: true, bufferBytes })
          let at = 0
          for (const part of parts) {
            expect(part.start).toBe(at)
            const content = bytes.subarray(part.start, part.end)
            const inner = content.subarray(0, -1).indexOf(0x0a) === -1
            expect(content.length <= target || inner).toBe(true)
            expect(part.torn).toBe(content.at(-1) !== 0x0a)
            expect(part.lineFeeds).toBe(content.filter((byte) => byte === 0x0a).length)
            at = part.end
          }
          expect(at).toBe(bytes.length)
        },
      ),
      { numRuns: 150 },
    )
  })
})

test('the digest of a range is that of its bytes, and null where the file ends before it', async () => {
  const path = join(folder, 'digest')
  writeFileSync(path, '0123456789')
  const file = await open(path)
  const want = createHash('sha256').update('23456').digest('hex')
  expect(await digestRange(file, 2, 5, Buffer.alloc(2))).toBe(want)
  expect(await digestRange(file, 8, 5, Buffer.alloc(2))).toBeNull()
  await file.close()
})
