const utf8 = new TextEncoder()

/** Cuts a text to `max` bytes of UTF-8 on a character boundary, with a mark when something was cut. */
export function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text
  const bytes = utf8.encode(text)
  if (bytes.length <= max) return text
  let end = max
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end))}…(truncated)`
}
