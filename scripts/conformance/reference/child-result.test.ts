import { expect, test } from 'vitest'
import type { ExactJson } from '@/lib/text/exact-json'
import { terminalResultOfChild } from './child-result'

const kept = (
  node_name: string,
  event_type: string,
  context: ExactJson,
  event_id: ExactJson = null,
): ExactJson => ({ node_name, event_type, event_id, result: { context } })

test.each<[string, ExactJson[], ExactJson]>([
  [
    'the last completing step counts',
    [
      kept('a', 'call.done', { n: 1 }, '620356925057663015'),
      kept('b', 'step.exit', { n: 2 }, '620356925057663016'),
      kept('end', 'step.exit', { n: 3 }, '720356925057663016'),
    ],
    { n: 2 },
  ],
  ['a failing one does not', [kept('a', 'call.error', { n: 1 }, 1)], null],
  [
    'flattened fields are folded back',
    [kept('a', 'call.done', { data_ok: true, _meta_tool: 'x', status: 'ok', isError: false, other: 1 }, 1)],
    { ok: true, _mcp_status: 'ok', isError: false, _meta: { tool: 'x' } },
  ],
  [
    'without data the rest stays',
    [kept('a', 'call.done', { _meta_tool: 'x', _meta: { a: 1 }, n: 1 }, 1)],
    { n: 1, _meta: { a: 1, tool: 'x' } },
  ],
  ['control data wins', [kept('a', 'call.done', { control_data: { a: 1 }, data_ok: true }, 1)], { a: 1 }],
  ['what is no object is nothing', [kept('a', 'call.done', 'x', 1)], null],
])('of a child %s', (_, rows, data) => expect(terminalResultOfChild(rows)).toEqual(data))
