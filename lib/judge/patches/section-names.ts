import type { PatchSection } from './patch'

/** Names of one side that the header states twice and differently, or of both sides where the file is not said to move. */
export function namesDisagree({
  stated: { before, after, from, to },
  form,
  isRename,
  isCopy,
  isNew,
  isDelete,
}: PatchSection): boolean {
  const differ = (...names: (string | null)[]): boolean =>
    new Set(names.filter((name) => name !== null)).size > 1
  if (isRename || isCopy) return differ(before, from) || differ(after, to)
  // Of `x.orig` and `x` git takes the shorter name, as patches without a git line have had them since before there was git.
  if (form === 'traditional')
    return (
      before !== null &&
      after !== null &&
      isNew !== true &&
      isDelete !== true &&
      !before.startsWith(after) &&
      !after.startsWith(before)
    )
  return differ(before, after)
}
