import type { DifferenceKind, Severity } from '../../model/parity'
import type { ControlId } from '../../model/messages/parity'
import { limits } from '../../limits'
import type { LayerInput } from './layers'

/** Two layers of a document of which it is known how they differ, or that they do not. */
export interface Control {
  id: ControlId
  left: LayerInput
  right: LayerInput
  /** Places of rows of the left layer that hold what a worker replied. */
  replies: ReadonlySet<number>
  /** What must be found and count. */
  wanted: readonly (readonly [kind: DifferenceKind, path: string, severity: Severity])[]
  /** Places that must be listed as by design, and nothing else there. */
  byDesign: readonly string[]
  /** Objects that must be pointed out as having kept their scalars alone. */
  scalarOnly: readonly string[]
  verdict: 'equal' | 'different' | 'unknown'
}

const DIAGNOSIS =
  '{"category":"auth","confidence":0.9,"root_cause":"The token of the ledger has expired, and nobody renewed it.",' +
  '"suggested_action":"Ask a@b.example.","source":"ollama","_meta":{"polls":3}}'
const ID = '620356925057663015'
const ROW = '/events/0'
const CONTEXT = `${ROW}/result/context`
const AT = `${CONTEXT}/error/diagnosis`

const error = (diagnosis: string): string =>
  `{"kind":"agent.execution","code":"PLAYBOOK_FAILED","message":"refused","retryable":false${diagnosis === '' ? '' : `,"diagnosis":${diagnosis}`}}`
const context = (diagnosis: string, more = ''): string =>
  `{"status":"error","framework":"noetl","entrypoint":"x","execution_id":"620356925057000002","error":${error(diagnosis)}${more}}`
const row = (inContext: string, more = '', id = ID): string =>
  `{"event_id":${id},"execution_id":"620356925057000001","event_type":"call.done","node_name":"ask","status":"COMPLETED","created_at":"2026-05-06T07:15:00.123456",` +
  `"result":{"status":"COMPLETED"${inContext === '' ? '' : `,"context":${inContext}`}}${more}}`
const run = (...rows: string[]): string =>
  `{"execution_id":"620356925057000001","path":"x","events":[${rows.join(',')}]}`
const ended = (diagnosis: string): string => run(row(context(diagnosis)))

const WHOLE = ended(DIAGNOSIS)
const LATER = row('{"status":"ok"}', '', '620356925057663079')

type Layers = [from: string, to: string]
const REPLIED: Layers = ['source', 'event_log']
const ASKED: Layers = ['event_log', 'api']
const TOLD: Layers = ['api', 'persisted']
const STORED: Layers = ['source', 'persisted']

type Known = Partial<Pick<Control, 'byDesign' | 'scalarOnly'>> & { isReply?: boolean }
const control = (
  id: ControlId,
  [from, to]: Layers,
  left: string,
  right: string,
  wanted: Control['wanted'],
  { byDesign = [], scalarOnly = [], isReply = false }: Known = {},
): Control => ({
  id,
  left: { layer: from, text: left },
  right: { layer: to, text: right },
  replies: new Set(isReply ? [0] : []),
  wanted,
  byDesign,
  scalarOnly,
  verdict: wanted.length === 0 ? 'equal' : 'different',
})
const notKnown = (id: ControlId, right: Omit<LayerInput, 'layer'>): Control => ({
  ...control(id, STORED, WHOLE, '', []),
  right: { layer: 'persisted', ...right },
  verdict: 'unknown',
})

