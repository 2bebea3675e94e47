const ELSEWHERE = /^\/[/\\]|[\u0000-\u001f\u007f\\]/

/**
 * Where to go after signing in, percent-encoded as a header needs it. Only a path of this site is taken over: `//host`, `/\host` and whole
 * addresses, which browsers would follow to another site, become the start page.
 */
export function safeNextPath(value: string | null | undefined): string {
  if (!value?.startsWith('/') || ELSEWHERE.test(value)) return '/'
  const { pathname, search, hash } = new URL(value, 'http://here.invalid')
  const path = `${pathname}${search}${hash}`
  // `/.//host` only becomes another host when its dots are resolved.
  return ELSEWHERE.test(path) ? '/' : path
}
