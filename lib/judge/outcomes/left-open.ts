import type { LeftOpen } from '../../model/messages/outcome'
import { stepsOfCall } from '../calls/command-steps'
import type { WorkedCall } from '../calls/merge-calls'
import { workKindOf } from '../resolutions/work-kind'
import type { EventFacts } from '../../model/event-facts'

/** A sentence that asks, in the last paragraph of a text. */
const ASKS = /[?？](?=[\s*_`)"'”’]|$)/u
const lastParagraph = (text: string): string =>
  text
    .trimEnd()
    .split(/\n\s*\n/)
    .at(-1) ?? ''

const isUnresolved = (a: WorkedCall): boolean =>
  a.state === 'failed' && a.resolution?.resolution === 'unresolved'

const pushes = (a: WorkedCall): boolean => stepsOfCall(a).some(({ name }) => name === 'git push')

/**
 * What a session that ends in words of the agent leaves open: a push that was refused, a change of a file that did
 * not apply, or a question to the person. Null: nothing that its records show.
 *
 * @param events of the strongest channel, in order
 */
export function leftOpen(
  events: readonly Pick<EventFacts, 'said'>[],
  calls: ReadonlyMap<string, WorkedCall>,
): LeftOpen | null {
  const made = [...calls.values()]
  const lastPush = made.findLast(pushes)
  if (lastPush !== undefined && isUnresolved(lastPush)) return 'push'
  const lastEdit = made.findLast((a) => workKindOf(a) === 'edit')
  if (
    lastEdit !== undefined &&
    isUnresolved(lastEdit) &&
    made.some((a) => a.state === 'succeeded' && workKindOf(a) === 'edit')
  )
    return 'edit'
  const text = events.findLast(({ said }) => said !== undefined)?.said?.tail ?? ''
  return ASKS.test(lastParagraph(text)) ? 'question' : null
}
