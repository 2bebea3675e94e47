import { contentFlags } from './content-flags'
import { FLAG_WEIGHTS, FLAGS, weightOf, type PatchFlag } from '../../model/flags'
import type { Patch } from './patch'
import { signalFlags, type FailureFacts } from './signals'
import { structureFlags } from './structure-flags'
import { treeFlags, type KnownBase } from './tree-flags'

/** Version of the rules: what was read by another one is read again. */
export const FLAG_RULES = '4'

/**
 * Everything that rules find in a patch, the weightiest first. A patch that git refuses is judged by what can be read of it.
 *
 * @param base the files that it was made for, where they are at hand
 * @see docs/patches.md#flags
 */
export function readFlags(
  bytes: Uint8Array,
  patch: Patch,
  { failure, base = null }: { failure?: FailureFacts; base?: KnownBase | null } = {},
): PatchFlag[] {
  const flags = [
    ...structureFlags(bytes, patch),
    ...treeFlags(bytes, patch.sections, base),
    ...contentFlags(bytes, patch.sections),
    ...signalFlags(bytes, patch, failure),
  ]
  return sortFlags(flags)
}

const rank = (flag: PatchFlag): number => FLAG_WEIGHTS.indexOf(weightOf(flag))

/** By weight, then in the order of the patch. */
export const sortFlags = (flags: readonly PatchFlag[]): PatchFlag[] =>
  [...flags].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.file ?? -1) - (b.file ?? -1) ||
      (a.lines?.start ?? 0) - (b.lines?.start ?? 0) ||
      (a.code < b.code ? -1 : 1),
  )

/** Whether nothing that was found forbids to apply it. */
export const isSafe = (flags: readonly PatchFlag[]): boolean =>
  !flags.some((flag) => FLAGS[flag.code].family === 'safety' && weightOf(flag) === 'blocking')
