import { visible } from '../output'
import type { RecordOptions } from './command-line'
import type { Conclusion } from './conclude'
import type { RecordHead } from './record-folder'
import type { ChildEnd } from './run-child'

interface Told {
  conclusion: Conclusion
  head: RecordHead
  options: RecordOptions
  end: ChildEnd
  status: number
}

/** What `inquest record` says at the end, in one line: what became of the run and of its record, and where to look. */
export function lastLine(told: Told): string {
  return told.options.json
    ? asJson(told)
    : `inquest: ${visible(oneLine(happenings(told).join('; ')))}${told.conclusion.url === null ? '' : `: ${told.conclusion.url}`}`
}

const CHARS_MAX = 600

/** The reason stands in the words of the agent. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= CHARS_MAX ? line : `${line.slice(0, CHARS_MAX - 1)}…`
}

function happenings({ conclusion: { verdict, delivery, astray }, options, end }: Told): string[] {
  const said: string[] = []
  if (end.startError !== null) said.push(`${options.command[0]} could not be started (${end.startError})`)
  if (end.timedOut) said.push(`stopped after ${options.timeoutS} s`)
  if (end.heldOpen.length > 0)
    said.push(`a background process kept ${end.heldOpen.join(' and ')} open and was not awaited`)
  if (verdict.failedOn !== null)
    said.push(`failed although the process exited with code 0 (${verdict.failedOn}: ${verdict.text})`)
  else if (!verdict.failed && verdict.text !== null && delivery.fate !== 'lost') said.push(verdict.text)
  if (delivery.fate === 'sent') said.push('recorded')
  if (delivery.fate === 'kept')
    said.push(
      `recorded, but not sent (${delivery.because}); it ${astray === null ? 'is in the spool' : `is in ${astray}`}`,
    )
  if (delivery.fate === 'refused')
    said.push(
      `the server rejected the record (${delivery.because}); it ${astray === null ? 'was set aside' : `is in ${astray}`}`,
    )
  if (delivery.fate === 'lost') said.push(`the run could not be recorded (${delivery.because})`)
  return said
}

function asJson({ conclusion: { verdict, delivery, executionKey, url }, head, end, status }: Told): string {
  const { exitCode, signal, timedOut, startError, heldOpen } = end
  return JSON.stringify({
    recordId: head.start.recordId,
    executionKey,
    url,
    record: delivery.fate,
    ...('because' in delivery ? { because: delivery.because } : {}),
    status,
    exitCode,
    signal,
    timedOut,
    startError,
    heldOpen,
    verdict,
  })
}
