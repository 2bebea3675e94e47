import { settingText } from '@/lib/words/settings'
import { readFileSync } from 'node:fs'
import { constants, hostname } from 'node:os'
import { chainKeyOf, readCiRun } from '@/lib/formats/ci/ci-run'
import { FAILURE_TAG, readFailureTag } from '@/lib/formats/claude/failure-tag'
import { recordStartText } from '@/lib/words/cli/record-start'
import { RECORDED, withoutSecrets } from '../child-environment'
import { visible } from '../output'
import type { Environment } from '../settings'
import { namesServer } from '../spool'
import { readCommandLine, recordUsage, wholeNumber } from './command-line'
import type { RecordOptions } from './command-line'
import { followHooks } from './follow-hooks'
import { lastLine } from './last-line'
import { openOutlet } from './outlet'
import { keepRecord } from './record-folder'
import type { Keeper, RecordStart } from './record-folder'
import { FORWARDED, startChild } from './run-child'
import type { ChildEnd } from './run-child'

/** The status of a run that failed although its process ended with 0. */
export const FAILED_STATUS = 70

/**
 * `inquest record … -- COMMAND`. Nothing is loaded before the command runs that can be loaded when it has ended; then it is judged, and what is
 * known of it sent and printed in one line on standard error. @returns the exit status
 */
export async function runRecord(
  words: readonly string[],
  env: Environment = process.env,
  io: { out: NodeJS.WritableStream; err: NodeJS.WritableStream } = {
    out: process.stdout,
    err: process.stderr,
  },
): Promise<number> {
  const line = readCommandLine(words)
  if ('help' in line) {
    io.out.write(recordUsage)
    return 0
  }
  if ('trouble' in line) {
    io.err.write(recordStartText.invalidUsage({ problem: visible(line.trouble) }))
    return 2
  }
  const { options } = line
  const refuse = (trouble: string): number => {
    io.err.write(recordStartText.commandNotStarted({ problem: visible(trouble) }))
    return 2
  }
  const failureTag = readFailureTag(env)
  if ('trouble' in failureTag) return refuse(settingText.failureTag(failureTag.trouble))
  const trouble = await troubleWith(options)
  if (trouble !== null) return refuse(trouble)
  const stderr = openOutlet(2, () => {})
  const say = (text: string): void => void stderr.write(Buffer.from(`${visible(text)}\n`))
  const stdout = openOutlet(1, (because) => say(recordStartText.stdoutClosed({ reason: because })))
  const outlets = { stdout, stderr }
  let keeper: Keeper | { lost: string } = { lost: 'not made yet' }
  const startedAt = Date.now()
  const head = {
    start: startOf(options, failureTag.tag, env, startedAt),
    source: options.source ?? hostname(),
    project: options.project,
  }
  const child = startChild({
    command: options.command,
    env: { ...withoutSecrets(env), [RECORDED]: head.start.recordId },
    timeoutMs: options.timeoutS === null ? null : options.timeoutS * 1000,
    killAfterMs: options.killAfterS * 1000,
    outlets,
    keep: (channel, chunk) => 'keep' in keeper && keeper.keep(channel, chunk, Date.now()),
  })
  const hurry = new AbortController()
  for (const signal of FORWARDED) process.on(signal, () => child.forward(signal) || hurry.abort())
  keeper = keepRecord(env, head, startedAt)
  const endHooks = namesServer(env) ? followHooks(env) : null
  const end = await child.ended
  await Promise.race([endHooks?.(), aborted(hurry.signal)])
  await Promise.race([stdout.end(), aborted(hurry.signal)])
  if (end.openLine) stderr.write(Buffer.from('\n'))
  let status = statusOf(end, options.failOn.length > 0)
  try {
    const { concludeRun } = await import('@/cli/record/conclude')
    const conclusion = await concludeRun({
      keeper,
      head,
      options,
      end,
      env,
      signal: hurry.signal,
      write: (text) => void stderr.write(Buffer.from(text)),
    })
    status = statusOf(end, conclusion.verdict.failedOn !== null)
    say(lastLine({ conclusion, head, options, end, status }))
    await conclusion.sendWaiting().catch(() => {})
  } catch (error) {
    // Whatever is wrong with us, the status is that of the command.
    say(recordStartText.runNotRecorded({ reason: (error as Error).message }))
  }
  await Promise.race([stderr.end(), aborted(hurry.signal)])
  return status
}

/** Only a run that may be failed by its patterns waits for them to be read. */
async function troubleWith({ failOn, expect }: RecordOptions): Promise<string | null> {
  if (expect.length === 0 || !failOn.includes('contract')) return null
  const { troubleWithPatterns } = await import('@/cli/record/check-patterns')
  return troubleWithPatterns(expect)
}

function startOf(
  options: RecordOptions,
  failureTag: string,
  env: Environment,
  startedAt: number,
): RecordStart {
  const ci = readCiRun(env)
  const attempt = options.attempt ?? wholeNumber(env.INQUEST_ATTEMPT ?? '')
  // Whoever counts attempts without a name means those of the job; the attempts that the CI counts go by what it says of the run.
  const key = options.chain ?? (env.INQUEST_CHAIN || null) ?? (ci && attempt !== null ? chainKeyOf(ci) : null)
  return {
    type: 'record.start',
    version: 1,
    recordId: newId(),
    command: options.command,
    cwd: workingFolder(),
    startedAt: new Date(startedAt).toISOString(),
    labels: {
      ...(ci?.repository ? { repository: ci.repository } : {}),
      ...(ci?.branch ? { branch: ci.branch } : {}),
    },
    ci,
    contract: {
      marker: options.marker,
      expect: options.expect,
      ...(failureTag === FAILURE_TAG ? {} : { failureTag }),
    },
    timeoutS: options.timeoutS,
    chain: key === null ? null : { key, attempt: attempt ?? ci?.attempt ?? null },
  }
}

/** The system has ids at hand; to load what else makes them takes longer than all the rest of the start. */
function newId(): string {
  try {
    const id = readFileSync('/proc/sys/kernel/random/uuid', 'latin1').trim()
    if (/^[0-9a-f-]{36}$/.test(id)) return id
  } catch {
    // Not Linux.
  }
  return crypto.randomUUID()
}

function workingFolder(): string {
  try {
    return process.cwd()
  } catch {
    // It was removed; the command runs all the same.
    return process.env.PWD ?? ''
  }
}

function statusOf({ signal, exitCode }: ChildEnd, failed: boolean): number {
  if (signal !== null) return 128 + constants.signals[signal]
  return exitCode === 0 && failed ? FAILED_STATUS : (exitCode ?? 1)
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  )
