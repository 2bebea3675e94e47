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
        "The header names a file on a side where it also says that there is none.",
      ],
      "binary_characters": [
        "A binary change is damaged: a line has characters that are not of its alphabet.",
      ],
      "binary_cut": [
        "A binary change is damaged: the patch ends in it.",
      ],
      "binary_line_length": [
        "A binary change is damaged: a line has a length that cannot be.",
      ],
      "binary_line_length_differs": [
        "A binary change is damaged: a line has another length than it states.",
      ],
      "binary_size_differs": [
        "A binary change is damaged: what it holds does not unpack to the size that it states.",
      ],
      "binary_size_impossible": [
        "A binary change is damaged: it cannot have the size that it states.",
      ],
      "binary_without_data": [
        "A binary change is damaged: no data follow.",
      ],
      "broke_off": [
        "Reading it failed.",
      ],
      "deleted_file_with_lines": [
        "A file is said to be deleted, and its hunks leave lines.",
      ],
      "hunk_counts_differ": [
        "The header of a hunk states other line counts than the hunk has.",
      ],
      "hunk_cut": [
        "The patch ends in the middle of a line of a hunk.",
      ],
      "hunk_foreign_line": [
        "A hunk has fewer lines than its header states: a line follows that belongs to no hunk.",
      ],
      "hunk_range_unreadable": [
        "A hunk begins with @@ and does not say which lines it is about.",
      ],
      "hunk_too_short": [
        "The patch ends before a hunk has the lines that its header states.",
      ],
      "hunk_without_change": [
        "A hunk changes nothing.",
      ],
      "hunk_without_header": [
        "A hunk stands where no header says which file it is about.",
      ],
      "mode_not_octal": [
        "A mode in the header is no octal number.",
      ],
      "name_on_absent_side": [
        "The header says that there is no file on one side, and its --- or +++ line names one.",
      ],
      "names_differ": [
        "Two lines of the header name different files for the same side.",
      ],
      "names_missing": [
        "The header does not say which file it is about, once the prefix is taken off its names.",
      ],
      "new_file_with_old_lines": [
        "A file is said to be new, and its hunks need lines of an old one.",
      ],
      "no_header": [
        "Nothing here is a patch: there is no header that git knows.",
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
        "The patch is larger than git takes.",
      ],
      "several_changes": [
        "The header says more than one of: new, deleted, renamed, copied.",
      ],
      "traditional_names_missing": [
        "The --- and +++ lines name no file, once the prefix is taken off.",
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
        "300 bytes become 17000000",
      ],
      "fewer_assertions": [
        "2 fewer in all",
      ],
      "files": [
        "3001 files",
      ],
      "hunks": [
        "10001 hunks",
      ],
      "manifest_unchanged": [
        "Its manifest is not changed.",
      ],
      "more_lines": [
        "and 1 more line of this file",
        "and 1200 more lines outside of files",
      ],
      "size": [
        "1 files, 1200 lines",
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
