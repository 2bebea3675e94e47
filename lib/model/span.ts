/** Span of bytes relative to the record's first kept byte, end exclusive. */
export interface Span {
  start: number
  end: number
  jsonPointer?: string
}
