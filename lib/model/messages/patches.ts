import type { MessageOf, NoParams } from '../message'

/** Why git stops reading a patch, or refuses it. */
export interface PatchFaults {
  patch_too_large: NoParams
  patch_empty: NoParams
  no_header: NoParams
  hunk_without_header: NoParams
  hunk_range_unreadable: NoParams
  hunk_cut: NoParams
  hunk_counts_differ: NoParams
  hunk_too_short: NoParams
  hunk_foreign_line: NoParams
  hunk_without_change: NoParams
  /** The header rules a side out, and its `---` or `+++` line names a file for it. */
  name_on_absent_side: NoParams
  /** The header names a file for a side, and then rules it out. */
  absent_side_named: NoParams
  names_differ: NoParams
  mode_not_octal: NoParams
  several_changes: NoParams
  names_missing: NoParams
  traditional_names_missing: NoParams
  new_file_with_old_lines: NoParams
  deleted_file_with_lines: NoParams
  binary_without_data: NoParams
  binary_cut: NoParams
  binary_line_length: NoParams
  binary_line_length_differs: NoParams
  binary_characters: NoParams
  binary_size_impossible: NoParams
  binary_size_differs: NoParams
}

export type PatchFaultId = keyof PatchFaults

/** Why a patch is kept and not read. */
export interface UnreadReasons {
  not_yet: NoParams
  over_time: { readonly seconds: number }
  broke_off: NoParams
}

/** Why nothing is known of a patch, or only its beginning. */
export type ReadingProblem = MessageOf<PatchFaults & UnreadReasons>

/** What a flag adds to its sentence. */
export interface FlagDetails extends PatchFaults, UnreadReasons {
  /** A name, a mode or another text of the patch. */
  text: { readonly text: string }
  more_lines: { readonly count: number; readonly inFile: boolean }
  files: { readonly count: number }
  hunks: { readonly count: number }
  size: { readonly files: number; readonly lines: number }
  expands: { readonly bytes: number; readonly to: number }
  fewer_assertions: { readonly count: number }
  manifest_unchanged: NoParams
}

export type FlagDetail = MessageOf<FlagDetails>
