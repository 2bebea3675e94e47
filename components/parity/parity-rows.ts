import { type DifferenceKind, type Form, SEVERITIES, type Severity } from '@/lib/model/parity'
import type { ParityDocument } from '@/lib/api/parity-schemas'
import type { PageCompared } from '@/lib/judge/parity/rendered'
import { layerWhy } from '@/lib/words/parity'
import { byCodePoint } from '@/lib/judge/parity/differences'

export type ParityTransition = ParityDocument['transitions'][number]
export type ParityLayer = ParityDocument['layers'][number]

/** What differs at a layer from the one before it. */
export interface CellMark {
  kind: DifferenceKind
  /** The rule that decided the kind; left out by older servers. */
  kindRule?: string | undefined
  severity: Severity
  /** The rule that decided the severity. */
  rule: string
  from: string
}

/** A place with what every layer of its form holds there. */
export interface ParityRow {
  path: string
  worst: Severity
  kinds: DifferenceKind[]
  /** By the layer at which it differs from the one before. */
  marks: ReadonlyMap<string, CellMark[]>
  /** JSON text by layer, null for nothing; undefined: none were sent for this place. */
  values: Readonly<Record<string, string | null>> | undefined
}

/** A shape with its layers in order, and the steps between those that were read. */
export interface FormRead {
  form: Form
  layers: ParityLayer[]
  transitions: ParityTransition[]
  /** The first step with a critical difference. */
  lost: ParityTransition | null
}

/** The forms that were looked at, in the order in which they came. */
export const formsOf = ({
  layers,
  transitions,
}: Pick<ParityDocument, 'layers' | 'transitions'>): FormRead[] =>
  [...new Set(layers.map(({ form }) => form))].map((form) => {
    const own = transitions.filter((one) => one.form === form)
    // What only other sources have is nothing that is missed here.
    return {
      form,
      layers: layers.filter((one) => one.form === form && (one.counts || form === 'document')),
      transitions: own,
      lost:
        own.find(({ differences }) => differences.some(({ severity }) => severity === 'critical')) ?? null,
    }
  })

/** Differences of all steps of a form, one row for a place, the worst first. */
export function parityRows(transitions: readonly ParityTransition[]): ParityRow[] {
  const places = new Map<
    string,
    { severity: Severity; marks: Map<string, CellMark[]>; values: ParityRow['values'] }
  >()
  for (const { from, to, differences } of transitions) {
    for (const { path, kind, kindRule, severity, rule, values } of differences) {
      const place = places.get(path) ?? { severity, marks: new Map<string, CellMark[]>(), values: undefined }
      places.set(path, place)
      if (rank(severity) < rank(place.severity)) place.severity = severity
      place.marks.set(to, [...(place.marks.get(to) ?? []), { kind, kindRule, severity, rule, from }])
      // A list that came in another order has other rows under the same pointer: what a step found is what it tells of its own two layers.
      if (values !== undefined)
        place.values =
          place.values === undefined
            ? values
            : { ...place.values, ...only(values, place.marks.has(from) ? [to] : [from, to]) }
    }
  }
  return [...places]
    .map(([path, { severity, marks, values }]) => ({
      path,
      worst: severity,
      kinds: [...new Set([...marks.values()].flat().map(({ kind }) => kind))],
      marks,
      values,
    }))
    .sort((a, b) => rank(a.worst) - rank(b.worst) || byCodePoint(a.path, b.path))
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity)

const only = (
  values: Record<string, string | null>,
  layers: readonly string[],
): Record<string, string | null> =>
  Object.fromEntries(Object.entries(values).filter(([layer]) => layers.includes(layer)))

/** A check of the server with what this page is found to be: one verdict about both. */
export function withPage(
  stored: ParityDocument,
  page: Pick<
    PageCompared,
    'layers' | 'transitions' | 'verdict' | 'worst' | 'firstCritical' | 'failedControls'
  >,
): ParityDocument {
  const verdicts = [stored.verdict, page.verdict]
  return {
    ...stored,
    layers: [
      ...stored.layers.filter(({ form }) => form !== 'page'),
      ...page.layers.map((layer) => ({ ...layer, why: layerWhy(layer), counts: true })),
    ],
    transitions: [...stored.transitions, ...page.transitions],
    failedControls: [...new Set([...stored.failedControls, ...page.failedControls])],
    worst: SEVERITIES.find((severity) => severity === stored.worst || severity === page.worst) ?? null,
    firstCritical:
      stored.firstCritical ??
      (page.firstCritical && {
        form: page.firstCritical.form,
        from: page.firstCritical.from,
        to: page.firstCritical.to,
      }),
    verdict: verdicts.includes('different')
      ? 'different'
      : verdicts.every((verdict) => verdict === 'equal')
        ? 'equal'
        : 'unknown',
  }
}
