import { existsSync, fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { hookText } from '@/lib/words/cli/hook'
import { RECORDED } from '../child-environment'
import { readRefusedKey, refusedKeyWords } from '../refused-key'
import type { Client } from '../http'
import { readSettings, serverFile } from '../settings'
import type { Environment } from '../settings'
import { isNotedAway, listSpool, namesServer, noteAway, spoolFrame, unspooled } from '../spool'
import type { SpooledFrame } from '../spool'
import { boundFrames } from '../spool-bound'
import { noteOddFrame, whyOdd } from './odd-frames'
import type { SendFrames } from './send-frames'
import { redactFrame } from './redact-frame'
import { readStdin, toFrame } from './read-frame'

/** Milliseconds a hook may take from the agent, at most, for each of its steps. */
export const hookPatience = { stdin: 2_000, send: 400, drain: 150, awayFor: 30_000 } as const

/** Frames of the spool that one hook run sends along. */
const drainFrames = 64

/**
 * `inquest hook`: one frame on standard input. The frame is on disk before anything else is tried, so that no trouble
 * of the server or the network can lose it; the exit status is always 0, so that no trouble of ours reaches the agent.
 * The server of this machine fetches the frame from there (`follow-spool.ts`); one that the environment names is sent it.
 */
export async function runHook(env: Environment = process.env): Promise<void> {
  // A pipe or a file, never a terminal; asking `node:tty` would load the network first.
  if (fstatSync(0).isCharacterDevice()) {
    process.stderr.write(hookText.usage)
    return
  }
  const now = new Date()
  const received = await readStdin(hookPatience.stdin)
  const bytes = toFrame(received, now)
  if (bytes.length === 0) return
  const odd = whyOdd(received.toString('utf8'))
  const redacted = await redactFrame(bytes)
  let frame: SpooledFrame | null = null
  try {
    frame = spoolFrame(env, redacted)
    boundFrames(env, redacted.length)
  } catch (error) {
    tell(
      `${frame === null ? hookText.spoolNotWritten : hookText.spoolOverLimits} (${(error as Error).message}).`,
    )
  }
  if (odd !== null) noteOddFrame(env, odd, now)
  // The recorder around the agent keeps the key to itself, and sends what lies in the spool.
  if (frame !== null && env[RECORDED] && !env.INQUEST_TOKEN) return
  if (
    frame !== null &&
    (namesServer(env) ? isNotedAway(env, hookPatience.awayFor) : existsSync(serverFile(env)))
  ) {
    const refused = readRefusedKey(env)
    if (refused !== null) tell(refusedKeyWords(env, refused))
    return
  }
  // A disk that takes nothing leaves one way: straight to the server.
  await sendAlong(env, frame ?? { ...unspooled, bytes: redacted })
}

const tell = (text: string): void => void process.stderr.write(`inquest hook: ${text}\n`)

/** Sends the frame, and then some that wait, for a short while. What needs the network is loaded only here. */
async function sendAlong(env: Environment, frame: SpooledFrame): Promise<void> {
  let client: Client
  const { createClient } = await import('../http')
  try {
    client = createClient(readSettings(env), { sockets: 1 })
  } catch (error) {
    tell((error as Error).message)
    return
  }
  const { sendFrames, tellDropped } = await import('./send-frames')
  const sending = (budgetMs: number): SendFrames => ({
    client,
    env,
    source: hostname(),
    idleMs: budgetMs,
    signal: AbortSignal.timeout(budgetMs),
    onDropped: tell,
  })
  const own = await sendFrames([frame], sending(hookPatience.send))
  if (own.slow || own.refusal !== undefined) noteAway(env)
  if (own.refusal !== undefined)
    tell(
      refusedKeyWords(env, readRefusedKey(env) ?? { since: new Date().toISOString(), because: own.refusal }),
    )
  if (own.fate !== 'sent') {
    if (frame.bytes) tell(hookText.frameLost)
    return
  }
  const waiting = listSpool(env, { most: drainFrames })
  if (waiting.length > 0) await sendFrames(waiting, sending(hookPatience.drain))
  else await tellDropped(sending(hookPatience.drain))
}
