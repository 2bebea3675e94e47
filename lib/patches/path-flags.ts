import { bytesOf, type ByteText } from './bytes'
import type { FlagCode } from './flag-catalogue'
import { isNtfsDotGit } from './verify-path'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Names that Windows keeps for devices, whatever ending they have; `nul.js` is a recorded case that is safe. */
const DEVICE = /^(?:(?:con|prn|aux|com[0-9]|lpt[0-9]|conin\$|conout\$)(?:\.|$)|nul$)/i
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
    ['path-traversal', components.some((one) => one === '..' || one === '.') || path.split(/[\\/]/).includes('..')],
    ['path-dotgit', path.split(/[\\/]/).some((one) => isNtfsDotGit(one))],
    ['path-windows-drive', /^[A-Za-z]:/.test(path)],
    ['path-backslash', path.includes('\\')],
    ['path-windows-reserved', components.some((one, i) => DEVICE.test(one) || one.replace(i === 0 ? /^[A-Za-z]:/ : '', '').includes(':') || (/[. ]$/.test(one) && one !== '.' && one !== '..'))],
    ['path-control-character', /[\x00-\x1f\x7f]/.test(path) || (text !== null && /[\u0080-\u009f]/.test(text))],
    ['path-not-utf8', text === null],
    ['path-markup', /[<>]/.test(path)],
    ['path-bidi', text !== null && BIDI.test(text)],
    ['path-too-long', path.length > PATH_BYTES_MAX || components.some((one) => one.length > COMPONENT_BYTES_MAX)],
    ['path-leading-dash', path.startsWith('-')],
    ['path-shell-metacharacter', /[\s$`"'|&;()*?!#~[\]{}<>^%\\]/.test(path)],
    ['path-confusable', text !== null && text.split('/').some(isConfusable)],
    ['git-metadata-file', /^\.git(?:modules|attributes)$/i.test(components.at(-1)!)],
  ]
  return rules.flatMap(([code, holds]) => (holds ? [code] : []))
}

/** Marks that change the direction of the text behind them. */
export const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Latin beside letters of scripts that look like it. */
const isConfusable = (component: string): boolean => /\p{Script=Latin}/u.test(component) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(component)
