import { member, memberAt } from '../../text/exact-json'

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** Whether a value stands for a result that is kept elsewhere. */
export function isResultReference(value: unknown): boolean {
  const kind = member(value, 'kind')
  return (
    ((kind === 'temp_ref' || kind === 'result_ref') && isText(member(value, 'ref'))) ||
    isText(memberAt(value, '_ref', 'ref'))
  )
}

/** Whether a value stands for one that was too large. */
export const isTruncationStub = (value: unknown): boolean => member(value, '_truncated') === true
