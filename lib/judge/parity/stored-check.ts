import {
  type CheckVerdict,
  type DifferenceKind,
  type Form,
  type LayerState,
  SEVERITIES,
  type Severity,
} from '../../model/parity'
import { limits } from '../../limits'
import type { KindReason, LayerReason, SeverityReason } from '../../model/messages/parity'
import type { LayersCompared } from './compare-layers'
import { pathPattern } from './path-pattern'

/** Why a check was made: somebody asked, the execution ended, or its turn came. */
export const CHECK_TRIGGERS = ['demand', 'terminal', 'sweep'] as const
export type CheckTrigger = (typeof CHECK_TRIGGERS)[number]

/** A layer with the digest and the size of its text; both null where there was none. */
export interface CheckedLayer {
  form: Form
  layer: string
  state: LayerState
  /** Why it could not be read, in the words of its check, where that is known. */
  why: string | null
  /** The rule behind that with its values; null: it is a text of its source. */
  rule: LayerReason['id'] | null
  params: LayerReason['params'] | null
  sha256: string | null
  bytes: number | null
}

/** A reason as a check keeps it. */
export const ruleOf = (reason: LayerReason | undefined): Pick<CheckedLayer, 'rule' | 'params'> => ({
  rule: reason?.id ?? null,
  params: reason?.params ?? null,
})

export interface StoredDifference {
  from: string
  to: string
  path: string
  kind: DifferenceKind
  /** The rule that decided the kind; left out by checks of older versions. */
  kindRule: KindReason
  severity: Severity
  rule: SeverityReason
}

/** Differences of one kind at places that differ in the index of a list only. */
export interface Place {
  from: string
  to: string
  path: string
  kind: DifferenceKind
  /** The worst of them. */
  severity: Severity
  differences: number
}

export interface StoredFindings {
  verdict: CheckVerdict
  worst: Severity | null
  lost: { from: string; to: string } | null
  differences: StoredDifference[]
  differencesTotal: number
  /** Every difference there is was listed by the comparison. */
  isWhole: boolean
  places: Place[]
}

/**
 * What is stored of a comparison: all that is counted, and of what is listed the worst.
 *
 * @param isInDoubt a layer that was read is known not to hold everything
 */
export function findingsOf(
  { verdict, worst, firstCritical, transitions }: Omit<LayersCompared, 'layers'>,
  failedControls: readonly string[],
  isInDoubt = false,
): StoredFindings {
  const isTrustworthy = failedControls.length === 0
  const all = transitions.flatMap(({ from, to, differences }) =>
    differences.map(
      ({ path, kind, kindRule, severity, rule }): StoredDifference => ({
        from,
        to,
        path,
        kind,
        kindRule,
        severity,
        rule,
      }),
    ),
  )
  return {
    verdict: !isTrustworthy ? 'not_trustworthy' : isInDoubt && verdict === 'unknown' ? 'in_doubt' : verdict,
    worst,
    lost: firstCritical && { from: firstCritical.from, to: firstCritical.to },
    differences: worstFirst(all)
      .slice(0, limits.parityDifferencesStored)
      .map((one) => ({ ...one, path: cut(one.path) })),
    differencesTotal: all.length,
    isWhole: transitions.every((transition) => transition.isWhole),
    // Nothing is drawn of what means nothing.
    places: isTrustworthy ? placesOf(all) : [],
  }
}

function placesOf(all: readonly StoredDifference[]): Place[] {
  const places = new Map<string, Place>()
  for (const { from, to, path, kind, severity } of all) {
    const pattern = pathPattern(path)
    const key = JSON.stringify([from, to, pattern, kind])
    const known = places.get(key)
    if (!known) places.set(key, { from, to, path: pattern, kind, severity, differences: 1 })
    else {
      known.differences++
      if (SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(known.severity)) known.severity = severity
    }
  }
  return worstFirst([...places.values()]).slice(0, limits.parityPlacesStored)
}

const worstFirst = <T extends { severity: Severity }>(all: readonly T[]): T[] =>
  SEVERITIES.flatMap((severity) => all.filter((one) => one.severity === severity))

const cut = (path: string): string =>
  path.length <= limits.parityPathCharsStored ? path : `${path.slice(0, limits.parityPathCharsStored - 1)}…`
