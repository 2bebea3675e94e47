import { base64url } from '../../text/base64url'

/** Where a page of executions ended: the time and id of its last row. */
export interface Cursor {
  at: string
  id: string
}

const CURSOR_CHARS_MAX = 512
const BASE64URL = /^[A-Za-z0-9_-]+$/

/** An opaque text for addresses (base64url); works in browsers and Node alike. */
export function formatCursor(cursor: Cursor): string {
  return base64url(new TextEncoder().encode(JSON.stringify([cursor.at, cursor.id])))
}

/** Reads a cursor; null for anything that `formatCursor` did not write. */
export function parseCursor(text: string | null | undefined): Cursor | null {
  if (!text || text.length > CURSOR_CHARS_MAX || !BASE64URL.test(text)) return null
  try {
    const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0))
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (!Array.isArray(value) || value.length !== 2) return null
    const [at, id] = value as unknown[]
    if (typeof at !== 'string' || typeof id !== 'string' || id === '') return null
    const cursor = { at, id }
    return formatCursor(cursor) === text ? cursor : null
  } catch {
    // Not base64, not UTF-8 or not JSON: all of them are "no cursor", which the caller answers as bad-cursor.
    return null
  }
}
