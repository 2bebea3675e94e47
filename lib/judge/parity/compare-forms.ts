import { type Form, type LayerState, SEVERITIES, type Severity } from '../../model/parity'
import { compareLayers, type LayersCompared, type Transition, type Ways } from './compare-layers'
import type { LayerInput } from './layers'

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
