import { fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { createClient } from '../http'
import type { Client } from '../http'
import { readSettings } from '../settings'
import type { Environment } from '../settings'
import { isNotedAway, listSpool, noteAway, spoolFrame, unspooled } from '../spool'
import type { SpooledFrame } from '../spool'
import { redactFrame } from './redact-frame'
import { readStdin, toFrame } from './read-frame'
import { sendFrames } from './send-frames'

/** Milliseconds a hook may take from the agent, at most, for each of its steps. */
export const hookPatience = { stdin: 2_000, send: 400, drain: 150, awayFor: 30_000 } as const

/** Frames of the spool that one hook run sends along. */
const drainFrames = 64

/**
 * `inquest hook`: one frame on standard input. The frame is on disk before anything else is tried, so that no trouble
 * of the server or the network can lose it; the exit status is always 0, so that no trouble of ours reaches the agent.
 */
export async function runHook(env: Environment = process.env): Promise<void> {
  // A pipe or a file, never a terminal; asking `node:tty` would load the network first.
  if (fstatSync(0).isCharacterDevice()) {
    process.stderr.write('inquest hook reads one hook frame on standard input; `inquest hook --install` connects it to Claude Code.\n')
    return
  }
  const bytes = toFrame(await readStdin(hookPatience.stdin), new Date())
  if (bytes.length === 0) return
  const redacted = await redactFrame(bytes)
  let frame: SpooledFrame | null = null
  try {
    frame = spoolFrame(env, redacted)
  } catch (error) {
    process.stderr.write(`inquest hook: the frame could not be written to the spool (${(error as Error).message}).\n`)
  }
  if (frame !== null && isNotedAway(env, hookPatience.awayFor)) return
  let client: Client
  try {
    client = createClient(readSettings(env), { sockets: 1 })
  } catch (error) {
    process.stderr.write(`inquest hook: ${(error as Error).message}\n`)
    return
  }
  const send = (frames: SpooledFrame[], budgetMs: number): ReturnType<typeof sendFrames> =>
    sendFrames(frames, { client, env, source: hostname(), idleMs: budgetMs, signal: AbortSignal.timeout(budgetMs) })
  // A disk that takes nothing leaves one way: straight to the server.
  const own = await send([frame ?? { ...unspooled, bytes: redacted }], hookPatience.send)
  if (own.slow) noteAway(env)
  if (own.fate !== 'sent') return
  const waiting = listSpool(env, { most: drainFrames })
  if (waiting.length > 0) await send(waiting, hookPatience.drain)
}
