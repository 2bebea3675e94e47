/** Marks that change the direction of the text behind them. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** Characters without a picture: zero width, fillers, tags, and selectors of a variant that are behind no character that has any. */
const INVISIBLE =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}](?<!\p{Script=Han}.)/u
/** Pictures are joined to one by a character that is then seen by what it does. */
const JOINED_PICTURES =
  /(?<=[\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu
/** What HFS+ leaves out of names before it compares them. */
const LEFT_OUT_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

export const hasBidi = (text: string): boolean => BIDI.test(text)

export const hasInvisible = (text: string): boolean =>
  INVISIBLE.test(text) && INVISIBLE.test(text.replace(JOINED_PICTURES, ''))

/** A name as HFS+ compares it, but for case. */
export const asHfsReads = (name: string): string => name.replace(LEFT_OUT_BY_HFS, '')
