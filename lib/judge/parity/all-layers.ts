import type { Form } from '../../model/parity'
import type { LayerReason } from '../../model/messages/parity'
import { LAYERS } from './layers'
import { ruleOf, type CheckedLayer } from './stored-check'

/** A layer of a check. One that cannot be read from where the check was made is named, and the verdict does not go by it. */
export type NamedLayer = CheckedLayer & { counts: boolean }

/**
 * The layers of a check, and those that it could not have: each layer is there once at least, in the order in which the data travels.
 *
 * @param checked as they were compared outside of a browser
 */
export function allLayers(checked: readonly CheckedLayer[]): NamedLayer[] {
  const hasDocument = checked.some(({ form }) => form === 'document')
  const main: Form = hasDocument ? 'document' : 'record'
  const isThere = (name: string): boolean => checked.some(({ layer }) => layer === name)
  const unread = LAYERS.filter((layer) => !isThere(layer)).map(
    (layer): NamedLayer => ({
      form: layer === 'rendered' ? 'page' : main,
      layer,
      state: 'not_captured',
      why: null,
      ...ruleOf(whyNot(layer, hasDocument, isThere('api'))),
      sha256: null,
      bytes: null,
      counts: false,
    }),
  )
  const all = [...checked.map((one) => ({ ...one, counts: true })), ...unread]
  const forms = [...new Set(all.map(({ form }) => form))]
  const rank = ({ form, layer }: NamedLayer): number =>
    forms.indexOf(form) * LAYERS.length + (LAYERS as readonly string[]).indexOf(layer)
  return all.sort((a, b) => rank(a) - rank(b))
}

function whyNot(
  layer: (typeof LAYERS)[number],
  hasDocument: boolean,
  hasApi: boolean,
): LayerReason | undefined {
  if (layer === 'rendered') return { id: 'compared_in_browser', params: {} }
  if (layer !== 'event_log' && layer !== 'api') return undefined
  if (!hasDocument) return { id: 'not_offered', params: { layer } }
  return { id: hasApi ? 'database_unknown' : 'not_connected', params: {} }
}
