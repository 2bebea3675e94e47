import type { Finding } from './finding'

const begin = /-----BEGIN\s?(?:[A-Z0-9]+\s)*PRIVATE KEY(?: BLOCK)?(?:-----)?/g
const end = /-----END\s?(?:[A-Z0-9]+\s)*PRIVATE KEY(?: BLOCK)?-----/g
const KEY_CHARS_MAX = 20_000
const longRun = /[A-Za-z0-9+/]{32}/

/**
 * Private keys in PEM, also as a tool that numbers lines prints them, or cut before their end. What stands between the markers
 * must look like a key, so that text about keys stays.
 *
 * @param always take whatever stands between the markers (a service account file was recognised)
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
