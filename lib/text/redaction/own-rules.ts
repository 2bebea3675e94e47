import type { JsonLeaf } from '../json-values'
import type { Finding } from './finding'

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

/** A secret key that appears as a value under its own name, where no pattern can see both. */
export function keyedSecret(text: string, leaf: JsonLeaf, path: readonly string[]): Finding | null {
  if (!leaf.isString || !/secret_?access_?key$/i.test(path.at(-1) ?? '')) return null
  const value = text.slice(leaf.start, leaf.end)
  const isSecret = /[A-Za-z0-9/+=]{40}/.test(value) && !value.includes('EXAMPLEKEY')
  return isSecret ? { rule: 'aws', start: leaf.start, end: leaf.end } : null
}

const localPart = /[\p{Script=Latin}\p{N}._%+-]{1,64}$/u
const domainPart =
  /^(?:[\p{L}\p{N}](?:[-\p{L}\p{N}]{0,61}[\p{L}\p{N}])?\.)+[A-Za-z]{2,24}(?![-\p{L}\p{N}]|\.[\p{L}\p{N}])/u
const escapeTail = /^(?:u[0-9a-fA-F]{4}|[bfnrt])/
const fileEndings = (
  'avif bmp bz2 cfg cjs class conf cpp cs css csv cts cxx dart dll doc docx dylib env exe gif go gz h hpp htm html ico ini ' +
  'ipynb jar java jpeg jpg js json jsonc jsonl jsx kt less lock log lua map mdx mjs mp3 mp4 mts ndjson otf patch pdf php ' +
  'png pptx proto sass scala scss snap sql sqlite svelte svg swift tar tgz tiff toml ts tsv tsx ttf txt vue wasm wav webm ' +
  'webp whl woff woff2 xlsx xml yaml yml'
).split(' ')
const noPersons = new Set(['git', 'hg', 'svn', 'this', 'super', 'self', 'return', 'yield', 'await'])

/**
 * Mail addresses in a text. Not one: `git@host:…` and other remote paths, users of URLs, decorators, npm scopes and versions (`a@1.2.3`),
 * pictures for fine screens (`a@2x.png`), method calls behind an `@`.
 */
export function findMails(text: string): Finding[] {
  const found: Finding[] = []
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const domain = domainPart.exec(text.slice(at + 1, at + 257))?.[0]
    if (domain === undefined) continue
    const start = startOfLocal(text, at)
    const end = at + 1 + domain.length
    if (start < at && isMail(text, start, at, domain, end)) found.push({ rule: 'mail', start, end })
  }
  return found
}

function startOfLocal(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - 64), at)
  const local = localPart.exec(before)?.[0] ?? ''
  let start = at - local.length
  if (text[start - 1] === '\\') {
    // Text that is escaped once more than it was read: the `n` of `\\nbob@…` is no part of the address.
    start += escapeTail.exec(text.slice(start, at))?.[0].length ?? 0
  }
  while (start < at && /[.%+-]/.test(text[start]!)) start++
  return start
}

function isMail(text: string, start: number, at: number, domain: string, end: number): boolean {
  const local = text.slice(start, at)
  if (noPersons.has(local)) return false
  if (/^[234]x\./.test(domain) || /^v?\d+\.(?:\d|x\b)/i.test(domain)) return false
  if (fileEndings.includes(domain.slice(domain.lastIndexOf('.') + 1).toLowerCase())) return false
  const after = text.slice(end, end + 80)
  if (/^\(|^:(?:[/~]|[\w.-]+\/)/.test(after)) return false
  return !/:\/\/[^\s/?#"'<>@\\]*$/.test(text.slice(Math.max(0, start - 256), start))
}

const begin = /-----BEGIN\s?(?:[A-Z0-9]+\s)*PRIVATE KEY(?: BLOCK)?(?:-----)?/g
const end = /-----END\s?(?:[A-Z0-9]+\s)*PRIVATE KEY(?: BLOCK)?-----/g
const KEY_CHARS_MAX = 20_000
const longRun = /[A-Za-z0-9+/]{32}/

/**
 * Private keys in PEM, also as a tool that numbers lines prints them, or cut before their end. What is between the markers
 * must look like a key, so that text about keys stays.
 *
 * @param always take whatever is between the markers (a service account file was recognised)
 */
export function findPrivateKeys(text: string, always = false): Finding[] {
  const found: Finding[] = []
  if (!text.includes('PRIVATE KEY')) return found
  begin.lastIndex = 0
  for (let open = begin.exec(text); open !== null; open = begin.exec(text)) {
    const bodyStart = open.index + open[0].length
    const stop = endOfKey(text, bodyStart)
    const body = text.slice(bodyStart, stop.bodyEnd)
    if (!always && !longRun.test(body)) continue
    found.push({ rule: 'privatekey', start: open.index, end: stop.end })
    begin.lastIndex = stop.end
  }
  return found
}

function endOfKey(text: string, bodyStart: number): { bodyEnd: number; end: number } {
  const rest = text.slice(bodyStart, bodyStart + KEY_CHARS_MAX)
  end.lastIndex = 0
  const close = end.exec(rest)
  if (close) return { bodyEnd: bodyStart + close.index, end: bodyStart + close.index + close[0].length }
  // Cut: take what can belong to a key, line numbers included, and no more.
  const body = /^[A-Za-z0-9+/=\s\\→|:,-]*/.exec(rest)![0]
  return { bodyEnd: bodyStart + body.length, end: bodyStart + body.length }
}

export const at = (rule: string, start: number, value: string): Finding => ({
  rule,
  start,
  end: start + value.length,
})

/** Keys and login tokens of the agent's own maker; the preset knows only one kind of them. */
export const findAnthropic = (text: string): Finding[] => [
  ...ranges('anthropic', text, /sk-ant-[a-z]{2,10}\d{2}-([A-Za-z0-9_-]{40,})/g, 0),
  ...ranges(
    'account',
    text,
    /anthropic-organization-id["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}([0-9a-f]{8}-?[0-9a-f-]{20,32})/gi,
    1,
  ),
]

function ranges(rule: string, text: string, pattern: RegExp, group: 0 | 1): Finding[] {
  return [...text.matchAll(pattern)].map((m) =>
    at(rule, m.index + (group === 0 ? 0 : m[0].length - m[1]!.length), m[group]!),
  )
}
