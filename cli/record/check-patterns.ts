import { compilePythonPattern } from '@/lib/judge/decisions/python-pattern'
import { recordEndText } from '@/lib/words/cli/record-end'

/**
 * What is wrong with the patterns of a contract that a run would be failed by, in words; null when all of them can be looked for. Asked
 * before the command runs: what nobody can look for is found out before an agent was paid for.
 */
export function troubleWithPatterns(patterns: readonly string[]): string | null {
  for (const source of patterns) {
    const pattern = compilePythonPattern(source)
    if (pattern.kind === 'invalid') return recordEndText.invalidPattern({ source, why: pattern.why })
    if (pattern.kind === 'engine_differs') return recordEndText.unusablePattern({ source, why: pattern.why })
  }
  return null
}
