import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Input } from './inputs'

const INLINE_BYTES_MAX = 2_048
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A command that sends the request again. `$URL`, `$TOKEN` and `$COOKIE` stand for the server and who asks; a
 * body of more than 2 KiB is written into the folder.
 */
export function curlOf(
  { method, target, headers, body, as, times, atOnce }: Input,
  folder: string,
  name: string,
): string {
  const words = ['curl -sS -i -X', method]
  if (as === 'key') words.push('-H "authorization: Bearer $TOKEN"')
  if (as === 'session' && headers.cookie === undefined) words.push('-H "cookie: $COOKIE"')
  if (as === 'session' && headers.origin === undefined) words.push('-H "origin: $URL"')
  for (const [header, value] of Object.entries(headers)) words.push('-H', quoted(`${header}: ${value}`))
  if (body !== null) words.push('--data-binary @-')
  words.push('--path-as-is', `"$URL"${quoted(target)}`)
  const command = `${source(body, folder, name)}${words.join(' ')}`
  return times === 1 ? command : `${command}   # ${times} times${atOnce ? ' at once' : ''}`
}

function source(body: Uint8Array | null, folder: string, name: string): string {
  if (body === null) return ''
  if (body.length <= INLINE_BYTES_MAX) return `base64 -d <<< '${Buffer.from(body).toString('base64')}' | `
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.body`)
  writeFileSync(file, body)
  return `cat ${file} | `
}
