/**
 * What a text must hold for a rule to find something in it: together a superset of every pattern of `rules.ts` and
 * `own-rules.ts`.
 * Several expressions around one rare character each are six times as fast as one that lists all anchors, and a character that is searched
 * for by itself, and only then looked at, several times as fast as an expression.
 */
const anchors = [
  /access_?key/i, // aws
  /hooks\.slack\.com/i,
  // account fields
  /"(?:headers"|(?:organi[sz]ation|account|user)[._]?(?:uu)?(?:id|e_?mail|account)|e?mail_?address")/i,
]
/** npm, github, linear, 1password, shopify: what is around the underscore. */
const token = /(?<=npm|gh[pousr]|lin|ops|shp(?:pa|ca|at|ss)|github_pat)_\w/y
/** anthropic, organisation headers in text, slack: what is around the dash. */
const dashed = /-(?:ant-|organization-id|(?<=x(?:ox[bpaor]|app)-))/iy
/** sendgrid, of 69 characters in all. */
const sendgrid = /SG\.(?:\w{32}|\w+\.[\w-]{32})/
const beforeAt = /:\/\/[^:/\s]+:[^@/\s]+@|x-oauth-basic@/
/** Printable ASCII and slashes written as escapes: any anchor could hide in them. */
const hiddenLetter = /\\u00[2-7]/
const hiddenSlash = /:\\+\//

/** True when a rule for secrets or account fields may find something; `false` is certain. */
export function mayHoldCredential(text: string): boolean {
  if (mayHoldToken(text) || mayHoldDashed(text)) return true
  // openai; private keys and gcp
  if (
    text.includes('T3BlbkFJ') ||
    text.includes('PRIVATE KEY') ||
    (text.includes('SG.') && sendgrid.test(text))
  )
    return true
  for (const anchor of anchors) if (anchor.test(text)) return true
  if (text.includes('@') && beforeAt.test(text)) return true
  return (
    (text.includes('\\u00') && hiddenLetter.test(text)) || (text.includes(':\\') && hiddenSlash.test(text))
  )
}

/** Underscores are many, and hardly one ends the name of a token: the two letters before it are compared first. */
function mayHoldToken(text: string): boolean {
  for (let at = text.indexOf('_', 2); at !== -1; at = text.indexOf('_', at + 1)) {
    if (!TOKEN_ENDS.has((text.charCodeAt(at - 2) << 16) | text.charCodeAt(at - 1))) continue
    token.lastIndex = at
    if (token.test(text)) return true
  }
  return text.includes('_authToken=')
}

function mayHoldDashed(text: string): boolean {
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + 1)) {
    const next = text.charCodeAt(at + 1) | 0x20
    const before = text.charCodeAt(at - 2) | 0x20
    // `-a…` and `-o…`, or `xox?-` and `xapp-`: rare beside all other dashes.
    if (next !== 0x61 && next !== 0x6f && before !== 0x78 && before !== 0x70) continue
    dashed.lastIndex = at
    if (dashed.test(text)) return true
  }
  return false
}

/** Last two letters of the names that `token` knows. */
const TOKEN_ENDS = new Set(
  ['pm', 'hp', 'ho', 'hu', 'hs', 'hr', 'in', 'ps', 'pa', 'ca', 'at', 'ss'].map(
    (ends) => (ends.charCodeAt(0) << 16) | ends.charCodeAt(1),
  ),
)

/** True when a mail address may be in the text; `false` is certain. */
export function mayHoldMail(text: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (at > 0 && !separates(text.charCodeAt(at - 1)) && dotFollows(text, at + 1)) return true
  }
  return false
}

function dotFollows(text: string, from: number): boolean {
  const until = Math.min(text.length, from + 256)
  for (let i = from; i < until; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x2e) return i > from
    // A backslash may begin an escaped letter of the host.
    if (c !== 0x5c && separates(c)) return false
  }
  return false
}

/** Blanks, quotes, brackets and slashes: no mail address holds one beside its `@`. */
function separates(c: number): boolean {
  return (
    c <= 0x24 ||
    (c >= 0x27 && c <= 0x2a) ||
    c === 0x2c ||
    c === 0x2f ||
    (c >= 0x3a && c <= 0x40) ||
    (c >= 0x5b && c <= 0x5d) ||
    c === 0x60
  )
}

/** The test that every line goes through. */
export const mayHoldSecret = (text: string): boolean => mayHoldCredential(text) || mayHoldMail(text)
