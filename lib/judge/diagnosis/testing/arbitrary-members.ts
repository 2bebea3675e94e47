import fc from 'fast-check'

const keys = fc.constantFrom(
  'status',
  'framework',
  'error',
  'diagnosis',
  'data',
  'result',
  'context',
  'event_type',
  'node_name',
  'content',
  'text',
  'choices',
  'events',
  'execution_id',
  'event_id',
  '__proto__',
)
const words = fc.constantFrom(
  'ok',
  'error',
  'running',
  'call.done',
  'persist_diagnosis',
  'extract_envelope',
  '{"a":1}',
  '{',
)

/** Values with the members that readers of rows and envelopes look for, at any place. */
export const arbitraryMembers = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
  ),
})).value
