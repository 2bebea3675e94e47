/** The cursor that a reader sent is not one of ours, or belongs to another list. */
export class BadCursorError extends Error {
  override name = 'BadCursorError'
}

/** Spells a position in a list: opaque to readers, who only send it back. */
export const formatCursor = (list: string, ...keys: (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...keys])).toString('base64url')

type KeyType = 'time' | 'uuid' | 'int' | 'text'
const KEY_CHECKS: Record<KeyType, (key: unknown) => boolean> = {
  time: (key) => typeof key === 'string' && /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(key),
  uuid: (key) => isUuid(key),
  int: (key) => Number.isSafeInteger(key) && (key as number) >= -1,
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
    throw new BadCursorError('The cursor could not be read', { cause })
  }
  if (
    !Array.isArray(value) ||
    value[0] !== list ||
    value.length !== types.length + 1 ||
    !types.every((type, i) => KEY_CHECKS[type](value[i + 1]))
  )
    throw new BadCursorError(`The cursor does not belong to this list (${list})`)
  return value.slice(1) as (string | number)[]
}

/** Whether a text can be compared with a `uuid` column at all. */
export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)
