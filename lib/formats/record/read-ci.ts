import { capText } from '../../text/cap-text'
import { noteWrong, numberAt, textAt, type JsonObject, type Notes } from '../claude/wire'
import type { CiRun } from '../../model/ci-run'

/** The CI run that a record names (`lib/formats/ci/ci-run.ts` made it); empty texts read as missing. */
export function readCi(ci: JsonObject | null, notes: Notes): CiRun | null {
  if (ci === null) return null
  const own: Notes = { wrong: [] }
  const text = (key: keyof CiRun): string | null => {
    const value = textAt(ci, key, own)
    return value === null || value === '' ? null : capText(value, 2_000)
  }
  const run: CiRun = {
    provider: text('provider'),
    path: text('path'),
    run: text('run'),
    attempt: numberAt(ci, 'attempt', own),
    job: text('job'),
    branch: text('branch'),
    commit: text('commit'),
    url: text('url'),
    repository: text('repository'),
  }
  for (const { path, problem } of own.wrong) noteWrong(notes, `/ci${path}`, problem)
  return run
}
