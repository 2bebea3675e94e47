import { createHash } from 'node:crypto'
import type { Pointer } from '@/lib/model/execution'
import type { LinkRules } from '@/lib/model/messages/links'
import type { Call } from '@/lib/model/summary'
import type { Scalar, Value } from './vocabulary'

/** Stands for a text that belongs to somebody else. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
export const digestOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : digest(text)

/** `digest:start-end#/json/pointer`. The whole digest of the bytes is in the part that holds them. */
export function pointerText(pointer: Pointer | null | undefined): string | null {
  if (!pointer) return null
  const { received, byteStart, byteEnd, jsonPointer } = pointer
  const inside = jsonPointer === undefined ? '' : `#${jsonPointer}`
  return `${received.slice(0, 12)}:${byteStart}-${byteEnd}${inside}`
}

/** A short code as it is, anything else as its digest: a value of a source may be either. */
export const codeOrDigest = (text: string): string =>
  /^[\w./:-]{0,40}$/.test(text) ? text : `#${digest(text)}`

/** A phrase that serves as an id today, spelled as one. */
export const slug = (phrase: string): string =>
  phrase
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')

/** The rule of a link as it was first recorded: a phrase, and the number of the attempt where its source counts. */
export function linkCode({ linkRule, linkParams }: Pick<Call, 'linkRule' | 'linkParams'>): string | null {
  if (linkRule === 'same_first_words') return 'same_first_words_of_the_command'
  if (linkRule !== 'counted') return linkRule
  const { attempt, max } = linkParams as LinkRules['counted']
  return max === null ? `attempt_${attempt}` : `attempt_${attempt}_of_${max}`
}

export interface RetryCodes {
  runRetry: string | null
  callRetry: string | null
  recoveredBy: string | null
  afterOtherWork: boolean | null
}

/** The retry verdicts of an advice; nulls where there is none. */
export const retryCodes = (advice: Partial<RetryCodes> | null | undefined): RetryCodes => ({
  runRetry: advice?.runRetry ?? null,
  callRetry: advice?.callRetry ?? null,
  recoveredBy: advice?.recoveredBy ?? null,
  afterOtherWork: advice?.afterOtherWork ?? null,
})

/** Members of an answer whose texts are codes of a closed list. */
const CODED_MEMBERS = [
  'state',
  'outcome',
  'label',
  'shape',
  'verdict',
  'status',
  'subtype',
  'reason',
  'kind',
  'severity',
  'category',
  'agent_status',
  'next_step',
  'raises',
  'failed_checks',
  'missing',
  'problems',
  'issues',
  'code',
  'type',
  'from',
  'to',
  'worst',
  'path',
  'signal',
]
const CODED = new RegExp(`(?:^|[/_])(?:${CODED_MEMBERS.join('|')})(?:/|$)`)

/**
 * Any value as a flat map from JSON pointer to code, number or digest; lists are counted where they are
 * long.
 */
export function flatAnswer(value: unknown): Value {
  const flat: Record<string, Scalar> = {}
  const add = (at: string, one: unknown): void => {
    if (Array.isArray(one)) {
      if (one.length === 0) flat[at] = '[]'
      if (one.length > LISTED_MAX) flat[`${at}/length`] = one.length
      for (const [i, item] of one.slice(0, LISTED_MAX).entries()) add(`${at}/${i}`, item)
    } else if (typeof one === 'object' && one !== null) {
      if (!isPlain(one)) flat[at] = codeOrDigest(String(one))
      else if (Object.keys(one).length === 0) flat[at] = '{}'
      else
        for (const key of Object.keys(one).sort()) add(`${at}/${key}`, (one as Record<string, unknown>)[key])
    } else if (typeof one === 'string') flat[at] = CODED.test(at) ? codeOrDigest(one) : `#${digest(one)}`
    else if (typeof one === 'bigint') flat[at] = `${one}n`
    else if (one !== undefined) flat[at] = one as Scalar
  }
  add('', value)
  return flat
}

const LISTED_MAX = 40
const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
