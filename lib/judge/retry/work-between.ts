import type { WorkBetween } from '../../model/messages/run-retry'
import { callRef, decisiveText, withoutPreparation } from '../calls/call-ref'
import type { WorkedCall } from '../calls/merge-calls'
import { CHANGES_FILES, LOOKS_AROUND } from '../calls/retry-chain'
import { messageText } from '../message-text'
import type { FailureContext } from './call-facts'

const ONLY_LOOKS = new RegExp(`${LOOKS_AROUND.source}|^git (?:status|log|diff|show|stash list)\\b`)
const CALLS_READ = 300
/** More than a sentence names, since some may read alike. */
const CALLS_LISTED = 4

/**
 * What was done between a failure and its success and may have made the difference. That it did is not recorded.
 *
 * @returns null when nothing of the kind was done
 */
export function workBetween(
  failed: WorkedCall,
  next: WorkedCall,
  { work: { calls }, saidBetween }: FailureContext,
): WorkBetween | null {
  const could: WorkedCall[] = []
  const named = namesIn(decisiveText(failed))
  /** A command that speaks of what the message names may have done it even when a later part of it failed. */
  const meant = (a: WorkedCall): boolean =>
    a.looseTarget !== null && named.some((name) => a.target?.includes(name))
  for (let i = Math.max(failed.ordinal + 1, next.ordinal - CALLS_READ); i < next.ordinal; i++) {
    const a = calls[i]!
    if (
      (a.state !== 'succeeded' && !(a.state === 'failed' && meant(a))) ||
      (a.messageId !== null && a.messageId === failed.messageId)
    )
      continue
    const command =
      a.looseTarget !== null && a.target !== null && !ONLY_LOOKS.test(withoutPreparation(a.target))
    const sameFile = a.target !== null && a.target === failed.target
    if (CHANGES_FILES.has(a.tool) || command || sameFile) could.push(a)
  }
  const said = saidBetween(failed, next)
  if (could.length === 0 && said === null) return null
  // What touches the same file, or what the message names, first; then what came last.
  const likely = could.filter((a) => a.target === failed.target || meant(a))
  const distinct = new Map<string, WorkedCall>()
  for (const a of [...likely, ...could.toReversed()]) {
    const key = JSON.stringify([a.tool, a.target, a.state])
    if (!distinct.has(key)) distinct.set(key, a)
  }
  return {
    said: messageText(said),
    calls: [...distinct.values()]
      .slice(0, CALLS_LISTED)
      .map((a) => ({ call: callRef(a), failed: a.state === 'failed' })),
    total: could.length,
  }
}

/** Last parts of the paths in a message: `impl-context` of `.erk/impl-context/ still present`. */
const namesIn = (message: string): string[] =>
  [...message.matchAll(/[\w.@~-]{0,100}(?:\/[\w.@~-]{1,100}){1,30}\/?/g)]
    .map(([path]) => path.split('/').findLast((part) => part !== '')!)
    .filter((name) => name.length >= 4)
