import { isTruthy } from '@/lib/judge/decisions/python-values'
import {
  isObject,
  member,
  memberAt,
  parseExactJson,
  type ExactJson,
  type ExactObject,
} from '@/lib/text/exact-json'
import { doubleOf, isNumber } from '@/lib/text/exact-number'

/** What the first pass (a local model) said. */
export interface LocalReply {
  /** 0 to 1; what is higher or lower is cut to it, what is no number is 0. */
  confidence: number
  /** As it was said, also where it is outside of the list; `unknown` when nothing was. */
  category: string
  rootCause: string
  suggestedAction: string
  userMessage: string
  parseError: boolean
}

/** What the second pass (a remote model) said. */
export interface RemoteReply {
  source: RemoteVendor
  /** As it was said: it may lie outside of 0 to 1. */
  confidence: number
  category: string
  rootCause: string
  suggestedAction: string
  userMessage: string
  firstPassCorrect: boolean
  disagreement: string
}

export type RemoteVendor = 'openai' | 'claude'

/**
 * Reads the reply of the local model: its text, without a code fence, from the first brace to the last.
 *
 * @see docs/parity.md#diagnosis
 */
export function parseLocalReply(reply: unknown): LocalReply {
  const text = replyText(reply)
  // A fence can be among prose; and what looks like one can be in a text of the reply.
  const said =
    text === null
      ? null
      : (readObject(betweenBraces(withoutFence(text))) ?? readObject(betweenBraces(insideFence(text))))
  return {
    confidence: Math.min(Math.max(numberOf(member(said, 'confidence')) ?? 0, 0), 1),
    category: textOf(said, 'category') || 'unknown',
    rootCause: textOf(said, 'root_cause'),
    suggestedAction: textOf(said, 'suggested_action'),
    userMessage: textOf(said, 'user_message'),
    parseError: said === null,
  }
}

/**
 * Reads the body of a remote model's reply as the step of the source does. What is no JSON says nothing, with confidence 0.
 *
 * @returns `raises`: the step fails, since the confidence is no number
 */
export function parseRemoteReply(
  vendor: RemoteVendor,
  body: unknown,
): { result: RemoteReply } | { raises: 'ValueError' | 'TypeError' } {
  const document = typeof body === 'string' ? readObject(body) : body
  const text = vendor === 'openai' ? firstChoice(document) : firstText(document)
  const said = text === null ? null : readObject(vendor === 'openai' ? text : withoutFence(text))
  const raw = member(said, 'confidence') ?? null
  const confidence = !isTruthy(raw) ? 0 : raw === true ? 1 : numberOf(raw)
  if (confidence === null) return { raises: typeof raw === 'string' ? 'ValueError' : 'TypeError' }
  return {
    result: {
      source: vendor,
      confidence,
      category: textOf(said, 'category') || 'unknown',
      rootCause: textOf(said, 'root_cause'),
      suggestedAction: textOf(said, 'suggested_action'),
      userMessage: textOf(said, 'user_message'),
      firstPassCorrect: isTruthy(member(said, 'first_pass_correct')),
      disagreement: textOf(said, 'disagreement'),
    },
  }
}

function replyText(reply: unknown): string | null {
  const content = member(reply, 'content')
  const texts = [
    Array.isArray(content) ? member(content[0], 'text') : undefined,
    member(reply, 'text'),
    member(reply, 'message'),
    reply,
  ]
  return (texts.find((text) => typeof text === 'string' && text !== '') as string | undefined) ?? null
}

function firstChoice(document: unknown): string | null {
  const choices = member(document, 'choices')
  const text = Array.isArray(choices) ? memberAt(choices[0], 'message', 'content') : undefined
  return typeof text === 'string' ? text : null
}

function firstText(document: unknown): string | null {
  const content = member(document, 'content')
  const block = Array.isArray(content) ? content.find((one) => member(one, 'type') === 'text') : undefined
  const text = member(block, 'text')
  return typeof text === 'string' ? text : null
}

function withoutFence(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```')) return trimmed
  const line = trimmed.indexOf('\n')
  const body = line === -1 ? trimmed.slice(3) : trimmed.slice(line + 1)
  return (body.endsWith('```') ? body.slice(0, -3) : body).trim()
}

/** What is between the first two fences. */
function insideFence(text: string): string {
  const open = text.indexOf('```')
  const close = open === -1 ? -1 : text.indexOf('```', open + 3)
  return close === -1 ? '' : text.slice(open + 3, close)
}

function betweenBraces(text: string): string {
  const open = text.indexOf('{')
  return open === -1 ? '' : text.slice(open, text.lastIndexOf('}') + 1)
}

function readObject(text: string): ExactObject | null {
  const read = parseExactJson(text)
  return read.ok && isObject(read.value) ? read.value : null
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** The number that a value says, a decimal number in quotes among them; null for everything else. */
function numberOf(value: ExactJson | undefined): number | null {
  if (isNumber(value)) return doubleOf(value)
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : null
}

const textOf = (value: unknown, key: string): string => {
  const text = member(value, key)
  return typeof text === 'string' ? text : ''
}
