import { receiptLossText } from '@/lib/words/odd-details'
import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readGoFields } from '@/lib/formats/receipt/go-fields'
import { whyLost } from '@/lib/formats/receipt/lost-frame'
import { hookText } from '@/lib/words/cli/hook'
import { stateFolder, type Environment } from '../settings'

/** Enough for thousands of notes; what comes later is kept all the same, only not noted here. */
const noteBytesMax = 256 * 1024

export const oddFramesFile = (env: Environment): string => join(stateFolder(env), 'odd-frames.jsonl')

/** What is odd about a frame, in a sentence: it is none, tells of nothing, or of a call that Agent Receipts would leave without a receipt. */
export function whyOdd(text: string): string | null {
  if (readGoFields(text, {}) === null) return 'not a JSON object'
  const fields = readGoFields(text, { hook_event_name: 'text', session_id: 'text' })
  if (fields === null) return hookText.idNotString
  const lost = whyLost(text)
  if (lost !== null) return receiptLossText(lost)
  return fields.hook_event_name === '' || fields.session_id === '' ? hookText.noEventName : null
}

/** Notes for `doctor` that an odd frame was kept: when and why, nothing of what it says. Without a note the frame is still kept. */
export function noteOddFrame(env: Environment, why: string, now: Date): void {
  const file = oddFramesFile(env)
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < noteBytesMax)
      appendFileSync(file, `${JSON.stringify({ at: now.toISOString(), why })}\n`, { mode: 0o600 })
  } catch {
    // Problems with the folder are reported by the spool.
  }
}

/** How many odd frames were noted for each reason, most first, and since when. */
export function readOddFrames(
  env: Environment,
): { since: string; reasons: { why: string; count: number }[] } | null {
  let text: string
  try {
    text = readFileSync(oddFramesFile(env), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const notes = text.split('\n').flatMap(parseNote)
  const counts = new Map<string, number>()
  for (const { why } of notes) counts.set(why, (counts.get(why) ?? 0) + 1)
  const reasons = [...counts].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count)
  return notes[0] === undefined ? null : { since: notes[0].at, reasons }
}

/** Hooks write at once, and a machine may stop in the middle of a line. */
function parseNote(line: string): { at: string; why: string }[] {
  try {
    const { at, why } = JSON.parse(line) as { at: unknown; why: unknown }
    return typeof at === 'string' && typeof why === 'string' ? [{ at, why }] : []
  } catch {
    return []
  }
}
