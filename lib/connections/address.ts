import type { AddressTrouble } from '../model/messages/connections'

/** What is behind the address of a server where people copy it from a call. */
const API_PATH = /\/api(?:\/executions)?\/*$/

/**
 * The address of a server as it was typed: origin and path, with a slash at its end. Everything that is fetched lies below it.
 *
 * @returns why it cannot be one
 */
export function readBaseUrl(text: string): { url: string } | { trouble: AddressTrouble } {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return trouble('not_a_url')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return trouble('other_scheme')
  if (url.username !== '' || url.password !== '') return trouble('has_credentials')
  if (url.search !== '' || url.hash !== '') return trouble('has_query')
  const path = url.pathname.replace(API_PATH, '').replace(/\/+$/, '')
  return { url: `${url.origin}${path}/` }
}

const trouble = (id: AddressTrouble['id']): { trouble: AddressTrouble } => ({ trouble: { id, params: {} } })

/** Whether an address lies below the one that was configured. */
export const isBelow = (url: URL, base: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname)
