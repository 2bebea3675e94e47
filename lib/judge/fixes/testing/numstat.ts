import { byteText, type ByteText } from '../../patches/bytes'
import type { Patch } from '../../patches/patch'
import { fileList } from '../file-list'

export interface NumstatLine {
  /** Null for a binary change, as git prints `-`. */
  added: number | null
  deleted: number | null
  name: ByteText
}

const utf8 = new TextEncoder()

/** What `git apply --numstat -z` prints of a patch, out of the files that a fix lists. */
export const numstat = (bytes: Uint8Array, patch: Patch): NumstatLine[] =>
  fileList(bytes, patch, () => '').map(({ additions, deletions, name, nameBase64 }) => ({
    added: additions,
    deleted: deletions,
    name: nameBase64 === null ? byteText(utf8.encode(name)) : atob(nameBase64),
  }))
