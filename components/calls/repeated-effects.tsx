import { Repeat2 } from 'lucide-react'
import Link from 'next/link'
import { useId } from 'react'
import type { ExecutionDetail } from '@/lib/api/schemas'
import type { ChainedAttempt } from '@/lib/views/attempts/chained-attempts'
import { links } from '@/lib/links'
import { REPEAT_RULE_WORDS } from '@/lib/words/receipts'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import type { RepeatRule } from '@/lib/model/silence'
import type { ExecutionChain } from '@/lib/views/attempts/chain'

type Effect = ExecutionChain['repeatedEffects'][number]

const SHOWN_AT_FIRST = 6
const KIND_WORDS: Record<Effect['kind'], string> = { file: 'changed', command: 'ran', tool: 'called' }

/** What a later attempt did once more: a message that was sent again was read twice. */
export function RepeatedEffects({
  chain: { repeatedEffects, effectsCut },
  attempts,
}: {
  chain: ExecutionChain
  attempts: readonly ChainedAttempt[]
}) {
  const heading = useId()
  if (repeatedEffects.length === 0 && !effectsCut) return null
  const rest = repeatedEffects.slice(SHOWN_AT_FIRST)
  return (
    <section aria-labelledby={heading} className="border-t border-line px-3 py-2.5">
      <h3 id={heading} className="flex flex-wrap items-center gap-x-1.5 text-sm font-medium text-ink-3">
        <Repeat2 size={14} aria-hidden className="text-warn" /> Repeated by a later attempt{' '}
        <span className="font-normal">{basisOf(repeatedEffects)}</span>
      </h3>
      {repeatedEffects.length === 0 && <p className="mt-1 text-sm text-ink-2">None in the loaded calls.</p>}
      <EffectList effects={repeatedEffects.slice(0, SHOWN_AT_FIRST)} attempts={attempts} />
      {rest.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer text-sm text-ink-2">{formatCount(rest.length)} more</summary>
          <EffectList effects={rest} attempts={attempts} />
        </details>
      )}
      {effectsCut && <p className="mt-1 text-sm text-ink-3">List truncated.</p>}
    </section>
  )
}

const basisOf = (effects: readonly Effect[]): string =>
  effects.some(({ done }) => done.some(({ basis }) => basis === 'asserted'))
    ? 'from receipts with the same parameters, else inferred from call inputs'
    : 'inferred from inputs of successful calls'

function ReceiptLink({
  executionId,
  receipt: { key, sequence },
}: {
  executionId: string
  receipt: { key: string | null; sequence: number | null }
}) {
  const says = `receipt ${sequence ?? '(no number)'}`
  return (
    <>
      {', '}
      {key === null ? (
        says
      ) : (
        <Link
          href={links.execution(executionId, 'receipts', { receipt: key })}
          prefetch={false}
          className="link"
        >
          {says}
        </Link>
      )}
    </>
  )
}

function timesOf(calls: ExecutionDetail['repeats'][number]['calls']): string {
  const certain = calls.filter(({ done }) => done).length
  const words = certain === 1 ? 'done once' : `done ${formatCount(certain)} times`
  return certain === calls.length
    ? words
    : `${words}, and possibly ${formatCount(calls.length - certain)} more`
}

/** What calls of this execution did more than once, or may have: without a receipt of each nobody would know. */
export function RepeatedCalls({
  execution: { id, repeats },
}: {
  execution: Pick<ExecutionDetail, 'id' | 'repeats'>
}) {
  if (repeats.length === 0) return null
  return (
    <section aria-labelledby="repeats" className="rounded border border-line bg-surface px-3 py-2.5">
      <h2 id="repeats" className="flex flex-wrap items-center gap-x-1.5 text-sm font-medium text-ink-3">
        <Repeat2 size={14} aria-hidden className="text-warn" /> Repeated in this execution{' '}
        <span className="font-normal">from receipts</span>
      </h2>
      <ul className="mt-1 space-y-1">
        {repeats.map(({ name, rule, basis, calls }) => (
          <li key={calls[0]!.callId} className="text-sm">
            <code className="font-mono wrap-anywhere">
              <VisibleText text={name} />
            </code>{' '}
            <span className="text-ink-2">
              {timesOf(calls)} ({REPEAT_RULE_WORDS[rule as RepeatRule] ?? `${rule}, ${basis}`})
            </span>
            <ul className="mt-0.5 pl-4 text-ink-2">
              {calls.map(({ callId, done, receipts }) => (
                <li key={callId} className="wrap-anywhere">
                  <Link
                    href={links.execution(id, 'calls', { call: callId })}
                    prefetch={false}
                    className="link"
                  >
                    call
                  </Link>
                  {done === null ? ' outcome unknown: no answer, or cut off' : ' succeeded'}
                  {receipts.map((receipt) => (
                    <ReceiptLink key={receipt.key ?? receipt.id} executionId={id} receipt={receipt} />
                  ))}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

function EffectList({
  effects,
  attempts,
}: {
  effects: readonly Effect[]
  attempts: readonly ChainedAttempt[]
}) {
  const placeOf = new Map(attempts.map(({ attempt, place }) => [attempt.id, place]))
  return (
    <ul className="mt-1 space-y-0.5">
      {effects.map((effect) => (
        <li key={`${effect.kind} ${effect.name}`} className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <span className="text-ink-3">{KIND_WORDS[effect.kind]}</span>{' '}
          <code className="min-w-0 font-mono wrap-anywhere">
            <VisibleText text={effect.name} />
          </code>{' '}
          <span className="flex flex-wrap gap-x-2 text-ink-2">
            {effect.done.map(
              ({ attemptId, executionId, callId, calls, done, sameInput, basis, receipts }, index) => (
                <span key={attemptId}>
                  <Link
                    href={links.execution(executionId, 'calls', { call: callId })}
                    prefetch={false}
                    className="link"
                  >
                    attempt {placeOf.get(attemptId)}
                  </Link>
                  {calls > 1 && ` ${calls} times`}
                  {done === null && ' (outcome unknown: no answer, or cut off)'}
                  {index > 0 &&
                    sameInput !== null &&
                    (sameInput ? ' with the same input' : ' with different input')}
                  {index > 0 && basis === 'asserted' && ', from receipts'}
                  {receipts.map((receipt) => (
                    <ReceiptLink key={receipt.key} executionId={receipt.executionId} receipt={receipt} />
                  ))}{' '}
                </span>
              ),
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
