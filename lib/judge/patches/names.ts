import { isSpace, type ByteText } from './bytes'
import { timestampLength } from './file-timestamps'

const ESCAPES: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
}

/**
 * Takes the quotes off a name: `"a/b\303\244"`. Octal escapes stand for bytes.
 *
 * @param text begins with the opening quote
 * @returns the name and the place after the closing quote; null when it is not well quoted
 */
export function unquote(text: ByteText, from = 0): { name: ByteText; end: number } | null {
  if (text[from] !== '"') return null
  const parts: string[] = []
  for (let at = from + 1, run = at; at < text.length; ) {
    const char = text[at]!
    if (char === '"') {
      parts.push(text.slice(run, at))
      return { name: parts.join(''), end: at + 1 }
    }
    if (char !== '\\') {
      at++
      continue
    }
    parts.push(text.slice(run, at))
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))
    const plain = ESCAPES[text[at + 1] ?? '']
    if (octal) parts.push(String.fromCharCode(Number.parseInt(octal[0], 8)))
    else if (plain !== undefined && text[at + 1] !== undefined) parts.push(plain)
    else return null
    at += octal ? 4 : 2
    run = at
  }
  return null
}

function withoutLineEnd(text: ByteText): ByteText {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}

/** A name ends at its first NUL, as it does for git, and slashes that follow each other are one. */
const tidy = (name: ByteText): ByteText => upToNul(name).replace(/\/{2,}/g, '/')

export function upToNul(text: ByteText): ByteText {
  const nul = text.indexOf('\0')
  return nul === -1 ? text : text.slice(0, nul)
}

/** The quoted name without `strip` leading components; null when it is not quoted or has too few. */
function quotedName(text: ByteText, strip: number): ByteText | null {
  const found = unquote(text)
  if (found === null) return null
  let name = upToNul(found.name)
  for (let left = strip; left > 0; left--) {
    const slash = name.indexOf('/')
    if (slash === -1) return null
    name = name.slice(slash + 1)
  }
  return tidy(name)
}

/**
 * The name in a text that begins with it. Of two names that differ by an ending (`x` and `x.orig`) git takes the shorter.
 *
 * @param strip how many leading components to take off (the `-p` of git)
 * @param otherwise the name of the other side, or null
 * @param isEnd whether a character ends the name
 */
function plainName(
  text: ByteText,
  otherwise: ByteText | null,
  strip: number,
  isEnd: (char: string) => boolean,
): ByteText | null {
  let left = strip
  let start = strip === 0 ? 0 : -1
  let at = 0
  for (; at < text.length && !isEnd(text[at]!); at++) if (text[at] === '/' && --left === 0) start = at + 1
  if (start === -1 || at === start) return otherwise === null ? null : tidy(otherwise)
  const name = text.slice(start, at)
  return otherwise !== null && otherwise.length < name.length && name.startsWith(otherwise)
    ? tidy(otherwise)
    : tidy(name)
}

/** The name after `--- ` and `+++ ` of a git header: up to a tab. */
export const nameUpToTab = (text: ByteText, strip: number): ByteText | null =>
  (text.startsWith('"') ? quotedName(text, strip) : null) ??
  plainName(text, null, strip, (char) => char === '\n' || char === '\t' || char === '\r')

/** The name after `rename from ` and its like: tabs belong to it. */
export const nameUpToLineEnd = (text: ByteText, strip: number): ByteText | null =>
  (text.startsWith('"') ? quotedName(text, strip) : null) ??
  plainName(text, null, strip, (char) => char === '\n' || char === '\r')

/** The name after `--- ` and `+++ ` without a git line: a time stamp may follow. */
export function traditionalName(text: ByteText, otherwise: ByteText | null, strip: number): ByteText | null {
  const quoted = text.startsWith('"') ? quotedName(text, strip) : null
  if (quoted !== null) return quoted
  const line = upToNul(text.endsWith('\n') ? text.slice(0, -1) : text)
  const stamp = timestampLength(line)
  if (stamp === 0)
    return plainName(text, otherwise, strip, (char) => char === '\n' || char === '\t' || char === '\r')
  return plainName(line.slice(0, line.length - stamp), otherwise, strip, () => false)
}

export const isDevNull = (text: ByteText): boolean => text.startsWith('/dev/null') && isSpace(text[9])

/** Where a name without its `strip` leading components begins; -1 when it has too few or is absolute. */
function afterPrefix(text: ByteText, from: number, end: number, strip: number): number {
  if (strip === 0) return from < end && text[from] === '/' ? -1 : from
  let left = strip
  for (let at = from; at < end; at++) if (text[at] === '/' && --left <= 0) return at === from ? -1 : at + 1
  return -1
}

const withoutPrefix = (name: ByteText, strip: number): ByteText | null => {
  const from = afterPrefix(name, 0, name.length, strip)
  return from === -1 ? null : name.slice(from)
}

