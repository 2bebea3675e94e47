import { clipStart, timeOf } from '../claude/text'
import { capText } from '../../text/cap-text'
import { spanOf, wholeSpan, type Path } from '../claude/span'
import { flagAt, listAt, numberAt, objectAt, textAt, type JsonObject, type Notes } from '../claude/wire'
import { limits } from '../../limits'
import type { ContextPackFact, InputDiff } from '../../model/pipeline-facts'
import type { LineInput } from '../../model/adapter'

const PATHS_MAX = 200
const PATH_CHARS = 1_000
const CLAIMS_MAX = 100
/** The tool keeps so many UTF-16 units of the end of a log, and may cut a pair of them in two. */
const TAIL_CHARS = 4_096

/** A failure context pack, at `at` in the record. */
export function readContext(record: JsonObject, line: LineInput, at: Path, notes: Notes): ContextPackFact {
  const text = (key: string, max: number): string | null => {
    const found = textAt(record, key, notes)
    return found === null ? null : capText(found, max)
  }
  const tail = textAt(record, 'logTail', notes)
  const attempts = numberAt(record, 'attempts', notes)
  return {
    task: text('task', 300) ?? '',
    error: text('error', limits.errorTextCharsMax),
    attempts: attempts === null ? null : Math.round(attempts),
    cacheKey: text('cacheKey', 128),
    reproduce: text('reproduce', 1_000),
    logTail: tail === null ? null : clipStart(tail, TAIL_CHARS),
    inputDiff: inputDiff(objectAt(record, 'inputDiff', notes), notes),
    claims: (listAt(record, 'claims', notes) ?? [])
      .filter((one) => typeof one === 'string')
      .slice(0, CLAIMS_MAX)
      .map((one) => capText(one, 300)),
    span: 'error' in record ? spanOf(line, [...at, 'error']) : wholeSpan(line),
  }
}

function inputDiff(diff: JsonObject | null, notes: Notes): InputDiff | null {
  if (diff === null) return null
  if (flagAt(diff, 'baselineMissing', notes) === true)
    return { baseline: null, added: [], removed: [], changed: [], leftOut: 0 }
  let leftOut = 0
  const paths = (key: string): string[] => {
    const all = (listAt(diff, key, notes) ?? []).filter((one) => typeof one === 'string')
    leftOut += Math.max(0, all.length - PATHS_MAX)
    return all.slice(0, PATHS_MAX).map((one) => capText(one, PATH_CHARS))
  }
  const key = textAt(diff, 'baselineCacheKey', notes)
  const baseline = {
    cacheKey: key === null ? null : capText(key, 128),
    recordedAt: timeOf(textAt(diff, 'baselineRecordedAt', notes)),
  }
  const [added, removed, changed] = [paths('added'), paths('removed'), paths('changed')]
  return { baseline, added, removed, changed, leftOut }
}
