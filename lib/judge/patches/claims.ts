import type { ByteText } from './bytes'
import type { PatchSection } from './patch'

/** A registry may be on one line. */
export const CLAIMS_LINE_CHARS_MAX = 1024 * 1024

/** Whether a section is about the registry of claims, or takes it away. */
export const isClaims = ({ oldName, newName }: Pick<PatchSection, 'oldName' | 'newName'>): boolean =>
  [oldName, newName].some((name) => name !== null && isRegistry(name))

/** Whether a section leaves no registry where there was one. */
export const dropsClaims = ({ oldName, newName, isDelete, isCopy }: PatchSection): boolean =>
  oldName !== null &&
  isRegistry(oldName) &&
  !isCopy &&
  (isDelete === true || newName === null || !isRegistry(newName))

const isRegistry = (name: ByteText): boolean => /(?:^|\/)claims\.json$/.test(name)

/** `"id": "c1"`, or `"c1": {` where it is no part of an entry: near the beginning of a line, or behind another entry. */
const ENTRY =
  /"(?:id|claim)"\s{0,20}:\s{0,20}"([^"]{1,500})"|(?<=^\s{0,4}\{?\s{0,4}|\},\s{0,4})"([^"]{1,500})"\s{0,20}:\s{0,20}\{/g

/** The entries that a line begins: by their ids, or by the keys that they are under. */
export const claimsIn = (text: string): string[] => [...text.matchAll(ENTRY)].map(([, id, key]) => id ?? key!)
