import { storeText } from '@/lib/words/server/store'

/** The cursor that a reader sent is not one of ours, or belongs to another list. */
export class BadCursorError extends Error {
  override name = 'BadCursorError'
}

/** Spells a position in a list: opaque to readers, who only send it back. */
export const formatCursor = (list: string, ...keys: (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...keys])).toString('base64url')

type KeyType = 'time' | 'uuid' | 'int' | 'bigint' | 'text'
const INT4_MAX = 2 ** 31 - 1
const INT8_MAX = 2n ** 63n - 1n
const KEY_CHECKS: Record<KeyType, (key: unknown) => boolean> = {
  time: (key) => isInstant(key),
  uuid: (key) => isUuid(key),
  int: (key) => Number.isSafeInteger(key) && (key as number) >= -1 && (key as number) <= INT4_MAX,
  bigint: (key) => typeof key === 'string' && /^\d{1,19}$/.test(key) && BigInt(key) <= INT8_MAX,
  text: (key) => typeof key === 'string' && !key.includes('\0'),
}

/**
 * Reads a cursor of the named list with these keys; null in, null out.
 *
 * @throws BadCursorError for anything `formatCursor` did not make for this list
 */
export function parseCursor(
  list: string,
  types: readonly KeyType[],
  cursor: string | null | undefined,
): (string | number)[] | null {
  if (cursor == null || cursor === '') return null
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (cause) {
    throw new BadCursorError(storeText.cursorMalformed, { cause })
  }
  if (
    !Array.isArray(value) ||
    value[0] !== list ||
    value.length !== types.length + 1 ||
    !types.every((type, i) => KEY_CHECKS[type](value[i + 1]))
  )
    throw new BadCursorError(storeText.cursorOfOtherList({ list }))
  return value.slice(1) as (string | number)[]
}

/** Whether a text can be compared with a `uuid` column at all. */
export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)

/** Whether a text is a time as `isoFromPostgres` writes it, and one that there is: no 30th of February, no year 0. */
export function isInstant(text: unknown): text is string {
  const [, year, rest] = (typeof text === 'string' && INSTANT.exec(text)) || []
  if (year === undefined || Number(year) === 0) return false
  // JavaScript spells years beyond 9999 with a sign and six digits.
  const iso = `${year.length === 4 ? year : `+${year.padStart(6, '0')}`}${rest}`
  const ms = Date.parse(iso)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === iso
}

const INSTANT = /^(\d{4,6})(-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/
