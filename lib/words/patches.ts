import type { FixReadingSummary, FoundReading, StoredReading } from '../model/fix'
import type { FlagDetails, PatchFaultId, PatchFaults, UnreadReasons } from '../model/messages/patches'
import { storedText, textOf, type Catalogue } from './catalogue'
import { count as grouped, some } from './phrases'

/** Why git stops reading a patch, or refuses it. */
const PATCH_FAULT_WORDS: Catalogue<PatchFaults> = {
  patch_too_large: () => 'The patch is larger than git accepts.',
  patch_empty: () => 'The patch is empty.',
  no_header: () => 'This is not a patch: it has no header that git recognizes.',
  hunk_without_header: () => 'A hunk has no file header before it.',
  hunk_range_unreadable: () => 'A hunk header has no line numbers after @@.',
  hunk_cut: () => 'The patch ends in the middle of a hunk line.',
  hunk_counts_differ: () => 'A hunk has a different number of lines than its header says.',
  hunk_too_short: () => 'The patch ends before a hunk has all the lines its header says.',
  hunk_foreign_line: () => 'A hunk has fewer lines than its header says, and other text follows.',
  hunk_without_change: () => 'A hunk changes nothing.',
  name_on_absent_side: () => 'The header says that one side has no file, but its --- or +++ line names one.',
  absent_side_named: () => 'The header names a file on a side that it says has none.',
  names_differ: () => 'Two lines of the header name different files for the same side.',
  mode_not_octal: () => 'A file mode in the header is not an octal number.',
  several_changes: () => 'The header says more than one of new, deleted, renamed and copied.',
  names_missing: () => 'The header names no file once the a/ and b/ prefixes are removed.',
  traditional_names_missing: () => 'The --- and +++ lines name no file once the prefix is removed.',
  new_file_with_old_lines: () => 'A new file has hunks that need existing lines.',
  deleted_file_with_lines: () => 'A deleted file has hunks that leave lines.',
  binary_without_data: () => 'A binary change is corrupt: it has no data.',
  binary_cut: () => 'A binary change is corrupt: the patch ends inside it.',
  binary_line_length: () => 'A binary change is corrupt: a line has an impossible length.',
  binary_line_length_differs: () => 'A binary change is corrupt: a line has a different length than it says.',
  binary_characters: () => 'A binary change is corrupt: a line has characters that are not base85.',
  binary_size_impossible: () => 'A binary change is corrupt: it can’t have the size it says.',
  binary_size_differs: () => 'A binary change is corrupt: it doesn’t decompress to the size it says.',
}

/** Why a patch is kept and not read. */
const UNREAD_WORDS: Catalogue<UnreadReasons> = {
  not_yet: () => 'It has not been read yet.',
  over_time: ({ seconds }) => `Reading it took longer than ${seconds} seconds and was stopped.`,
  broke_off: () => 'Reading it failed.',
}

/** Why nothing is known of a patch, or only its beginning. */
export const READING_PROBLEM_WORDS: Catalogue<PatchFaults & UnreadReasons> = {
  ...PATCH_FAULT_WORDS,
  ...UNREAD_WORDS,
}

export const patchFaultText = (why: PatchFaultId): string => PATCH_FAULT_WORDS[why]({})

/** What a flag adds to its sentence. */
export const FLAG_DETAIL_WORDS: Catalogue<FlagDetails> = {
  ...READING_PROBLEM_WORDS,
  text: ({ text }) => text,
  more_lines: ({ count, inFile }) =>
    `and ${some(count, 'more line')} ${inFile ? 'of this file' : 'outside of files'}`,
  files: ({ count }) => `${grouped(count)} files`,
  hunks: ({ count }) => `${grouped(count)} hunks`,
  size: ({ files, lines }) => `${some(files, 'file')}, ${some(lines, 'line')}`,
  expands: ({ bytes, to }) => `${grouped(bytes)} bytes decompress to ${grouped(to)}`,
  fewer_assertions: ({ count }) => `${grouped(count)} fewer in total`,
  manifest_unchanged: () => 'Its manifest is unchanged.',
}

/** What rules found in a patch, with its text: as a row keeps it. */
export const wordedReading = ({ problem, ...found }: FoundReading): StoredReading => ({
  ...found,
  problem: problem && textOf(READING_PROBLEM_WORDS, problem),
  problemMessage: problem,
})

/** A stored reading in the words of today. */
export const rewordedReading = ({
  problemMessage,
  problem,
  ...stored
}: StoredReading): FixReadingSummary => ({
  ...stored,
  problem:
    problemMessage && problem !== null
      ? storedText(READING_PROBLEM_WORDS, { ...problemMessage, text: problem })
      : problem,
})
