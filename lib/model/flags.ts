/** Weights of flags, the heaviest first. A `blocking` one forbids approval and any command that applies; the others inform. */
export const FLAG_WEIGHTS = ['blocking', 'high', 'warning', 'medium', 'low'] as const
export type FlagWeight = (typeof FLAG_WEIGHTS)[number]

const blocking = (sentence: string) => ({ family: 'safety', weight: 'blocking', sentence }) as const
const warning = (sentence: string) => ({ family: 'safety', weight: 'warning', sentence }) as const
const signal = (weight: 'high' | 'medium' | 'low', sentence: string) =>
  ({ family: 'signal', weight, sentence }) as const

/** Every flag that rules raise on a patch: its family (safety of applying it, or signal of gaming the check), its weight, and one sentence for people. */
export const FLAGS = {
  'path-traversal': blocking('A path climbs out of its folder.'),
  'path-absolute': blocking('A path is absolute.'),
  'path-dotgit': blocking('A path leads into the folder that git keeps its own files in.'),
  'path-windows-drive': blocking('A path begins with a drive letter.'),
  'path-backslash': blocking('A path holds a backslash, which is a separator on Windows.'),
  'path-windows-reserved': blocking(
    'A path has a name that Windows keeps for devices or streams, or ends it with a dot or blank.',
  ),
  'path-control-character': blocking('A path holds a control character, or one that cannot be seen.'),
  'path-not-utf8': blocking('A path is not UTF-8.'),
  'path-markup': blocking('A path holds < or >.'),
  'path-bidi': blocking('A path holds a mark that changes the direction of text.'),
  'path-too-long': blocking('A path is longer than file systems take.'),
  'path-file-directory-conflict': blocking('One path is a file and the folder of another.'),
  'symlink-escape': blocking('A symbolic link leads out of the repository.'),
  'write-through-symlink': blocking('A file is written through a symbolic link.'),
  'mode-unusual': blocking('A mode is none that git knows for files.'),
  'not-a-unified-diff': blocking('Git finds no patch in it.'),
  'combined-diff': blocking('It is a combined diff of a merge, which cannot be applied.'),
  'truncated-hunk': blocking('A hunk ends before it has the lines that its header states.'),
  'hunk-count-mismatch': blocking(
    'A hunk has other lines than its header states; git ignores those behind the count, a reader would not.',
  ),
  'hunk-header-malformed': blocking('The header of a hunk cannot be read.'),
  'header-mismatch': blocking('Lines of one header disagree about the file.'),
  'no-prefix': blocking('Names have no a/ and b/ before them: git would take the first folder off.'),
  'duplicate-create': blocking('One file is created twice.'),
  'binary-corrupt': blocking('A binary change is damaged.'),
  'binary-hash-mismatch': blocking('A binary change holds another file than it states.'),
  'binary-without-payload': blocking('A binary file changes, and the patch does not hold it.'),
  'path-leading-dash': warning('A path begins with a dash, which commands take for an option.'),
  'path-shell-metacharacter': warning('A path holds characters that a shell reads; quote it.'),
  'path-case-collision': warning(
    'Two paths, or their folders, differ in case alone: on some systems they are one.',
  ),
  'path-confusable': warning('A path mixes letters of scripts that look alike.'),
  'git-metadata-file': warning('A file is changed that git itself acts on.'),
  symlink: warning('A symbolic link is made or changed.'),
  'submodule-change': warning('A submodule is moved to another commit.'),
  'executable-added': warning('A file becomes executable.'),
  'duplicate-file': warning('Several parts of the patch are about one file.'),
  'hunk-offset': warning('A hunk fits at another line than it states.'),
  'hunk-overlap': warning('Two hunks are about the same lines.'),
  'hunk-out-of-order': warning('A hunk stands behind one that is about later lines.'),
  'zero-context': warning('A hunk has no lines around its change: it is placed by its line number alone.'),
  'surrounding-text': warning('There is text around the patch, which git passes over.'),
  'blank-context-line': warning('A line around a change lost its leading blank.'),
  'misplaced-no-newline-marker': warning('A line is said to end the file, and more lines follow.'),
  'no-final-newline': warning('The patch does not end with a line feed.'),
  'base-blob-mismatch': warning('A file is another one than the patch was made from.'),
  'crlf-mangled': warning('Line ends of the patch itself were changed on the way.'),
  'byte-order-mark': warning('The patch begins with a byte order mark.'),
  'binary-expansion': warning('A binary change unpacks to far more than it takes.'),
  'content-bidi': warning(
    'A line holds marks that change the direction of text: it reads other than it runs.',
  ),
  'content-invisible': warning('A line holds characters that cannot be seen.'),
  'content-escape-sequence': warning('A line holds a terminal escape sequence or a backspace.'),
  'content-lone-cr': warning('A line holds a carriage return that ends no line.'),
  'content-not-utf8': warning('A line is not UTF-8.'),
  'nul-byte': warning('A line holds a NUL byte.'),
  'content-replacement-character': warning(
    'A line holds the mark of lost bytes: the patch may not be what the agent made.',
  ),
  'content-redacted': warning('A line holds “[redacted]”: the patch may not be what the agent made.'),
  'content-head-lost': warning(
    'The beginning was dropped on the way, as a line in its place says: the patch is not what the agent made.',
  ),
  'content-secret': warning('A line holds what looks like a secret.'),
  'line-too-long': warning('A line is longer than 20,000 bytes.'),
  'too-many-files': warning('More than 3,000 files are changed.'),
  'too-many-hunks': warning('There are more than 10,000 hunks.'),
  'touches-failing-check': signal('high', 'The check that failed is changed itself.'),
  'only-tests': signal('high', 'Nothing but tests, fixtures and snapshots is changed.'),
  'test-file-deleted': signal('high', 'A test file is deleted.'),
  'skip-added': signal('high', 'A test is skipped, or others are left out.'),
  'assertions-net-removed': signal('high', 'More assertions are removed than added.'),
  'assertion-loosened': signal('high', 'An assertion, a tolerance or a limit is loosened.'),
  'suppression-added': signal('high', 'A comment is added that tells a checker to look away.'),
  'check-config-changed': signal('high', 'What the checks are run by or with is changed.'),
  'ci-config-changed': signal('high', 'The definition of a CI job is changed.'),
  'exit-code-masked': signal('high', 'A failure is made to look like a success.'),
  'snapshot-changed': signal('medium', 'Snapshots are rewritten.'),
  'lockfile-changed': signal('medium', 'A lock file is changed.'),
  'special-cased-input': signal('medium', 'A literal of the failing test stands in added source.'),
  'claims-entry-removed': signal('high', 'An entry of the claims registry is removed.'),
  'outside-declared-inputs': signal(
    'medium',
    'No changed file is an input of the failing task: it cannot have mended it.',
  ),
  'larger-than-failure': signal('low', 'More than 10 files or 400 lines are changed for one failing task.'),
} as const satisfies Record<string, { family: 'safety' | 'signal'; weight: FlagWeight; sentence: string }>

export type FlagCode = keyof typeof FLAGS

/** A finding of a rule on a patch. */
export interface PatchFlag {
  code: FlagCode
  /** Where it is heavier or lighter than the catalogue has it. */
  weight?: FlagWeight
  detail: string | null
  /** Place of the section in the patch, from 0; null for the whole. */
  file: number | null
  /** Lines of the patch, from 1, both counted in. */
  lines: { start: number; end: number } | null
}

export const weightOf = ({ code, weight }: Pick<PatchFlag, 'code' | 'weight'>): FlagWeight =>
  weight ?? FLAGS[code].weight
