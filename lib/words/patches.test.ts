import { expect, test } from 'vitest'
import type { FoundReading } from '../model/fix'
import type { FlagDetails, PatchFaults, UnreadReasons } from '../model/messages/patches'
import {
  FLAG_DETAIL_WORDS,
  patchFaultText,
  READING_PROBLEM_WORDS,
  rewordedReading,
  wordedReading,
} from './patches'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const PROBLEMS: Samples<PatchFaults & UnreadReasons> = {
  patch_too_large: NONE,
  patch_empty: NONE,
  no_header: NONE,
  hunk_without_header: NONE,
  hunk_range_unreadable: NONE,
  hunk_cut: NONE,
  hunk_counts_differ: NONE,
  hunk_too_short: NONE,
  hunk_foreign_line: NONE,
  hunk_without_change: NONE,
  name_on_absent_side: NONE,
  absent_side_named: NONE,
  names_differ: NONE,
  mode_not_octal: NONE,
  several_changes: NONE,
  names_missing: NONE,
  traditional_names_missing: NONE,
  new_file_with_old_lines: NONE,
  deleted_file_with_lines: NONE,
  binary_without_data: NONE,
  binary_cut: NONE,
  binary_line_length: NONE,
  binary_line_length_differs: NONE,
  binary_characters: NONE,
  binary_size_impossible: NONE,
  binary_size_differs: NONE,
  not_yet: NONE,
  over_time: [{ seconds: 30 }],
  broke_off: NONE,
}
const DETAILS: Omit<Samples<FlagDetails>, keyof (PatchFaults & UnreadReasons)> = {
  text: [{ text: 'src/a.ts' }],
  more_lines: [
    { count: 1, inFile: true },
    { count: 1200, inFile: false },
  ],
  files: [{ count: 3001 }],
  hunks: [{ count: 10_001 }],
  size: [{ files: 1, lines: 1200 }],
  expands: [{ bytes: 300, to: 17_000_000 }],
  fewer_assertions: [{ count: 2 }],
  manifest_unchanged: NONE,
}

test('why nothing is known of a patch, or only its beginning', () =>
  expect(wordedSamples(READING_PROBLEM_WORDS, PROBLEMS)).toMatchInlineSnapshot(`
    {
      "absent_side_named": [
        "The header names a file on a side that it says has none.",
      ],
      "binary_characters": [
        "A binary change is corrupt: a line has characters that are not base85.",
      ],
      "binary_cut": [
        "A binary change is corrupt: the patch ends inside it.",
      ],
      "binary_line_length": [
        "A binary change is corrupt: a line has an impossible length.",
      ],
      "binary_line_length_differs": [
        "A binary change is corrupt: a line has a different length than it says.",
      ],
      "binary_size_differs": [
        "A binary change is corrupt: it doesn’t decompress to the size it says.",
      ],
      "binary_size_impossible": [
        "A binary change is corrupt: it can’t have the size it says.",
      ],
      "binary_without_data": [
        "A binary change is corrupt: it has no data.",
      ],
      "broke_off": [
        "Reading it failed.",
      ],
      "deleted_file_with_lines": [
        "A deleted file has hunks that leave lines.",
      ],
      "hunk_counts_differ": [
        "A hunk has a different number of lines than its header says.",
      ],
      "hunk_cut": [
        "The patch ends in the middle of a hunk line.",
      ],
      "hunk_foreign_line": [
        "A hunk has fewer lines than its header says, and other text follows.",
      ],
      "hunk_range_unreadable": [
        "A hunk header has no line numbers after @@.",
      ],
      "hunk_too_short": [
        "The patch ends before a hunk has all the lines its header says.",
      ],
      "hunk_without_change": [
        "A hunk changes nothing.",
      ],
      "hunk_without_header": [
        "A hunk has no file header before it.",
      ],
      "mode_not_octal": [
        "A file mode in the header is not an octal number.",
      ],
      "name_on_absent_side": [
        "The header says that one side has no file, but its --- or +++ line names one.",
      ],
      "names_differ": [
        "Two lines of the header name different files for the same side.",
      ],
      "names_missing": [
        "The header names no file once the a/ and b/ prefixes are removed.",
      ],
      "new_file_with_old_lines": [
        "A new file has hunks that need existing lines.",
      ],
      "no_header": [
        "This is not a patch: it has no header that git recognizes.",
      ],
      "not_yet": [
        "It has not been read yet.",
      ],
      "over_time": [
        "Reading it took longer than 30 seconds and was stopped.",
      ],
      "patch_empty": [
        "The patch is empty.",
      ],
      "patch_too_large": [
        "The patch is larger than git accepts.",
      ],
      "several_changes": [
        "The header says more than one of new, deleted, renamed and copied.",
      ],
      "traditional_names_missing": [
        "The --- and +++ lines name no file once the prefix is removed.",
      ],
    }
  `))

test('every problem has a sentence of its own', () => {
  const all = Object.values(wordedSamples(READING_PROBLEM_WORDS, PROBLEMS)).flat()
  expect(new Set(all).size).toBe(all.length)
  for (const sentence of all) expect(sentence).toMatch(/^[A-Z].{10,110}\.$/)
})

test('what a flag adds to its sentence', () => {
  const { ...words } = wordedSamples(FLAG_DETAIL_WORDS, { ...PROBLEMS, ...DETAILS })
  for (const id of Object.keys(PROBLEMS)) delete words[id]
  expect(words).toMatchInlineSnapshot(`
    {
      "expands": [
        "300 bytes decompress to 17,000,000",
      ],
      "fewer_assertions": [
        "2 fewer in total",
      ],
      "files": [
        "3,001 files",
      ],
      "hunks": [
        "10,001 hunks",
      ],
      "manifest_unchanged": [
        "Its manifest is unchanged.",
      ],
      "more_lines": [
        "and 1 more line of this file",
        "and 1,200 more lines outside of files",
      ],
      "size": [
        "1 file, 1,200 lines",
      ],
      "text": [
        "src/a.ts",
      ],
    }
  `)
})

const found: FoundReading = {
  verdict: 'error',
  problem: { id: 'hunk_cut', params: {} },
  files: 0,
  additions: 0,
  deletions: 0,
  hunks: 0,
  safe: false,
  blocking: ['truncated-hunk'],
  warnings: [],
  signals: [],
  rules: '1',
}

test('a reading is stored with the text of its problem, and shown with the one of today', () => {
  const stored = wordedReading(found)
  expect(stored).toMatchObject({ problem: patchFaultText('hunk_cut'), problemMessage: found.problem })
  const shown = { ...found, problem: patchFaultText('hunk_cut') }
  expect(rewordedReading({ ...stored, problem: 'as it was worded then' })).toEqual(shown)
  expect(rewordedReading(wordedReading({ ...found, problem: null }))).toEqual({ ...found, problem: null })
})

test('a reading of another version keeps the text of the day', () => {
  const old = { ...found, problem: 'as it was worded then' }
  expect(rewordedReading(old)).toEqual(old)
  expect(rewordedReading({ ...old, problemMessage: { id: 'of_tomorrow', params: {} } as never })).toEqual(old)
})
