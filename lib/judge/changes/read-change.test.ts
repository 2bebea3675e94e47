import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyPatch } from '@/scripts/conformance/reference/apply-patch'
import { readPatch } from '../patches/read-patch'
import { ASSEMBLED, assemblePatch, nameBelow } from './assemble-patch'
import { CHANGE_FITS, readChange } from './read-change'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const samples = join(process.cwd(), '../shared/samples/claude-code')

/** All results with a recorded patch of the samples. */
const recorded = readdirSync(samples)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) =>
    readFileSync(join(samples, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        if (!line.includes('"structuredPatch"')) return []
        try {
          const result = (JSON.parse(line) as { toolUseResult?: unknown }).toolUseResult
          return [
            result as {
              originalFile?: string
              oldString?: string
              newString?: string
              content?: string
              replaceAll?: boolean
            },
          ]
        } catch {
          return []
        }
      }),
  )

const changed = (result: Record<string, unknown>) =>
  readChange({ filePath: '/w/f', structuredPatch: [], ...result })!
const hunk = (lines: string[], oldStart = 1, newStart = 1) => ({
  oldStart,
  newStart,
  oldLines: 0,
  newLines: 0,
  lines,
})
/** What git would make of it; null: it does not apply. */
function applied(patch: string, before: string | null): string | null {
  const bytes = encode(patch)
  const { tree } = applyPatch(
    bytes,
    readPatch(bytes),
    new Map(before === null ? [] : [['f', { content: encode(before), mode: 0o100644 }]]),
  )
  return tree === null ? null : new TextDecoder().decode(tree.get('f')!.content)
}

test('the recorded sessions: each change that fits applies to the file before it, and gives the file after it', () => {
  const fits = Object.fromEntries(CHANGE_FITS.map((fit) => [fit, 0]))
  for (const result of recorded) {
    const change = readChange(result)!
    fits[change.fit]!++
    const patch = assemblePatch(change, 'f')
    if (change.hunks.length > 0)
      expect([readPatch(encode(patch)).verdict, readPatch(encode(patch)).sections.length]).toEqual(['ok', 1])
    if (change.fit === 'created') expect(applied(patch, null)).toBe(result.content)
    if (change.fit !== 'fits' && change.fit !== 'blanks') continue
    const { originalFile, oldString, newString, replaceAll, content } = result as Record<string, string>
    if (originalFile === undefined)
      expect(
        applied(patch, (result as { originalFileContents?: string }).originalFileContents!),
      ).not.toBeNull()
    else
      expect(applied(patch, originalFile)).toBe(
        content ??
          (replaceAll
            ? originalFile.split(oldString!).join(newString)
            : originalFile.replace(oldString!, () => newString!)),
      )
  }
  // The recorder writes a tab as two blanks.
  expect(fits).toEqual({
    fits: 62,
    blanks: 39,
    created: 67,
    'no-original': 3,
    'no-lines': 0,
    'does-not-fit': 0,
  })
})

