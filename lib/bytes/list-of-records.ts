import { isBlank, markLength } from './lines'

/** Whether some bytes are a JSON list, by their first character, and whether it holds anything. Null: they are none. */
export function isListOfRecords(bytes: Uint8Array): 'list' | 'empty' | null {
  let at = markLength(bytes)
  while (at < bytes.length && isBlank(bytes, at, at + 1)) at++
  if (bytes[at] !== 0x5b) return null
  let next = at + 1
  while (next < bytes.length && isBlank(bytes, next, next + 1)) next++
  return bytes[next] === 0x5d && isBlank(bytes, next + 1, bytes.length) ? 'empty' : 'list'
}
