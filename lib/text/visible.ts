/**
 * Text of agents and tools is hostile until shown otherwise: nothing in it may move the cursor, colour a terminal,
 * turn the reading direction or hide. Such characters are replaced by marks that can be seen.
 */

// Marks that change the reading direction, hide, or join in ways a reader cannot see; U+FEFF and the line separators too.
const UNSEEN =
  /[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g
const CONTROL_C1 = /[\u0080-\u009f]/g
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const codePoint = (text: string): string =>
  `⟨U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`

/**
 * Makes every character that a reader could not see, or that could act on a screen, visible: ESC → `␛`, NUL → `␀`, DEL → `␡`,
 * bidi and zero-width marks → `⟨U+202E⟩`. Line feeds and tabs stay; a carriage return before a line feed is dropped.
 */
export const visible = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(LONE_SURROGATE, codePoint)
    .replace(CONTROL, (c) => (c === '\u007f' ? '␡' : String.fromCharCode(0x2400 + c.charCodeAt(0))))
    .replace(CONTROL_C1, codePoint)
    .replace(UNSEEN, codePoint)

// CSI sequences (colours, cursor), OSC sequences (titles, links), and single-character escapes.
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g

/** Takes terminal colours and cursor moves out, for reading a line's words; what is shown still goes through `visible`. */
export const withoutAnsi = (text: string): string => text.replace(ANSI, '')

/** `visible` on one line: runs of white space become one blank, ends are trimmed. */
export const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim())

/**
 * Cuts to at most `charsMax` UTF-16 units, at the end of a word where there is one in the last third, with `…` as the mark.
 * Never splits a surrogate pair. Text that fits comes back as it is.
 */
export function cutAtWord(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  if (charsMax <= 1) return charsMax === 1 ? '…' : ''
  let end = charsMax - 1
  const before = text.charCodeAt(end - 1)
  if (before >= 0xd800 && before <= 0xdbff) end--
  const head = text.slice(0, end)
  // A cut between a word and the blank after it already is at a word's end.
  const blank = /\s/.test(text.charAt(end)) ? end : head.search(/\s\S*$/)
  const kept = blank > end * 0.6 ? head.slice(0, blank) : head
  return `${kept.replace(/[\s,;:]+$/, '')}…`
}