describe('what is recorded and does not hold', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['another file', { originalFile: 'x\ny\n', structuredPatch: [hunk([' a', '-b', '+c'])] }, 'does-not-fit'],
    ['a line too many', { originalFile: 'a\n', structuredPatch: [hunk([' a', ' b', '+c'])] }, 'does-not-fit'],
    [
      'added lines that were not written',
      { originalFile: 'a\n', content: 'a\nc\n', structuredPatch: [hunk([' a', '+b'])] },
      'does-not-fit',
    ],
    [
      'a line that is none of a hunk',
      { originalFile: 'a\n', structuredPatch: [hunk([' a', '?b'])] },
      'does-not-fit',
    ],
    [
      'a line feed inside of a line',
      { originalFile: 'a\n', structuredPatch: [hunk([' a', '+b\n--- a/x'])] },
      'does-not-fit',
    ],
    [
      'a place that is none',
      { originalFile: 'a\n', structuredPatch: [{ ...hunk([' a']), oldStart: -3 }] },
      'does-not-fit',
    ],
    ['no hunk at all', { originalFile: 'a\n', structuredPatch: [7] }, 'does-not-fit'],
    ['no file before', { structuredPatch: [hunk(['-a', '+b'])] }, 'no-original'],
    ['no lines', { originalFile: 'a\n', content: 'b\n' }, 'no-lines'],
    [
      'a tab that stands for itself',
      { originalFile: 'a\tb\n', structuredPatch: [hunk(['-a\tb', '+c'])] },
      'fits',
    ],
    [
      'a tab that became blanks',
      { originalFile: '\ta\n', oldString: 'a', newString: 'b', structuredPatch: [hunk(['-  a', '+  b'])] },
      'blanks',
    ],
  ])('%s: %#', (_, result, fit) => {
    expect(changed(result).fit).toBe(fit)
  })

  test.each([
    null,
    7,
    'text',
    [],
    {},
    { filePath: 'f' },
    { filePath: '', structuredPatch: [] },
    { filePath: 'f', structuredPatch: 'x' },
  ])('%j is no change', (result) => {
    expect(readChange(result)).toBeNull()
  })

  test('whatever a result holds, reading it never throws and its patch is one section of git', () => {
    const line = fc.oneof(
      fc.constantFrom(' a', '-a', '+b', '\\ No newline at end of file', '+--- a/x', '-++ b/y'),
      fc.string(),
    )
    const result = fc.record({
      filePath: fc.string({ minLength: 1 }),
      originalFile: fc.option(fc.string()),
      content: fc.oneof(fc.string(), fc.integer()),
      type: fc.constantFrom('create', 'update'),
      structuredPatch: fc.array(
        fc.record({
          oldStart: fc.integer({ min: 0, max: 9 }),
          newStart: fc.integer({ min: 0, max: 9 }),
          lines: fc.array(line),
        }),
        { maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(result, (one) => {
        const change = readChange(one)!
        const { sections } = readPatch(encode(assemblePatch(change, one.filePath)))
        expect(sections.length).toBeLessThanOrEqual(1)
      }),
      { seed: 5, numRuns: 500 },
    )
  })
})

describe('the assembled patch', () => {
  test('says first that nobody proposed it, and gives the file after the edit, ends of files included', () => {
    const patch = assemblePatch(
      changed({
        originalFile: 'a\nb',
        oldString: 'b',
        newString: 'c',
        structuredPatch: [
          hunk([' a', '-b', '\\ No newline at end of file', '+c', '\\ No newline at end of file']),
        ],
      }),
      'f',
    )
    expect(patch.split('\n')[0]).toBe(ASSEMBLED)
    expect(applied(patch, 'a\nb')).toBe('a\nc')
  })

  test('several edits of one result, one after the other', () => {
    const edits = [
      { old_string: 'a', new_string: 'x' },
      { old_string: 'x', new_string: 'y', replace_all: true },
    ]
    const change = changed({
      originalFileContents: 'a\nx\n',
      edits,
      structuredPatch: [hunk(['-a', '-x', '+y', '+y'])],
    })
    expect([change.fit, applied(assemblePatch(change, 'f'), 'a\nx\n')]).toEqual(['fits', 'y\ny\n'])
  })

  test('a name stays a name', () => {
    const patch = encode(
      assemblePatch(
        changed({ originalFile: 'a\n', structuredPatch: [hunk(['-a', '+b'])] }),
        'x"\n+++ b/evil é',
      ),
    )
    const [section, ...others] = readPatch(patch).sections
    expect([
      new TextDecoder().decode(Uint8Array.from(section!.newName!, (c) => c.charCodeAt(0))),
      others,
    ]).toEqual(['x"\n+++ b/evil é', []])
  })

  test.each([
    ['/w/src/a', '/w', 'src/a'],
    ['/w/src/a', '/w/', 'src/a'],
    ['/wide/a', '/w', 'wide/a'],
    ['a', null, 'a'],
    ['/', '/', '/'],
  ])('%s below %s is %s', (path, folder, name) => {
    expect(nameBelow(path, folder)).toBe(name)
  })
})
