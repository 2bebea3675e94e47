import { LF } from '@/lib/judge/patches/bytes'
import { imageLine, type ImageLine } from '@/lib/judge/patches/image'

/** The lines of a file. */
export function imageOf(bytes: Uint8Array): ImageLine[] {
  const lines: ImageLine[] = []
  for (let at = 0; at < bytes.length; ) {
    const feed = bytes.indexOf(LF, at)
    const end = feed === -1 ? bytes.length : feed + 1
    lines.push(imageLine(bytes, at, end))
    at = end
  }
  return lines
}

/** The bytes of lines that follow each other. */
export function joinLines(lines: readonly ImageLine[]): Uint8Array {
  const whole = new Uint8Array(lines.reduce((size, line) => size + line.end - line.start, 0))
  let at = 0
  for (const { source, start, end } of lines) {
    whole.set(source.subarray(start, end), at)
    at += end - start
  }
  return whole
}
