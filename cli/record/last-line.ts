import { recordDeliveryText } from '@/lib/words/cli/record-delivery'
import { visible } from '../output'
import type { RecordOptions } from './command-line'
import type { Conclusion } from './conclude'
import type { RecordHead } from './record-folder'
import type { ChildEnd } from './run-child'

interface Ending {
  conclusion: Conclusion
  head: RecordHead
  options: RecordOptions
  end: ChildEnd
  status: number
}

/** What `inquest record` says at the end, in one line: what became of the run and of its record, and where to look. */
export function lastLine(ending: Ending): string {
  return ending.options.json
    ? asJson(ending)
    : `inquest: ${visible(oneLine(happenings(ending).join('; ')))}${ending.conclusion.url === null ? '' : `: ${ending.conclusion.url}`}`
}

const CHARS_MAX = 600

/** The reason is in the words of the agent. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= CHARS_MAX ? line : `${line.slice(0, CHARS_MAX - 1)}…`
}

function happenings({ conclusion: { verdict, delivery, astray }, options, end }: Ending): string[] {
  const said: string[] = []
  if (end.startError !== null)
    said.push(recordDeliveryText.notStarted({ command: options.command[0], startError: end.startError }))
  if (end.timedOut) said.push(`stopped after ${options.timeoutS} s`)
  if (end.heldOpen.length > 0) said.push(recordDeliveryText.heldOpen({ streams: end.heldOpen.join(' and ') }))
  if (verdict.failedOn !== null)
    said.push(recordDeliveryText.failedDespiteExitCode({ failedOn: verdict.failedOn, text: verdict.text }))
  else if (!verdict.failed && verdict.text !== null && delivery.fate !== 'lost') said.push(verdict.text)
  if (delivery.fate === 'sent') said.push('recorded')
  if (delivery.fate === 'kept') said.push(recordDeliveryText.notSent({ reason: delivery.because, astray }))
  if (delivery.fate === 'refused')
    said.push(recordDeliveryText.recordRejected({ reason: delivery.because, astray }))
  if (delivery.fate === 'lost') said.push(recordDeliveryText.notRecorded({ reason: delivery.because }))
  return said
}

function asJson({ conclusion: { verdict, delivery, executionKey, url }, head, end, status }: Ending): string {
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
