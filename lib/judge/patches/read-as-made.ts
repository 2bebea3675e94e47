import type { Patch, PatchProblem } from './patch'
import { readPatch } from './read-patch'
import { namesDisagree } from './section-names'

const OF_NAMES: readonly PatchProblem['kind'][] = ['names-missing', 'names-disagree']

/**
 * Reads a patch the way it was made: with `-p1`, or with `-p0` where its names have no prefix (`diff.noprefix`). Only a patch that says so in
 * every section is read with `-p0`; of a mixed one nobody knows which files it means, and it is read as git does by itself.
 *
 * @returns with `withoutPrefix` where git needs `-p0`
 */
export function readAsMade(bytes: Uint8Array): Patch {
  const patch = readPatch(bytes)
  const { sections, problem } = patch
  if (
    !sections.some(({ stated }) => stated.sameWithPrefix) &&
    !OF_NAMES.includes(problem?.kind ?? 'no-patch')
  )
    return patch
  const plain = readPatch(bytes, 0)
  const agrees = plain.sections.every((section) => !section.stated.gitLineDiffers && !namesDisagree(section))
  // What is wrong with the rest of it is wrong with both readings.
  const reads = plain.problem === null || plain.problem.kind === problem?.kind
  return plain.sections.length > 0 &&
    plain.sections.length >= sections.length &&
    agrees &&
    reads &&
    !OF_NAMES.includes(plain.problem?.kind ?? 'no-patch')
    ? { ...plain, withoutPrefix: true }
    : patch
}
