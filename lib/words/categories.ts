import { codeWords } from '../text/code-words'
import type { CauseCategory } from '../model/cause-categories'

/** Each category of causes in a few words, as it is beside a sentence. */
const WORDS: Record<CauseCategory, string> = {
  agent_signal: 'declared by the agent',
  agent_failure: 'inner agent failed',
  api_error: 'model request failed',
  limit: 'limit reached',
  startup: 'never started',
  cli_error: 'CLI error',
  permission_denied: 'permission denied',
  interruption: 'interrupted',
  cut_off: 'record ends early',
  tool_failure: 'ended on a failed call',
  hook_stop: 'stopped by a hook',
  call_failures: 'failed calls along the way',
  result_unreadable: 'result unreadable',
  contract: 'unexpected result',
  process: 'process failed',
  unexplained: 'reason not recorded',
}

/** What a cause is filed under, in words; one that only a newer version knows reads as itself. */
export const categoryWords = (category: string): string =>
  (WORDS as Record<string, string | undefined>)[category] ?? codeWords(category)
