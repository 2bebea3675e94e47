import type { FlagDetail } from './messages/patches'

/** Weights of flags, the heaviest first. A `blocking` one forbids approval and any command that applies; the others inform. */
export const FLAG_WEIGHTS = ['blocking', 'high', 'warning', 'medium', 'low'] as const
export type FlagWeight = (typeof FLAG_WEIGHTS)[number]

const BLOCKING = { family: 'safety', weight: 'blocking' } as const
const WARNING = { family: 'safety', weight: 'warning' } as const
const signal = (weight: 'high' | 'medium' | 'low') => ({ family: 'signal', weight }) as const

/** Every flag that rules raise on a patch: its family (safety of applying it, or signal of gaming the check) and its weight. */
export const FLAGS = {
  'path-traversal': BLOCKING,
  'path-absolute': BLOCKING,
  'path-dotgit': BLOCKING,
  'path-windows-drive': BLOCKING,
  'path-backslash': BLOCKING,
  'path-windows-reserved': BLOCKING,
  'path-control-character': BLOCKING,
  'path-nul': BLOCKING,
  'path-not-utf8': BLOCKING,
  'path-markup': BLOCKING,
  'path-bidi': BLOCKING,
  'path-too-long': BLOCKING,
  'path-file-directory-conflict': BLOCKING,
  'symlink-escape': BLOCKING,
  'write-through-symlink': BLOCKING,
  'mode-unusual': BLOCKING,
  'mode-directory': BLOCKING,
  'not-a-unified-diff': BLOCKING,
  'combined-diff': BLOCKING,
  'truncated-hunk': BLOCKING,
  'hunk-count-mismatch': BLOCKING,
  'hunk-header-malformed': BLOCKING,
  'hunk-number-out-of-range': BLOCKING,
  'header-mismatch': BLOCKING,
  'no-prefix': BLOCKING,
  'duplicate-create': BLOCKING,
  'binary-corrupt': BLOCKING,
  'binary-size-mismatch': BLOCKING,
  'binary-hash-mismatch': BLOCKING,
  'binary-without-payload': BLOCKING,
  'path-leading-dash': WARNING,
  'path-shell-metacharacter': WARNING,
  'path-case-collision': WARNING,
  'path-unicode-collision': WARNING,
  'path-confusable': WARNING,
  'git-metadata-file': WARNING,
  symlink: WARNING,
  'submodule-change': WARNING,
  'executable-added': WARNING,
  'duplicate-file': WARNING,
  'hunk-offset': WARNING,
  'hunk-overlap': WARNING,
  'hunk-out-of-order': WARNING,
  'zero-context': WARNING,
  'surrounding-text': WARNING,
  'blank-context-line': WARNING,
  'misplaced-no-newline-marker': WARNING,
  'no-final-newline': WARNING,
  'base-blob-mismatch': WARNING,
  'crlf-mangled': WARNING,
  'byte-order-mark': WARNING,
  'binary-expansion': WARNING,
  'content-bidi': WARNING,
  'content-invisible': WARNING,
  'content-escape-sequence': WARNING,
  'content-lone-cr': WARNING,
  'content-not-utf8': WARNING,
  'nul-byte': WARNING,
  'content-replacement-character': WARNING,
  'content-redacted': WARNING,
  'content-head-lost': WARNING,
  'content-secret': WARNING,
  'line-too-long': WARNING,
  'too-many-files': WARNING,
  'too-many-hunks': WARNING,
  'touches-failing-check': signal('high'),
  'only-tests': signal('high'),
  'test-file-deleted': signal('high'),
  'skip-added': signal('high'),
  'assertions-net-removed': signal('high'),
  'assertion-loosened': signal('high'),
  'suppression-added': signal('high'),
  'check-config-changed': signal('high'),
  'ci-config-changed': signal('high'),
  'exit-code-masked': signal('high'),
  'snapshot-changed': signal('medium'),
  'lockfile-changed': signal('medium'),
  'special-cased-input': signal('medium'),
  'claims-entry-removed': signal('high'),
  'outside-declared-inputs': signal('medium'),
  'larger-than-failure': signal('low'),
} as const satisfies Record<string, { family: 'safety' | 'signal'; weight: FlagWeight }>

export type FlagCode = keyof typeof FLAGS

/** A finding of a rule on a patch. */
export interface PatchFlag {
  code: FlagCode
  /** Where it is heavier or lighter than the catalogue has it. */
  weight?: FlagWeight
  detail: FlagDetail | null
  /** Place of the section in the patch, from 0; null for the whole. */
  file: number | null
  /** Lines of the patch, from 1, both counted in. */
  lines: { start: number; end: number } | null
}

export const weightOf = ({ code, weight }: Pick<PatchFlag, 'code' | 'weight'>): FlagWeight =>
  weight ?? FLAGS[code].weight
