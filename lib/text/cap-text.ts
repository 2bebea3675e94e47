import { ownCopy } from './own-copy'

/** At most `charsMax` UTF-16 units of a text, without a mark where it is cut; never splits a surrogate pair. */
export function capText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text
  const last = text.charCodeAt(charsMax - 1)
  return ownCopy(text.slice(0, last >= 0xd800 && last <= 0xdbff ? charsMax - 1 : charsMax))
}

/** A text for people, at most `max` units: a longer one ends with a mark that says that it goes on. */
export const cutText = (text: string, max: number): string =>
  text.length <= max ? text : `${capText(text, max - 1)}…`
