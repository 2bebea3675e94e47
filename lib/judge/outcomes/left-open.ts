import type { LeftOpen } from '../../model/messages/outcome'
import { stepsOf } from '../calls/command-steps'
import type { WorkedCall } from '../calls/merge-calls'
import { workKindOf } from '../resolutions/work-kind'
import type { TurnEvent } from './ending'

const ASKS = /[?？][\s*_`)"'”’]*$/u

const isUnresolved = (a: WorkedCall): boolean => a.state === 'failed' && a.resolution?.resolution === 'unresolved'

const pushes = ({ target, looseTarget }: WorkedCall): boolean =>
  looseTarget !== null && target !== null && stepsOf(target).some(({ name }) => name === 'git push')

/**
 * What a session that ends in words of the agent leaves open: a push that was refused, a change of a file that did
 * not apply, or a question in answer to a prompt for which nothing was changed. Null: nothing that its records show.
 *
 * @param events of the strongest channel, in order
 */
export function leftOpen(events: readonly TurnEvent[], calls: ReadonlyMap<string, WorkedCall>): LeftOpen | null {
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
  const prompt = events.findLastIndex(({ kind }) => kind === 'prompt')
  const turn = events.slice(prompt + 1)
  const text = turn.findLast(({ said }) => said !== undefined)?.said?.tail ?? ''
  const changed = turn
    .flatMap(({ callIds }) => callIds)
    .flatMap((id) => calls.get(id) ?? [])
    .some((a) => a.state === 'succeeded' && ['edit', 'command'].includes(workKindOf(a)))
  return ASKS.test(text.trimEnd()) && !changed ? 'question' : null
}
