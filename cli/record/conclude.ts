import { hostname } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { links } from '@/lib/links'
import { formatBytes } from '@/lib/text/amounts'
import { recordEndText } from '@/lib/words/cli/record-end'
import { CliFailure } from '../exit-codes'
import { drainSpool } from '../hook/send-frames'
import { createClient } from '../http'
import type { Client } from '../http'
import { readSettings } from '../settings'
import type { Environment } from '../settings'
import { namesServer } from '../spool'
import type { RecordOptions } from './command-line'
import { deliverRecord } from './deliver-record'
import type { Delivery } from './deliver-record'
import { drainRecords } from './drain-records'
import { judge } from './judge'
import type { Verdict } from './judge'
import { judgeContract } from './judge-contract'
import { prepareRecord } from './prepare-record'
import { boundRecords } from './record-files'
import { readStdout } from './read-stdout'
import type { StdoutFacts } from './read-stdout'
import { recordFiles } from './record-folder'
import type { Keeper, RecordHead } from './record-folder'
import type { ChildEnd } from './run-child'
import { reportSteps } from './tell-steps'
import type { RecordEnd } from './write-document'

export interface EndedRun {
  keeper: Keeper | { lost: string }
  head: RecordHead
  options: RecordOptions
  end: ChildEnd
  env: Environment
  /** Stops sending: what was not sent waits. */
  signal: AbortSignal
  /** Takes text for standard error. */
  write: (text: string) => void
}

export interface Conclusion {
  verdict: Verdict
  executionKey: string | null
  /** Where to look, as far as a server is known. */
  url: string | null
  delivery: Delivery | { fate: 'lost'; because: string }
  /** Folder of a record that was not sent and that nobody will look for where it lies. */
  astray: string | null
  /** Sends what waited from before, hook frames too, for a short while. */
  sendWaiting(): Promise<void>
}

/** Milliseconds a server that the environment names may be away; the server of this machine fetches later what waits. */
const namedPatienceMs = 10_000

/** Milliseconds that a run gives to what waited from before. */
const waitingMs = 5_000

/** Judges a run by what was kept of it, and sends that. All of this is loaded when the command has ended. */
export async function concludeRun(run: EndedRun): Promise<Conclusion> {
  const { keeper, head, env, end, signal, write } = run
  if ('lost' in keeper) return lost(unjudged(run, keeper.lost), keeper.lost)
  keeper.close()
  const reporter = reportSteps(run.options.json ? () => {} : run.write, isatty(2))
  reporter.step(`reading ${formatBytes(end.bytes.stdout + end.bytes.stderr)} of output`)
  let verdict = unjudged(run, recordEndText.notRead)
  try {
    const stdout = await readKept(run, keeper)
    verdict = stdout.verdict
    const plan = await prepareRecord(
      keeper.folder,
      head,
      stdout,
      endOf(end, stdout, keeper.trouble() === null),
    )
    const client = findClient(env)
    const delivering = { env, client, signal, patienceMs: namesServer(env) ? namedPatienceMs : 0 }
    const delivery = await deliverRecord(keeper.folder, plan, { ...delivering, onStep: reporter.step })
    if (delivery.fate !== 'sent') boundRecords(env)
    const path =
      delivery.fate === 'sent' && delivery.url !== null ? delivery.url : links.anyId(plan.executionKey)
    return {
      verdict,
      executionKey: plan.executionKey,
      url:
        'none' in client || delivery.fate === 'refused'
          ? null
          : addressOf(path, client.settings.url, verdict),
      delivery,
      astray: keeper.elsewhere && delivery.fate !== 'sent' ? keeper.folder : null,
      async sendWaiting() {
        const stop = AbortSignal.any([signal, AbortSignal.timeout(waitingMs)])
        if ('none' in client) return
        if (delivery.fate === 'sent') {
          await drainSpool({
            client,
            env,
            source: hostname(),
            idleMs: waitingMs,
            signal: stop,
            young: true,
            onDropped: (words) => write(`inquest: ${words}\n`),
          })
          await drainRecords({ ...delivering, signal: stop, patienceMs: 0 })
        }
        client.close()
      },
    }
  } catch (error) {
    return lost(verdict, (error as Error).message)
  } finally {
    reporter.stop()
  }
}