/**
 * The one name of a `diff --git` line, when both sides have it; null for a rename, whose names are elsewhere.
 *
 * @param line what follows `diff --git `, with its line feed
 */
export function gitLineName(line: ByteText, strip: number): ByteText | null {
  if (line.startsWith('"')) return nameAfterQuoted(line, strip)
  const end = line.length
  const from = afterPrefix(line, 0, end, strip)
  if (from === -1) return null
  const quote = line.indexOf('"', from)
  if (quote !== -1) {
    const second = unquote(line, quote)
    const name = second && withoutPrefix(second.name, strip)
    if (
      !name ||
      name.length >= quote - from ||
      !line.startsWith(name, from) ||
      !isSpace(line[from + name.length])
    )
      return null
    return upToNul(name)
  }
  const feed = line.indexOf('\n', from)
  return feed === -1 || line.slice(from, feed).includes('\0')
    ? null
    : nameStandingTwice(line, from, feed, strip)
}

/**
 * The name that is before a blank and again, after a prefix, up to the end of the line. A blank right before a slash ends
 * the search, as it does for git 2.39; from 2.45 on git goes on.
 */
function nameStandingTwice(line: ByteText, from: number, feed: number, strip: number): ByteText | null {
  let slash = -1
  for (let at = from; at < feed; at++) {
    if (line[at] !== ' ' && line[at] !== '\t') continue
    if (slash <= at) slash = line.indexOf('/', at + 1)
    const second = strip === 0 ? at + 1 : slash + 1
    if (strip === 0 ? line[at + 1] === '/' : slash === -1 || slash >= feed || slash === at + 1) return null
    const length = at - from
    // Both grow with `at`, so the names are compared once at most; past the end none can follow.
    if (second + length > feed) return null
    if (second + length === feed && line.slice(from, at) === line.slice(second, feed))
      return line.slice(from, at)
  }
  return null
}

function nameAfterQuoted(line: ByteText, strip: number): ByteText | null {
  const first = unquote(line)
  const name = first && withoutPrefix(first.name, strip)
  if (first === null || name === null) return null
  let at = first.end
  while (at < line.length && isSpace(line[at])) at++
  if (at >= line.length) return null
  if (line[at] === '"') {
    const second = unquote(line, at)
    const other = second && withoutPrefix(second.name, strip)
    return other !== null && upToNul(other) === upToNul(name) ? upToNul(name) : null
  }
  // Git counts the line feed in, so that an unquoted second name never equals a quoted first one.
  const from = afterPrefix(line, at, line.length, strip)
  return from !== -1 && line.slice(from) === name ? upToNul(name) : null
}

/**
 * Whether a git line says these two names: `a/old b/new`, each behind the part that is taken off. Where blanks are in names a line can
 * be parted in several ways, and one that fits is enough.
 *
 * @param line what follows `diff --git `
 */
export function gitLineSays(line: ByteText, strip: number, before: ByteText, after: ByteText): boolean {
  const text = withoutLineEnd(line)
  return [text, text.replace(/\/{2,}/g, '/')].some(
    (one) => standsBehindPrefix(one, strip, before) && saysInOrder(one, strip, before, after),
  )
}

const isName = (written: ByteText, strip: number, name: ByteText): boolean =>
  strip === 0 ? written === name : written.slice(written.indexOf('/') + 1) === name && written.includes('/')

const standsBehindPrefix = (text: ByteText, strip: number, name: ByteText): boolean =>
  text.startsWith('"') || text.startsWith(name, strip === 0 ? 0 : text.indexOf('/') + 1)

function saysInOrder(text: ByteText, strip: number, before: ByteText, after: ByteText): boolean {
  const first = unquote(text)
  if (first !== null && !isName(first.name, strip, before)) return false
  const end = first?.end ?? (strip === 0 ? 0 : text.indexOf('/') + 1) + before.length
  if (!isSpace(text[end])) return false
  const second = text.slice(end).replace(/^[ \t]+/, '')
  return isName(unquote(second)?.name ?? second, strip, after)
}

/** The text of a header line without quotes, before anything is taken off. */
export const writtenName = (text: ByteText): ByteText => unquote(text)?.name ?? withoutLineEnd(text)

/** Whether both names of a git line are the same as written, so that no prefix tells old from new. */
export function sameAsWritten(line: ByteText): boolean {
  const text = withoutLineEnd(line)
  if (text.startsWith('"')) {
    const first = unquote(text)
    const second = first && unquote(text, first.end + 1)
    return !!first && !!second && first.name === second.name && second.end === text.length
  }
  const middle = (text.length - 1) / 2
  return Number.isInteger(middle) && text[middle] === ' ' && text.slice(0, middle) === text.slice(middle + 1)
}
