import { findPatterns, type PatternFinding } from './patterns'
import { isBlank, standsAlone, strip } from './python-text'
import type { Contract } from './verdict-facts'

/** What the rules ask about a text and what was agreed on; who answers may know less than all of it (`possible-facts.ts`). */
export interface ContractReader {
  readonly markerSet: boolean
  /** Words for a trace. */
  readonly marker: string
  readonly patterns: readonly string[]
  holdsMarker(text: string): boolean
  /** Nothing but white space is left when each marker is taken out. */
  holdsNothingElse(text: string): boolean
  /** On a line of its own. */
  standsAloneIn(messages: readonly string[]): boolean
  /** Each pattern in a text that is stripped, or left as it was; none when there are none. */
  find(text: string): PatternFinding[]
  /** The same without the tolerance for markdown. */
  findPlainly(text: string): PatternFinding[]
  withoutMarker(text: string): string
  /** Patterns that are no part of the contract itself, in a final text. */
  findOthers(patterns: readonly string[], text: string): PatternFinding[]
}

export function readContract({ marker, patterns }: Contract): ContractReader {
  const markerSet = marker !== ''
  return {
    markerSet,
    marker,
    patterns,
    holdsMarker: (text) => markerSet && text.includes(marker),
    holdsNothingElse: (text) => markerSet && isBlank(text.replaceAll(marker, '')),
    standsAloneIn: (messages) => markerSet && messages.some((message) => standsAlone(message, marker)),
    find: (text) => findPatterns(patterns, text),
    findPlainly: (text) => findPatterns(patterns, text, { written: true }),
    withoutMarker: (text) => (markerSet ? strip(text.replaceAll(marker, '')) : text),
    findOthers: (others, text) => findPatterns(others, text),
  }
}
