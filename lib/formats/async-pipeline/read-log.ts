import { timeOf } from '../claude/text'
import { capText } from '../../text/cap-text'
import { passageSpan, spanOf, wholeSpan } from '../claude/span'
import { asObject, flagAt, numberAt, textAt, type Notes } from '../claude/wire'
import { noticeOfDropped } from '../../text/notice-of-dropped'
import type { ExchangeFact, TaskLogFact } from '../../model/pipeline-facts'
import type { LineInput } from '../../model/adapter'

const ATTEMPTS_MAX = 100
const NOTES_MAX = 20
const LINE_CHARS = 2_000
const MARK = /^\[(attempt (\d{1,6})|cache hit|cache miss|env|timeout|prepare|interrupted)\] ?(.*)$/gm

/** The log of a task, of which the tool's own lines are read: what its commands printed stays in the bytes. */
export function readLog(text: string, stem: string, cutBytes: number | null, line: LineInput): TaskLogFact {
  const fact: TaskLogFact = {
    stem: capText(stem, 300),
    chars: text.length,
    attempts: [],
    notes: [],
    span: wholeSpan(line),
  }
  for (const found of text.matchAll(MARK)) {
    const [whole, tag, number, words] = found
    if (fact.attempts.length >= ATTEMPTS_MAX && fact.notes.length >= NOTES_MAX) break
    const place = (): { text: string; span: TaskLogFact['span'] } => ({
      text: capText(words ?? '', LINE_CHARS),
      span: passageSpan(line, ['text'], { start: found.index, end: found.index + whole.length }),
    })
    if (number !== undefined) {
      if (fact.attempts.length < ATTEMPTS_MAX) fact.attempts.push({ number: Number(number), ...place() })
    } else if (fact.notes.length < NOTES_MAX) fact.notes.push({ tag: tag!, ...place() })
  }
  const dropped = noticeOfDropped(text.slice(0, 1_000).split('\n', 1)[0]!)
  if (dropped !== null) fact.dropped = capText(dropped, 500)
  if (cutBytes !== null && cutBytes > 0) fact.cutBytes = cutBytes
  return fact
}

/** Request and response of an agent step. Of several of one task only the last exchange is in the file. */
export function readExchange(lines: readonly unknown[], line: LineInput, notes: Notes): ExchangeFact {
  const records = lines.map(asObject)
  const request = records.findLast((one) => one?.['type'] === 'request') ?? null
  const response = records.findLast((one) => one?.['type'] === 'response') ?? null
  const text = (key: string): string | null => {
    const found = request === null ? null : textAt(request, key, notes)
    return found === null ? null : capText(found, 300)
  }
  return {
    task: text('task'),
    profile: text('profile'),
    model: text('model'),
    at: timeOf(text('at')),
    response:
      response === null
        ? null
        : {
            at: timeOf(textAt(response, 'at', notes)),
            durationMs: numberAt(response, 'durationMs', notes),
            code: numberAt(response, 'code', notes),
            timedOut: flagAt(response, 'timedOut', notes),
          },
    span: response === null ? wholeSpan(line) : spanOf(line, ['lines', records.lastIndexOf(response)]),
  }
}