/** Sends the hook frames that wait for the server, while the command runs. @returns whether the server took them */
export async function sendHookFrames(env: Environment): Promise<boolean> {
  const client = findClient(env)
  if ('none' in client) return false
  try {
    return (await drainSpool({ client, env, source: hostname(), idleMs: waitingMs, young: true })).left === 0
  } finally {
    client.close()
  }
}

/** Of a run that was failed here, the decision is open: it says why. */
function addressOf(path: string, server: URL, { failedOn }: Verdict): string {
  const url = new URL(path, server)
  if (failedOn !== null) url.searchParams.set('decision', 'open')
  return url.href
}

const lost = (verdict: Verdict, because: string): Conclusion => ({
  verdict,
  executionKey: null,
  url: null,
  delivery: { fate: 'lost', because },
  astray: null,
  sendWaiting: () => Promise.resolve(),
})

/** A run that was to be judged and could not be must not pass for one that was found good. */
function unjudged({ options: { failOn }, end }: EndedRun, because: string): Verdict {
  const text = recordEndText.outputNotRecorded({ reason: because })
  return {
    failed: false,
    kind: 'none',
    reason: null,
    text,
    failedOn: end.exitCode === 0 ? (failOn[0] ?? null) : null,
  }
}

async function readKept(run: EndedRun, keeper: Keeper): Promise<StdoutFacts & { verdict: Verdict }> {
  const { head, options, end } = run
  const contract = options.failOn.includes('contract')
    ? judgeContract({ marker: options.marker, patterns: options.expect })
    : null
  const stdout = await readStdout(join(keeper.folder, recordFiles.stdout), head.start.contract, (bytes) =>
    contract?.push(bytes),
  )
  const found =
    contract?.finish({
      exitCode: end.exitCode ?? -1,
      channel: channelOf(stdout),
      hasResult: stdout.result !== null,
      plain: stdout.kind === null,
    }) ?? null
  const verdict = judge(
    {
      exitCode: end.exitCode,
      signal: end.signal,
      timedOut: end.timedOut,
      result: stdout.result,
      contract: found,
    },
    options.failOn,
  )
  const trouble = keeper.trouble()
  return {
    ...stdout,
    verdict:
      trouble !== null && verdict.failedOn === null && options.failOn.length > 0
        ? unjudged(run, trouble)
        : verdict,
  }
}

const channelOf = ({ channelA }: StdoutFacts): 'channel_a' | 'unmonitored' =>
  channelA ? 'channel_a' : 'unmonitored'

function endOf(end: ChildEnd, stdout: StdoutFacts & { verdict: Verdict }, whole: boolean): RecordEnd {
  return {
    type: 'record.end',
    endedAt: new Date(end.endedAt).toISOString(),
    exitCode: end.exitCode,
    signal: end.signal,
    termination: end.timedOut ? 'timed_out' : 'natural_exit',
    channelConfirmation: channelOf(stdout),
    killReason: end.startError !== null ? 'not_applicable' : end.timedOut ? 'infra_kill' : 'natural_exit',
    stdoutBytes: end.bytes.stdout,
    stdoutSha256: whole ? stdout.sha256 : null,
    stderrBytes: end.bytes.stderr,
    stdoutKind: stdout.kind,
    sessionId: stdout.sessionId,
    verdict: stdout.verdict,
  }
}

function findClient(env: Environment): Client | { none: string } {
  try {
    return createClient(readSettings(env), { sockets: 1, reread: () => readSettings(env) })
  } catch (error) {
    // Its second sentence says what to do about it, which a line in the log of a run has no room for.
    if (error instanceof CliFailure) return { none: error.message.replace(/\.(?: .*)?$/s, '') }
    throw error
  }
}
