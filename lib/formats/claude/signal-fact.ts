import { failureSignalHints } from './signal-hints'
import { scanFailureSignal } from './failure-signal'
import { passageSpan, type Path } from './span'
import { cutText } from '../../text/cap-text'
import type { LineInput } from '../../model/adapter'
import type { SignalFact } from '../../model/failure-signal'

const REASON_CHARS_MAX = 2_000

/** The failure signal in the whole text at `path`, by the tag that the line was read with, and its breaches of the contract, each with the bytes of the block that it is about. */
export function signalFact(text: string, line: LineInput, path: Path): SignalFact | null {
  const signal = scanFailureSignal(text, line.failureTag)
  if (signal === null) return null
  const hints = failureSignalHints(text, line.failureTag).map(({ start, end, ...hint }) => ({
    ...hint,
    span: passageSpan(line, path, { start, end }),
  }))
  return {
    reason: signal.reason === null ? null : cutText(signal.reason, REASON_CHARS_MAX),
    ...(hints.length > 0 && { hints }),
  }
}
