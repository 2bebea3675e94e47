import { links } from '@/lib/links'
import { isPassing, ServerAway } from '../http'
import type { Client } from '../http'
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
}

const batchBytesMax = 1024 * 1024

/**
 * Sends frames as one body and settles each: taken ones leave the spool, ones the server can never take are set aside,
 * the rest waits. `slow` tells that the server did not answer in time, which is worse for the next hook than being away.
 */
export async function sendFrames(
  frames: SpooledFrame[],
  options: SendFrames,
): Promise<{ fate: FrameFate; slow: boolean; frames: number }> {
  const { client, env, source, idleMs, signal } = options
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
  let status: number
  try {
    const answer = await client.send({
      method: 'POST',
      path: links.api.ingest('claude-hook'),
      headers: { 'content-type': 'application/x-ndjson', 'inquest-source': encodeURIComponent(source) },
      body: Buffer.concat(chunks),
      idleMs,
      signal,
    })
    status = answer.status
  } catch (error) {
    if (!(error instanceof ServerAway) && !signal?.aborted) throw error
    return {
      fate: 'kept',
      slow: signal?.aborted === true || /no answer within/.test((error as Error).message),
      frames: 0,
    }
  }
  if (status >= 200 && status < 300) {
    taken.forEach(dropFrame)
    return { fate: 'sent', slow: false, frames: taken.length }
  }
  // A wrong key or a passing trouble is not the frame's fault.
  const forGood =
    status >= 400 && status < 500 && !isPassing(status) && status !== 401 && status !== 403 && status !== 404
  if (!forGood) return { fate: 'kept', slow: false, frames: 0 }
  if (taken.length === 1) {
    setAside(env, taken[0]!)
    return { fate: 'refused', slow: false, frames: 0 }
  }
  // One of several is at fault: each is asked about alone.
  let sent = 0
  for (const frame of taken) {
    const one = await sendFrames([frame], options)
    if (one.fate === 'kept') return { fate: 'kept', slow: one.slow, frames: sent }
    sent += one.frames
  }
  return { fate: 'sent', slow: false, frames: sent }
}

/** Sends everything that waits in the spool, batch after batch, until it is empty or the server goes away. */
export async function drainSpool(
  options: SendFrames & { young?: boolean },
): Promise<{ sent: number; left: number }> {
  let sent = 0
  for (;;) {
    const frames = listSpool(options.env, { young: options.young })
    if (frames.length === 0) return { sent, left: 0 }
    const result = await sendFrames(frames, options)
    sent += result.frames
    if (result.fate === 'kept') return { sent, left: frames.length }
  }
}
