import { links } from '@/lib/links'
import { hookText } from '@/lib/words/cli/hook'
import { isPassing, problemText, ServerAway } from '../http'
import type { Answer, Client } from '../http'
import { droppedWords, readUnreported } from '../dropped'
import { clearRefusedKey, noteRefusedKey } from '../refused-key'
import { dropFrame, listSpool, readFrame, setAside } from '../spool'
import type { SpooledFrame } from '../spool'
import type { Environment } from '../settings'

export type FrameFate = 'sent' | 'kept' | 'refused'

export interface SendFrames {
  client: Client
  env: Environment
  source: string
  idleMs: number
  signal?: AbortSignal
  /** Called with what the spool had no room for, after it was reported to the server. */
  onDropped?: (words: string) => void
}

const batchBytesMax = 1024 * 1024

const post = (body: Buffer, { client, source, idleMs, signal }: SendFrames): Promise<Answer> =>
  client.send({
    method: 'POST',
    path: links.api.ingest('claude-hook'),
    headers: { 'content-type': 'application/x-ndjson', 'inquest-source': encodeURIComponent(source) },
    body,
    idleMs,
    signal,
  })

/** Tells the server once what the spool had no room for; it is kept there as an odd record, for people to find. */
export async function tellDropped(options: SendFrames): Promise<void> {
  const unreported = readUnreported(options.env)
  if (unreported === null) return
  const { markReported, ...dropped } = unreported
  try {
    const line = { inquest_spool_dropped: dropped, timestamp: dropped.until }
    const { status } = await post(Buffer.from(`${JSON.stringify(line)}\n`), options)
    if (status < 200 || status >= 300) return
  } catch (error) {
    if (error instanceof ServerAway || options.signal?.aborted) return
    throw error
  }
  markReported()
  options.onDropped?.(hookText.spoolDropped({ what: droppedWords(dropped) }))
}

/**
 * Sends frames as one body and settles each: taken ones leave the spool, ones the server can never take are set aside,
 * the rest waits. `slow` tells that the server did not answer in time, which is worse for the next hook than being away; `refusal` why it
 * refused the key, which no waiting changes.
 */
export async function sendFrames(
  frames: SpooledFrame[],
  options: SendFrames,
): Promise<{ fate: FrameFate; slow: boolean; frames: number; refusal?: string }> {
  const { env, signal } = options
  const taken: SpooledFrame[] = []
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (const frame of frames) {
    if (taken.length > 0 && bytes >= batchBytesMax) break
    const content = readFrame(frame)
    if (content === null) continue
    taken.push(frame)
    chunks.push(content, Buffer.from('\n'))
    bytes += content.length + 1
  }
  if (taken.length === 0) return { fate: 'sent', slow: false, frames: 0 }
  let answer: Answer
  try {
    answer = await post(Buffer.concat(chunks), options)
  } catch (error) {
    if (!(error instanceof ServerAway) && !signal?.aborted) throw error
    return {
      fate: 'kept',
      slow: signal?.aborted === true || /no answer within/.test((error as Error).message),
      frames: 0,
    }
  }
  const { status } = answer
  if (status >= 200 && status < 300) {
    taken.forEach(dropFrame)
    clearRefusedKey(env)
    return { fate: 'sent', slow: false, frames: taken.length }
  }
  // A wrong key, a wrong address or a passing trouble is not the frame's fault.
  if (status === 401 || status === 403 || status === 404) {
    const refusal = problemText(answer)
    noteRefusedKey(env, refusal)
    return { fate: 'kept', slow: false, frames: 0, refusal }
  }
  const forGood = status >= 400 && status < 500 && !isPassing(answer)
  if (!forGood) return { fate: 'kept', slow: false, frames: 0 }
  if (taken.length === 1) {
    setAside(env, taken[0]!)
    return { fate: 'refused', slow: false, frames: 0 }
  }
  // One of several is at fault: each is asked about alone.
  let sent = 0
  for (const frame of taken) {
    const one = await sendFrames([frame], options)
    if (one.fate === 'kept') return { fate: 'kept', slow: one.slow, frames: sent, refusal: one.refusal }
    sent += one.frames
  }
  return { fate: 'sent', slow: false, frames: sent }
}

/** Sends everything that waits in the spool, batch after batch, until it is empty or the server goes away. */
export async function drainSpool(
  options: SendFrames & { young?: boolean },
): Promise<{ sent: number; left: number; refusal?: string }> {
  let sent = 0
  for (;;) {
    const frames = listSpool(options.env, { young: options.young })
    if (frames.length === 0) {
      await tellDropped(options)
      return { sent, left: 0 }
    }
    const result = await sendFrames(frames, options)
    sent += result.frames
    if (result.fate === 'kept') return { sent, left: frames.length, refusal: result.refusal }
  }
}
