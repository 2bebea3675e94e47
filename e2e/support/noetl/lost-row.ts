import { exactJsonText, isObject, member, memberAt, parseExactJson } from '../../../lib/text/exact-json'

/** A document of a run whose row of the end of a step lost the diagnosis that its earlier rows hold: the regression that NoETL's own check was written for. */
export function loseExitDiagnosis(document: string): string {
  const read = parseExactJson(document)
  if (!read.ok) throw new Error('no document of a run')
  const events = member(read.value, 'events')
  const errors = (Array.isArray(events) ? events : []).flatMap((row) => {
    const error = memberAt(row, 'result', 'context', 'error')
    return member(row, 'event_type') === 'step.exit' && isObject(error) && isObject(error['diagnosis'])
      ? [error]
      : []
  })
  if (errors.length === 0) throw new Error('no such row with a diagnosis')
  for (const error of errors) delete error['diagnosis']
  return exactJsonText(read.value)
}
