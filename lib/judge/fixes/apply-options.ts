import type { FlagCode } from '../../model/flags'

/** Git settings that would change a patch, or what git says about it, on its way: nobody's configuration decides these. */
export const EXACT_SETTINGS = {
  'core.quotePath': 'false',
  'apply.whitespace': 'nowarn',
  'apply.ignoreWhitespace': 'no',
} as const

const ZERO_CONTEXT: FlagCode = 'zero-context'
const NO_PREFIX: FlagCode = 'no-prefix'

/**
 * The options of `git apply` that a patch needs, wherever it is checked or applied: one word each, not quoted for a shell.
 *
 * @param patch.codes of flags on it
 * @param patch.subDir the folder of the repository that it was made in; null: the top
 */
export const applyOptions = (patch: { codes: readonly string[]; subDir: string | null }): string[] => [
  ...(patch.codes.includes(NO_PREFIX) ? ['-p0'] : []),
  ...(patch.codes.includes(ZERO_CONTEXT) ? ['--unidiff-zero'] : []),
  ...(patch.subDir ? [`--directory=${patch.subDir}`] : []),
]
