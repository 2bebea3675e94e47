/**
 * Where to go after signing in. Only a path of this site is taken over: `//host`, `/\host` and whole addresses,
 * which browsers would follow to another site, become the start page.
 */
export function safeNextPath(value: string | null | undefined): string {
  if (!value || !/^\/(?![/\\])/.test(value) || /[\u0000-\u001f\u007f\\]/.test(value)) return '/'
  return value
}
