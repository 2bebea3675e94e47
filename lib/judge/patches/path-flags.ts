import { bytesOf, type ByteText } from './bytes'
import type { FlagCode } from '../../model/flags'
import { asHfsReads, hasBidi, hasInvisible } from './hidden-marks'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Names that Windows keeps for devices, whatever ending they have; `nul.js` is a recorded case that is safe. */
const DEVICE = /(?:^|\/)(?:(?:con|prn|aux|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\.|\/|$)|nul(?:\/|$))/i
/** A name that ends in a dot or a blank, and is not `.` or `..`. */
const DROPPED_END = /(?: |[^/.]\.|[^/]\.\.)(?:\/|$)/
const UPWARDS = /(?:^|\/)\.(?:\/|$)|(?:^|[\\/])\.\.(?:[\\/]|$)/
/** The same as NTFS spells it: with what it drops at the end, and in short. */
const DOT_GIT = /(?:^|[\\/])(?:\.git|git~1)[ .]*(?:$|[:\\/])/i
const COMPONENT_BYTES_MAX = 255
/** Systems take 4,095 with the folder in front of it; a recorded case of 4,025 is too long. */
const PATH_BYTES_MAX = 4000

/** A path as text; null when it is not UTF-8. */
export function pathText(path: ByteText): string | null {
  try {
    return utf8.decode(bytesOf(path))
  } catch {
    return null
  }
}

/** What is wrong with a path, whichever system it is written on. Stricter than git on purpose: see docs/patches.md#flags. */
export function pathFlags(path: ByteText): FlagCode[] {
  const text = pathText(path)
  const components = path.split('/')
  const rules: [FlagCode, boolean][] = [
    ['path-absolute', path.startsWith('/')],
    ['path-traversal', UPWARDS.test(path)],
    ['path-dotgit', DOT_GIT.test(text === null ? path : asHfsReads(text))],
    ['path-windows-drive', /^[A-Za-z]:/.test(path)],
    ['path-backslash', path.includes('\\')],
    [
      'path-windows-reserved',
      DEVICE.test(path) || path.replace(/^[A-Za-z]:/, '').includes(':') || DROPPED_END.test(path),
    ],
    [
      'path-control-character',
      /[\x00-\x1f\x7f]/.test(path) || (text !== null && (/[\u0080-\u009f]/.test(text) || hasInvisible(text))),
    ],
    ['path-not-utf8', text === null],
    ['path-markup', /[<>]/.test(path)],
    ['path-bidi', text !== null && hasBidi(text)],
    [
      'path-too-long',
      path.length > PATH_BYTES_MAX || components.some((one) => one.length > COMPONENT_BYTES_MAX),
    ],
    ['path-leading-dash', path.startsWith('-')],
    ['path-shell-metacharacter', /[\s$`"'|&;()*?!#~[\]{}<>^%\\]/.test(path)],
    ['path-confusable', text !== null && text.length < path.length && text.split('/').some(isConfusable)],
    ['git-metadata-file', /^\.git(?:modules|attributes)$/i.test(components.at(-1)!)],
  ]
  return rules.flatMap(([code, holds]) => (holds ? [code] : []))
}

/** What is wrong with the beginning of a name as it is written, though git takes its first folder off. */
export const firstFolderFlags = (written: ByteText): FlagCode[] =>
  written.startsWith('/')
    ? ['path-absolute']
    : /^\.\.[\\/]/.test(written)
      ? ['path-traversal']
      : /^[A-Za-z]:[\\/]/.test(written)
        ? ['path-windows-drive']
        : []

/** Latin beside letters of scripts that look like it. */
const isConfusable = (component: string): boolean =>
  /\p{Script=Latin}/u.test(component) &&
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(component)
