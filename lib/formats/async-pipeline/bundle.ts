import { concatBytes } from '../../bytes/concat-bytes'
import { isTooDeep } from '../../text/json-depth'
import { limits } from '../../limits'
import { readLineText } from '../../bytes/line-text'
import { createSha256 } from '../../bytes/sha256'
import { readRunPath } from './layout'

/** A file of a run folder, with its path below it (`readRunPath`). */
export interface FolderFile {
  path: string
  bytes: Uint8Array
  /** Of a log: bytes in front of these that were not read. */
  cutBytes?: number
}

/** Key by which each element of a bundle names its run. */
export const BUNDLE_KEY = 'asyncPipelineRun'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * The files of a run as one document, a list with an element for each: what the tool took out of one of them is only found beside the others. A JSON
 * file is in it byte for byte, a text as a string, a patch as base64, because nothing of it may change. The same files give the same bytes.
 *
 * @param run name of the folder; the id in the record counts above it
 */
export function bundleRun(run: string, files: readonly FolderFile[]): Uint8Array {
  const ordered = [...files].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
  let room =
    limits.runBundleBytesMax - ordered.reduce((sum, file) => sum + (isLog(file) ? 0 : file.bytes.length), 0)
  const parts: Uint8Array[] = [encode('[')]
  for (const [i, file] of ordered.entries()) {
    parts.push(
      encode(
        `${i === 0 ? '' : ','}\n{"${BUNDLE_KEY}":${JSON.stringify(run)},"file":${JSON.stringify(file.path)},`,
      ),
    )
    const kept =
      isLog(file) && file.bytes.length > room
        ? file.bytes.subarray(file.bytes.length - Math.max(room, 0))
        : file.bytes
    if (isLog(file)) room -= kept.length
    parts.push(...content(file, kept), encode('}'))
  }
  parts.push(encode('\n]\n'))
  return concatBytes(parts)
}

const isLog = ({ path }: FolderFile): boolean => readRunPath(path).kind === 'log'
const rank = ({ path }: FolderFile): number => (readRunPath(path).kind === 'execution' ? 0 : 1)

function content({ path, bytes, cutBytes = 0 }: FolderFile, kept: Uint8Array): Uint8Array[] {
  const { kind } = readRunPath(path)
  if (kind === 'fix' || kind === 'output') return [encode(`"base64":"${base64(bytes)}"`)]
  const line = readLineText(kept)
  if (
    line.isUtf8 &&
    (kind === 'execution' || kind === 'context' || kind === 'outputs') &&
    isJsonObject(line.text)
  )
    return [encode('"json":'), kept]
  const lines =
    kind === 'transcript' && line.isUtf8 ? line.text.split('\n').filter((one) => one.trim() !== '') : []
  if (lines.length > 0 && lines.every(isJsonObject))
    return [encode(`"lines":[${lines.map((one) => `\n${one}`).join(',')}\n]`)]
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept)
  // What is no UTF-8 cannot be in JSON: the digest says what it was.
  const was = line.isUtf8 ? '' : `,"sha256":"${sha256(kept)}"`
  const missing = cutBytes + bytes.length - kept.length
  const cut = missing > 0 ? `,"cutBytes":${missing}` : ''
  return [encode(`"text":${JSON.stringify(text)}${was}${cut}`)]
}

function isJsonObject(text: string): boolean {
  if (isTooDeep(text, limits.jsonDepthMax - 3)) return false
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function sha256(bytes: Uint8Array): string {
  const hash = createSha256()
  hash.update(bytes)
  return hash.hex()
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
