import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

const lineFeed = 0x0a

export interface Part {
  start: number
  /** Exclusive. */
  end: number
  lineFeeds: number
  /** The part ends inside a line, because the file does. */
  torn: boolean
}

/**
 * Finds the next part of whole lines: as many as fit into `target` bytes, or one line when that alone is longer.
 * Only one buffer is held, whatever the length of a line. At the end of the file a torn last line is a part's tail
 * when `takeTorn` is set, and is left alone otherwise; `null` when nothing is left to take.
 */
export async function findPart(
  file: FileHandle,
  start: number,
  size: number,
  { target, takeTorn, buffer }: { target: number; takeTorn: boolean; buffer: Buffer },
): Promise<Part | null> {
  let position = start
  let end = start
  let lineFeeds = 0
  while (position < size && (position - start < target || end === start)) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
      const lineEnd = position + at + 1
      if (lineEnd - start > target && end > start) return { start, end, lineFeeds, torn: false }
      end = lineEnd
      lineFeeds += 1
    }
    position += bytesRead
  }
  const atEnd = position >= size
  if (atEnd && takeTorn && end < position && (position - start <= target || end === start))
    return { start, end: position, lineFeeds, torn: true }
  return end > start ? { start, end, lineFeeds, torn: false } : null
}

/** SHA-256 of a range of a file, hex; `null` when the file ends before it. */
export async function digestRange(
  file: FileHandle,
  start: number,
  length: number,
  buffer: Buffer,
): Promise<string | null> {
  const hash = createHash('sha256')
  let position = start
  const end = start + length
  while (position < end) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - position), position)
    if (bytesRead === 0) return null
    hash.update(buffer.subarray(0, bytesRead))
    position += bytesRead
  }
  return hash.digest('hex')
}
