/** An http address without the name and password that may be in it; null for everything else, such as `javascript:`. */
export function httpAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.username = url.password = ''
  return url.href
}
