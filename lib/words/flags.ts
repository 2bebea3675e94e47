import type { FixFlag, FoundFlag, StoredFlag } from '../model/fix'
import type { FlagCode } from '../model/flags'
import { storedText, textOf } from './catalogue'
import { FLAG_DETAIL_WORDS } from './patches'

/** What each flag says of a patch, in one sentence. */
export const FLAG_WORDS: Record<FlagCode | 'not-read', string> = {
  'path-traversal': 'A path leads outside the repository (..).',
  'path-absolute': 'A path is absolute.',
  'path-dotgit': 'A path is inside the .git folder.',
  'path-windows-drive': 'A path starts with a drive letter.',
  'path-backslash': 'A path contains a backslash, a separator on Windows.',
  'path-windows-reserved': 'A path uses a reserved Windows name, or ends with a dot or space.',
  'path-control-character': 'A path contains a control or invisible character.',
  'path-nul':
    'A path contains a NUL byte. git ends the name there, so it writes to a different file than the one a reader sees.',
  'path-not-utf8': 'A path is not UTF-8.',
  'path-markup': 'A path contains < or >.',
  'path-bidi': 'A path contains a character that changes text direction.',
  'path-too-long': 'A path is too long for file systems.',
  'path-file-directory-conflict': 'A path is both a file and the folder of another file.',
  'symlink-escape': 'A symbolic link points outside the repository.',
  'write-through-symlink': 'A file is written through a symbolic link.',
  'mode-unusual': 'A file mode is not one that git uses.',
  'mode-directory': 'A file has the mode of a folder. git accepts it and writes nothing.',
  'not-a-unified-diff': 'git finds no patch in it.',
  'combined-diff': 'A combined diff of a merge can’t be applied.',
  'truncated-hunk': 'A hunk has fewer lines than its header says.',
  'hunk-count-mismatch':
    'A hunk has more lines than its header says. git ignores the extra lines, but a reader would not.',
  'hunk-header-malformed': 'A hunk header is malformed.',
  'hunk-number-out-of-range':
    'A line number or count of a hunk is too large. git wraps it, so the hunk lands somewhere else.',
  'header-mismatch': 'The header lines of a file contradict each other.',
  'no-prefix': 'File names have no a/ and b/ prefix (diff.noprefix), so git needs -p0.',
  'duplicate-create': 'A file is created twice.',
  'binary-corrupt': 'A binary change is corrupt.',
  'binary-size-mismatch': 'A binary change does not have its stated size.',
  'binary-hash-mismatch': 'A binary change doesn’t match its stated hash.',
  'binary-without-payload': 'A binary file changes, but the patch doesn’t contain its content.',
  'path-leading-dash': 'A path starts with a dash, which commands read as an option.',
  'path-shell-metacharacter': 'A path contains shell metacharacters. Quote it.',
  'path-case-collision': 'Two paths differ only in case, so they are the same on some systems.',
  'path-unicode-collision':
    'Two paths differ only in their Unicode form, so they look alike and are the same on some systems.',
  'path-confusable': 'A path mixes look-alike letters from different scripts.',
  'git-metadata-file': 'A file that git itself reads is changed.',
  symlink: 'A symbolic link is created or changed.',
  'submodule-change': 'A submodule is moved to a different commit.',
  'executable-added': 'A file becomes executable.',
  'duplicate-file': 'Several parts of the patch change the same file.',
  'hunk-offset': 'A hunk applies at a different line than it says.',
  'hunk-overlap': 'Hunks overlap.',
  'hunk-out-of-order': 'Hunks are out of order.',
  'zero-context': 'A hunk has no context lines, so only its line number places it.',
  'surrounding-text': 'The patch contains other text, which git ignores.',
  'blank-context-line': 'A context line lost its leading space.',
  'misplaced-no-newline-marker': 'More lines follow a “No newline at end of file” marker.',
  'no-final-newline': 'The patch has no newline at its end.',
  'base-blob-mismatch': 'A file differs from the one the patch was made from.',
  'crlf-mangled': 'Line endings of the patch were changed in transit.',
  'byte-order-mark': 'The patch starts with a byte order mark.',
  'binary-expansion': 'A binary change decompresses to far more than its size.',
  'content-bidi':
    'A line contains characters that change text direction, so it may read differently than it runs.',
  'content-invisible': 'A line contains invisible characters.',
  'content-escape-sequence': 'A line contains a terminal escape sequence or backspace.',
  'content-lone-cr': 'A line contains a carriage return that doesn’t end it.',
  'content-not-utf8': 'A line is not UTF-8.',
  'nul-byte': 'A line contains a NUL byte.',
  'content-replacement-character':
    'A line contains a replacement character (�): the patch may not be what the agent made.',
  'content-redacted': 'A line contains “[redacted]”: the patch may not be what the agent made.',
  'content-head-lost': 'The start of the patch was dropped in transit: it is not what the agent made.',
  'content-secret': 'A line may contain a secret.',
  'line-too-long': 'A line is longer than 20,000 bytes.',
  'too-many-files': 'More than 3,000 files are changed.',
  'too-many-hunks': 'There are more than 10,000 hunks.',
  'touches-failing-check': 'The failed check itself is changed.',
  'only-tests': 'Only tests, fixtures and snapshots are changed.',
  'test-file-deleted': 'A test file is deleted.',
  'skip-added': 'Tests are skipped or excluded.',
  'assertions-net-removed': 'More assertions are removed than added.',
  'assertion-loosened': 'An assertion, tolerance or limit is loosened.',
  'suppression-added': 'A comment that silences a checker is added.',
  'check-config-changed': 'The configuration of the checks is changed.',
  'ci-config-changed': 'A CI job definition is changed.',
  'exit-code-masked': 'A failure is masked as a success.',
  'snapshot-changed': 'Snapshots are rewritten.',
  'lockfile-changed': 'A lock file is changed.',
  'special-cased-input': 'A literal from the failing test is added to the source.',
  'claims-entry-removed': 'An entry of the claims registry is removed.',
  'outside-declared-inputs': 'No changed file is an input of the failing task, so it can’t have fixed it.',
  'larger-than-failure': 'More than 10 files or 400 lines are changed for one failing task.',
  'not-read': 'The patch could not be read.',
}

/** The sentence of a stored flag; one of another version keeps the text of the day. */
const sentenceOf = ({ code, sentence }: Pick<FixFlag, 'code' | 'sentence'>): string =>
  Object.hasOwn(FLAG_WORDS, code) ? FLAG_WORDS[code as FlagCode] : sentence

/** A flag as it was found, with its texts: as a row keeps it. */
export const wordedFlag = ({ detail, ...flag }: FoundFlag): StoredFlag => ({
  ...flag,
  sentence: sentenceOf({ code: flag.code, sentence: flag.code }),
  detail: detail && textOf(FLAG_DETAIL_WORDS, detail),
  ...(detail !== null && { detailMessage: detail }),
})

/** Stored flags in the words of today. */
export const reworded = (flags: readonly StoredFlag[]): FixFlag[] =>
  flags.map(({ detailMessage, ...flag }) => ({
    ...flag,
    sentence: sentenceOf(flag),
    detail:
      detailMessage && flag.detail !== null
        ? storedText(FLAG_DETAIL_WORDS, { ...detailMessage, text: flag.detail })
        : flag.detail,
  }))
