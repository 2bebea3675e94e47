import { compareLayers } from './compare-layers'
import type { DifferenceKind, Severity } from './differences'

/** A pair that is known to differ in one way, or not to differ. */
interface Control {
  name: string
  left: string
  right: string
  /** What must be found: kind, place and severity; null: nothing. */
  wanted: [kind: DifferenceKind, path: string, severity: Severity] | null
}

const DIAGNOSIS = '{"category":"auth","confidence":0.9,"root_cause":"expired","suggested_action":"renew","source":"ollama","_meta":{"polls":3}}'
const row = (error: string): string => `{"result":{"status":"FAILED","context":{"status":"error","framework":"noetl","error":${error}}}}`
const AT = '/result/context/error'

/** Pairs that differ in one way each, as the losses do that the product exists to find, and two that must be found equal. */
export const CONTROLS: readonly Control[] = [
  { name: 'an intact pair', left: row(`{"kind":"agent.execution","diagnosis":${DIAGNOSIS}}`), right: row(`{"diagnosis":${DIAGNOSIS},"kind":"agent.execution"}`), wanted: null },
  { name: 'numbers of one value', left: '{"a":1,"b":620356925057663015}', right: '{"b":620356925057663015,"a":1.0}', wanted: null },
  { name: 'a diagnosis that is gone', left: row(`{"kind":"x","diagnosis":${DIAGNOSIS}}`), right: row('{"kind":"x"}'), wanted: ['missing', `${AT}/diagnosis`, 'critical'] },
  {
    name: 'a diagnosis that kept its scalars only', left: row(`{"diagnosis":${DIAGNOSIS}}`), right: row(`{"diagnosis":${DIAGNOSIS.replace(',"_meta":{"polls":3}', '')}}`),
    wanted: ['missing', `${AT}/diagnosis/_meta`, 'critical'],
  },
  { name: 'a diagnosis wrapped into text', left: row(`{"diagnosis":${DIAGNOSIS}}`), right: row(`{"diagnosis":${JSON.stringify(DIAGNOSIS)}}`), wanted: ['stringified_json', `${AT}/diagnosis`, 'critical'] },
  { name: 'a handle in the place of a diagnosis', left: row(`{"diagnosis":${DIAGNOSIS}}`), right: row('{"diagnosis":{"execution_id":"7","status":"started"}}'), wanted: ['dispatch_handle', `${AT}/diagnosis`, 'critical'] },
  { name: 'an id that lost digits', left: '{"event_id":620356925057663015}', right: '{"event_id":620356925057663000}', wanted: ['precision_lost', '/event_id', 'critical'] },
  { name: 'a text that was cut', left: `{"a":"${'word '.repeat(20)}"}`, right: `{"a":"${'word '.repeat(10)}"}`, wanted: ['truncated', '/a', 'medium'] },
  { name: 'rows in another order', left: '[{"id":"a"},{"id":"b"}]', right: '[{"id":"b"},{"id":"a"}]', wanted: ['reordered_array', '', 'low'] },
  { name: 'a value that is another', left: '{"a":"x"}', right: '{"a":"y"}', wanted: ['changed_value', '/a', 'medium'] },
]

/**
 * Puts pairs whose differences are known through the code that compares. As long as each comes out as it must, that nothing is found elsewhere
 * means something.
 *
 * @param compare the engine under control
 * @returns names of the controls that failed
 */
export const runControls = (compare: typeof compareLayers = compareLayers): string[] => CONTROLS.flatMap(({ name, left, right, wanted }) => {
  try {
    const { verdict, transitions } = compare([{ layer: 'source', text: left }, { layer: 'persisted', text: right }])
    const found = transitions.flatMap(({ differences }) => differences)
    const holds = wanted === null ? verdict === 'equal' && found.length === 0
      : verdict === 'different' && found.length === 1 && found[0]!.kind === wanted[0] && found[0]!.path === wanted[1] && found[0]!.severity === wanted[2]
    return holds ? [] : [name]
  } catch {
    return [name]
  }
})

let failed: string[] | undefined

/** The controls that failed in this process: run once, as the code that compares does not change while it runs. */
export const failedControls = (): string[] => (failed ??= runControls())