/** The losses that the product exists to find, one of each kind and more, what explains a difference, and what keeps from knowing. */
export const CONTROLS: readonly Control[] = [
  control(
    'intact',
    REPLIED,
    run(row(`{"error":${error(DIAGNOSIS)},"status":"error","framework":"noetl"}`)),
    run(row(`{"framework":"noetl","status":"error","error":${error(DIAGNOSIS)}}`)),
    [],
    { isReply: true },
  ),
  control(
    'same_numbers',
    ASKED,
    run(row(context(DIAGNOSIS, ',"n":1'))),
    run(row(context(DIAGNOSIS.replace('0.9', '9e-1'), ',"n":1.0'), '', `"${ID}"`)),
    [],
  ),
  control('dropped_by_worker', REPLIED, run(row(context(DIAGNOSIS, ',"rows_of":[1]'))), WHOLE, [], {
    isReply: true,
    byDesign: [`${CONTEXT}/rows_of`],
  }),
  control(
    'masked_secret',
    ASKED,
    run(row(context(DIAGNOSIS, ',"token":"t"'))),
    run(row(context(DIAGNOSIS, ',"token":"***"'))),
    [],
    { byDesign: [`${CONTEXT}/token`] },
  ),
  control('redacted_secret', REPLIED, ended(DIAGNOSIS.replace('a@b.example', '[redacted:mail]')), WHOLE, [], {
    byDesign: [`${AT}/suggested_action`],
  }),
  control('left_out_columns', TOLD, WHOLE, run(row(context(DIAGNOSIS), ',"meta":{"attempt":2}')), [], {
    byDesign: [`${ROW}/meta`],
  }),

  control('lost_diagnosis', REPLIED, WHOLE, ended(''), [['missing', AT, 'critical']], {
    isReply: true,
    scalarOnly: [`${CONTEXT}/error`],
  }),
  control(
    'scalars_only',
    REPLIED,
    WHOLE,
    ended(DIAGNOSIS.replace(',"_meta":{"polls":3}', '')),
    [['missing', `${AT}/_meta`, 'critical']],
    { isReply: true, scalarOnly: [AT] },
  ),
  control(
    'dropped_context',
    REPLIED,
    run(row(context(DIAGNOSIS, `,"text":"${'x'.repeat(100 * 1024)}"`))),
    run(row('')),
    [['missing', CONTEXT, 'critical']],
    { isReply: true, scalarOnly: [`${ROW}/result`] },
  ),
  control('lost_row', ASKED, run(row(context(DIAGNOSIS)), LATER), run(LATER), [['missing', ROW, 'critical']]),
  control(
    'lost_attempt',
    STORED,
    run(row(context(DIAGNOSIS), ',"meta":{"attempt":2}')),
    WHOLE,
    [['missing', `${ROW}/meta`, 'medium']],
    { scalarOnly: [ROW] },
  ),
  control('added_row', ASKED, WHOLE, run(row(context(DIAGNOSIS)), LATER), [['extra', '/events/1', 'low']]),
  control('changed_value', ASKED, WHOLE, ended(DIAGNOSIS.replace('"auth"', '"infra"')), [
    ['changed_value', `${AT}/category`, 'high'],
  ]),
  control('null_diagnosis', TOLD, WHOLE, ended('null'), [['changed_type', AT, 'critical']]),
  control('cut_text', ASKED, WHOLE, ended(DIAGNOSIS.replace(', and nobody renewed it.', '...')), [
    ['truncated', `${AT}/root_cause`, 'critical'],
  ]),
  control('rounded_id', ASKED, WHOLE, run(row(context(DIAGNOSIS), '', '620356925057663000')), [
    ['precision_lost', `${ROW}/event_id`, 'critical'],
  ]),
  control('reordered_rows', ASKED, run(row(context(DIAGNOSIS)), LATER), run(LATER, row(context(DIAGNOSIS))), [
    ['reordered_array', '/events', 'low'],
  ]),
  control('wrapped_diagnosis', ASKED, WHOLE, ended(JSON.stringify(DIAGNOSIS)), [
    ['stringified_json', AT, 'critical'],
  ]),
  control('masked_diagnosis', ASKED, WHOLE, ended('"***"'), [['collapsed_object', AT, 'critical']]),
  control('redacted_diagnosis', ASKED, WHOLE, ended('"[redacted:mail]"'), [
    ['collapsed_object', AT, 'critical'],
  ]),
  control('redacted_row', STORED, WHOLE, run('"[redacted:mail]"'), [['collapsed_object', ROW, 'critical']]),
  control(
    'run_id_only',
    REPLIED,
    WHOLE,
    ended('{"execution_id":"7","status":"started"}'),
    [['dispatch_handle', AT, 'critical']],
    { isReply: true },
  ),
  control('null_and_no_key', ASKED, ended(DIAGNOSIS.replace('{', '{"model":null,')), WHOLE, [
    ['null_vs_absent', `${AT}/model`, 'low'],
  ]),

  notKnown('not_captured', { text: null }),
  notKnown('one_page', { text: WHOLE, complete: false }),
  notKnown('torn_layer', { text: WHOLE.slice(0, -1) }),
  notKnown('too_large', { text: `"${'x'.repeat(limits.parityBytesMax)}"` }),
]
