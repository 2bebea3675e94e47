import { RE2JS, RE2JSException } from 're2js'
import type { ByteText } from './bytes'
import { pathText } from './path-flags'

const PATTERNS_MAX = 500
const PATTERN_CHARS_MAX = 1_000

/**
 * Says of a path whether it is an input: `*` within a folder, `**` over folders, `?`, `[abc]`, `{a,b}`; a folder stands for what is in it,
 * and `!` takes out what patterns before it took in. Time is linear in the path, whatever the patterns.
 *
 * @returns null where patterns cannot be read: nothing can be said then
 */
export function inputMatcher(patterns: readonly string[]): ((path: ByteText) => boolean) | null {
  if (patterns.length > PATTERNS_MAX || patterns.some((one) => one.length > PATTERN_CHARS_MAX)) return null
  try {
    const rules = patterns.map((pattern) => ({
      takesOut: pattern.startsWith('!'),
      expression: RE2JS.compile(`^(?:${expressionOf(pattern.replace(/^!/, ''))})(?:/.*)?$`, RE2JS.DOTALL),
    }))
    // Patterns that only take out do so from everything.
    const all = rules.every(({ takesOut }) => takesOut)
    return (path) => {
      const text = pathText(path) ?? path
      return rules.reduce(
        (isInput, { takesOut, expression }) =>
          isInput === takesOut && expression.matches(text) ? !takesOut : isInput,
        all,
      )
    }
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

function expressionOf(pattern: string): string {
  const plain = pattern.replace(/^\.?\//, '').replace(/\/+$/, '')
  const parts = plain.split(/(\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|[{},])/)
  const hasGroups = areBalanced(parts)
  let depth = 0
  return parts
    .map((part) => {
      if (part === '**/') return '(?:.*/)?'
      if (part === '**') return '.*'
      if (part === '*') return '[^/]*'
      if (part === '?') return '[^/]'
      if (/^\[.+\]$/.test(part)) return part.replaceAll('\\', '\\\\').replace(/^\[!/, '[^')
      if (hasGroups && part === '{') depth++
      if (hasGroups && part === '}') depth--
      if (hasGroups && (part === '{' || part === '}')) return part === '{' ? '(?:' : ')'
      return depth > 0 && part === ',' ? '|' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    })
    .join('')
}

function areBalanced(parts: readonly string[]): boolean {
  let depth = 0
  for (const part of parts) {
    if (part === '{') depth++
    if (part === '}' && --depth < 0) return false
  }
  return depth === 0
}
