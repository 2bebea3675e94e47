import { memoize } from '../../text/memoize'
import { stepsOfCall } from '../calls/command-steps'
import type { WorkedCall } from '../calls/merge-calls'

/** Words of command lines that name no subject. */
const GENERAL: ReadonlySet<string> = new Set([
  'exec',
  'run',
  'test',
  'build',
  'check',
  'list',
  'show',
  'view',
  'status',
  'main',
  'head',
  'origin',
  'type',
  'name',
  'path',
  'file',
  'files',
  'json',
  'true',
  'false',
  'null',
  'dev',
  'src',
  'lib',
  'home',
  'users',
  'work',
  'repo',
  'repos',
])
const SUBJECT_WORDS_MAX = 12
const CHARS_READ = 8_000

/**
 * Words by which a later call can be recognised as being about the same thing: of a path its last two names, of a
 * command the words of its last step without program and options.
 */
export function subjectOf(call: WorkedCall): string[] {
  const { target, looseTarget } = call
  if (target === null) return []
  const words = looseTarget === null ? [target] : (stepsOfCall(call).at(-1)?.text.split(' ').slice(1) ?? [])
  const found = new Set<string>()
  for (const word of words) {
    if (word.startsWith('-')) continue
    const plain = word.replace(/^["'(]+|["')]+$/g, '')
    const names = /[\\/]/.test(plain)
      ? plain
          .split(/[\\/]/)
          .filter((name) => name !== '')
          .slice(-2)
      : plain.split(/[^A-Za-z0-9]+/)
    for (const name of names) {
      const bare = name.replace(/[*?]/g, '').toLowerCase()
      if (bare.length >= 2 && !GENERAL.has(bare) && !/^\d+$/.test(bare)) found.add(bare)
    }
    if (found.size >= SUBJECT_WORDS_MAX) break
  }
  return [...found]
}

const textOf = memoize(({ target }: WorkedCall) => (target ?? '').slice(0, CHARS_READ).toLowerCase())

/** Whether a call names one of these words. */
export function speaksOf(call: WorkedCall, subject: readonly string[]): boolean {
  const text = textOf(call)
  return subject.some((word) => {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      const before = text[at - 1] ?? ' '
      const behind = text[at + word.length] ?? ' '
      if (!/[a-z0-9]/.test(before) && !/[a-z0-9]/.test(behind)) return true
    }
    return false
  })
}
