import { createStdoutParser, type ParsedStdout } from '../parse-stdout'
import type { Policy } from '../policies'
import type { RunContext } from '../run-evidence'
import { judgeParsed } from '../skill-result'

/** What is known of an attempt, with all that it printed. */
export interface RunEvidence extends RunContext {
  stdout: string
}

/** Output that is at hand as a whole, through the parser that reads it piece by piece. */
export function parseStdout(stdout: string): ParsedStdout {
  const parser = createStdoutParser()
  parser.push(stdout)
  return parser.finish()
}

/** An attempt whose output is at hand as a whole, judged as the product does. */
export const judgeAttempt = (
  { stdout, ...context }: RunEvidence,
  policy: Policy,
): ReturnType<typeof judgeParsed> => judgeParsed(context, parseStdout(stdout), policy)
