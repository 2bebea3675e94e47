import type { Finding } from './finding'
import type { JsonLeaf } from '../json-values'

const accountKey = new RegExp(
  '^(?:anthropic-organization-id|organi[sz]ation[._]?(?:uu)?id|account[._]?(?:uu)?id|' +
    'user[._]?(?:e_?mail|account_?(?:uu)?id)|e?mail_?address)$',
  'i',
)
/** What people and tools wrote, not what the producer says about the account. */
const payloadKeys = new Set([
  'message',
  'toolUseResult',
  'tool_use_result',
  'tool_input',
  'tool_response',
  'input',
  'content',
  'result',
  'structured_output',
])

/**
 * Whether a value is one that only names an account: response headers of a failed model request, organisation and account ids,
 * `user.email`. Values inside of messages, tool inputs and results are left to the other rules.
 */
export function accountFinding(leaf: JsonLeaf, path: readonly string[]): Finding | null {
  const named = accountKey.test(path.at(-1) ?? '')
  const inHeaders =
    !named &&
    path.includes('headers') &&
    path.indexOf('error') < path.indexOf('headers') &&
    path.includes('error')
  if ((!named && !inHeaders) || path.some((key) => payloadKeys.has(key))) return null
  return { rule: 'account', start: leaf.start, end: leaf.end, bare: !leaf.isString }
}

/** A secret key that stands as a value under its own name, where no pattern can see both. */
export function keyedSecret(text: string, leaf: JsonLeaf, path: readonly string[]): Finding | null {
  if (!leaf.isString || !/secret_?access_?key$/i.test(path.at(-1) ?? '')) return null
  const value = text.slice(leaf.start, leaf.end)
  const isSecret = /[A-Za-z0-9/+=]{40}/.test(value) && !value.includes('EXAMPLEKEY')
  return isSecret ? { rule: 'aws', start: leaf.start, end: leaf.end } : null
}
