import { type DifferenceKind, SEVERITIES, type Severity } from '../../model/parity'
import type { DesignReason, KindReason, SeverityReason } from '../../model/messages/parity'

export interface Difference {
  /**
   * RFC 6901 pointer into the left layer. Where the left lacks the value (`extra`, some `null_vs_absent`) the pointer to the object or
   * list is that of the left one, and the last token the key or index in the right one.
   */
  path: string
  kind: DifferenceKind
  /** The rule that decided the kind. */
  kindRule: KindReason
  severity: Severity
  /** The rule that decided the severity. */
  rule: SeverityReason
}

export interface ExplainedDifference extends Difference {
  /** The rule that explains it. */
  reason: DesignReason
}

export interface Differences {
  /** Sorted by path, then kind (code points); each once. */
  differences: Difference[]
  /** Differences that a rule explains. They do not count. */
  byDesign: ExplainedDifference[]
  /** Pointers to objects that lost containers only, and kept every scalar: the mark of a projection that keeps scalars. */
  scalarOnly: string[]
  /** False when there are more differences than are listed. */
  isWhole: boolean
}

/** The worst of some differences; null for none. */
export function worstOf(differences: readonly Difference[]): Severity | null {
  return SEVERITIES.find((severity) => differences.some((one) => one.severity === severity)) ?? null
}

/** In the order of their paths, then kinds; each once. */
export function sortedDifferences<T extends Difference>(differences: readonly T[]): T[] {
  const sorted = differences.toSorted((a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.kind, b.kind))
  return sorted.filter(
    (one, i) => i === 0 || one.path !== sorted[i - 1]!.path || one.kind !== sorted[i - 1]!.kind,
  )
}

/** The order of Unicode, where that of JavaScript puts the higher planes before the end of the first. */
export function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [unitA, unitB] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (unitA !== unitB) return rank(unitA) - rank(unitB)
  }
  return a.length - b.length
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
