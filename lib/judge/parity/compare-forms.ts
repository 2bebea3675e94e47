import { compareLayers, type LayersCompared, type Transition, type Ways } from './compare-layers'
import { SEVERITIES, type Severity } from './differences'
import type { LayerInput, LayerState } from './layers'

/**
 * The shapes in which an execution is compared: diagnoses that were made of its agents, the execution as its source writes it, rows of it that several kept documents
 * tell, as it is read here, and as a page shows it. Layers of one shape are compared with one another only.
 */
export const FORMS = ['made', 'document', 'telling', 'record', 'page'] as const
export type Form = (typeof FORMS)[number]

export interface FormInput {
  form: Form
  /** In the order in which the data travels. */
  layers: readonly LayerInput[]
  ways?: Ways
}

export interface FormsCompared extends Omit<LayersCompared, 'layers' | 'transitions' | 'firstCritical'> {
  layers: { form: Form; layer: string; state: LayerState }[]
  transitions: (Transition & { form: Form })[]
  firstCritical: (Transition & { form: Form }) | null
}

/** Compares the layers of each form. It is equal where every form is, and different where one is. */
export function compareForms(forms: readonly FormInput[]): FormsCompared {
  const compared = forms.map(({ form, layers, ways }) => ({ form, ...compareLayers(layers, ways) }))
  const transitions = compared.flatMap(({ form, transitions: own }) => own.map((one) => ({ ...one, form })))
  const verdicts = compared.map(({ verdict }) => verdict)
  return {
    layers: compared.flatMap(({ form, layers }) => layers.map((layer) => ({ form, ...layer }))),
    transitions,
    worst:
      SEVERITIES.find((severity) => compared.some(({ worst }) => worst === severity)) ??
      (null as Severity | null),
    firstCritical:
      compared.flatMap(({ form, firstCritical }) =>
        firstCritical === null ? [] : [{ ...firstCritical, form }],
      )[0] ?? null,
    verdict: verdicts.includes('different')
      ? 'different'
      : verdicts.length > 0 && verdicts.every((verdict) => verdict === 'equal')
        ? 'equal'
        : 'unknown',
  }
}
