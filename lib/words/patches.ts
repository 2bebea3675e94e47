import type { FixReadingSummary, FoundReading, StoredReading } from '../model/fix'
import type { FlagDetails, PatchFaultId, PatchFaults, UnreadReasons } from '../model/messages/patches'
import { storedText, textOf, type Catalogue } from './catalogue'

/** Why git stops reading a patch, or refuses it. */
const PATCH_FAULT_WORDS: Catalogue<PatchFaults> = {
  patch_too_large: () => 'The patch is larger than git takes.',
  patch_empty: () => 'The patch is empty.',
  no_header: () => 'Nothing here is a patch: there is no header that git knows.',
  hunk_without_header: () => 'A hunk stands where no header says which file it is about.',
  hunk_range_unreadable: () => 'A hunk begins with @@ and does not say which lines it is about.',
  hunk_cut: () => 'The patch ends in the middle of a line of a hunk.',
  hunk_counts_differ: () => 'The header of a hunk states other line counts than the hunk has.',
  hunk_too_short: () => 'The patch ends before a hunk has the lines that its header states.',
  hunk_foreign_line: () =>
    'A hunk has fewer lines than its header states: a line follows that belongs to no hunk.',
  hunk_without_change: () => 'A hunk changes nothing.',
  name_on_absent_side: () =>
    'The header says that there is no file on one side, and its --- or +++ line names one.',
  absent_side_named: () => 'The header names a file on a side where it also says that there is none.',
  names_differ: () => 'Two lines of the header name different files for the same side.',
  mode_not_octal: () => 'A mode in the header is no octal number.',
  several_changes: () => 'The header says more than one of: new, deleted, renamed, copied.',
  names_missing: () =>
    'The header does not say which file it is about, once the prefix is taken off its names.',
  traditional_names_missing: () => 'The --- and +++ lines name no file, once the prefix is taken off.',
  new_file_with_old_lines: () => 'A file is said to be new, and its hunks need lines of an old one.',
  deleted_file_with_lines: () => 'A file is said to be deleted, and its hunks leave lines.',
  binary_without_data: () => 'A binary change is damaged: no data follow.',
  binary_cut: () => 'A binary change is damaged: the patch ends in it.',
  binary_line_length: () => 'A binary change is damaged: a line has a length that cannot be.',
  binary_line_length_differs: () => 'A binary change is damaged: a line has another length than it states.',
  binary_characters: () => 'A binary change is damaged: a line has characters that are not of its alphabet.',
  binary_size_impossible: () => 'A binary change is damaged: it cannot have the size that it states.',
  binary_size_differs: () =>
    'A binary change is damaged: what it holds does not unpack to the size that it states.',
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
    `and ${count} more ${count === 1 ? 'line' : 'lines'} ${inFile ? 'of this file' : 'outside of files'}`,
  files: ({ count }) => `${count} files`,
  hunks: ({ count }) => `${count} hunks`,
  size: ({ files, lines }) => `${files} files, ${lines} lines`,
  expands: ({ bytes, to }) => `${bytes} bytes become ${to}`,
  fewer_assertions: ({ count }) => `${count} fewer in all`,
  manifest_unchanged: () => 'Its manifest is not changed.',
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
