/** What stands behind the address of a server where people copy it from a call. */
const API_PATH = /\/api(?:\/executions)?\/*$/

/**
 * The address of a server as it was typed: origin and path, with a slash at its end. Everything that is fetched lies below it.
 *
 * @returns why it cannot be one, in a sentence
 */
export function readBaseUrl(text: string): { url: string } | { trouble: string } {
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return { trouble: 'Not a valid URL. Example: https://noetl.example or http://127.0.0.1:8082.' }
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { trouble: 'Only http and https are supported.' }
  if (url.username !== '' || url.password !== '')
    return { trouble: 'Put credentials in the header, not in the address.' }
  if (url.search !== '' || url.hash !== '') return { trouble: 'Remove everything from ? or # on.' }
  const path = url.pathname.replace(API_PATH, '').replace(/\/+$/, '')
  return { url: `${url.origin}${path}/` }
}

/** Whether an address lies below the one that was configured. */
export const isBelow = (url: URL, base: URL): boolean =>
  url.origin === base.origin && url.pathname.startsWith(base.pathname)
