import { createSha256 } from '../bytes/sha256'
import type { CiRun } from '../model/ci-run'

/** A run as `inquest record` sends it, for the sample, tests and benches. Invented content, no clock and no randomness of its own. */
export interface RecordedRun {
  /** Session of the agent; of a program that is no agent a part of the record's name. */
  id: string
  /** Text of the result record; null: the process printed plain text and is no agent. */
  result?: string | null
  /** Fields of the result record, over those of a success; null: it ended before it had printed one. */
  resultRecord?: Record<string, unknown> | null
  /** Texts that the agent said before. */
  says?: string[]
  /** Files that it wrote before. */
  writes?: string[]
  /** Commands that it ran after that, all with success. */
  runs?: string[]
  tokens?: { input: number; output: number }
  costUsd?: number | null
  stderr?: string
  /** What a process that is no agent printed. */
  stdout?: string
  command?: string[]
  repository?: string
  branch?: string
  exitCode?: number
  signal?: string | null
  termination?: string
  channel?: string
  killReason?: string
  marker?: string
  expect?: string[]
  ci?: Partial<CiRun> | null
  /** Name of the work and number of the attempt; null for a run that is an attempt of nothing. */
  chain?: { key: string; attempt: number | null } | null
  startedAt?: string
  seconds?: number
  /** What the recorder judged. */
  verdict?: unknown
  /** The recorder itself was killed. */
  withoutEnd?: boolean
}

export interface RecordedBodies {
  /** Body for `claude-stream`; null where the output is plain text. */
  stream: string | null
  /** Body for `record`. */
  record: string
}

export const RUN_MARKER = '%%ORDER_UP::1a2b3c4d%%'
const PLAN_PATH = 'plan_path\\s*=\\s*/.+'
/** What breaks and what keeps the contract that a recorded run has by default. */
export const VIOLATES = `I could not find where the plan belongs.\n${RUN_MARKER}`
export const DELIVERS = `plan_path = /srv/shop/plan.md\n${RUN_MARKER}`

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** What an agent prints: its stream of records. */
function printedBy({
  id,
  result = DELIVERS,
  resultRecord = {},
  says = ['I will write the plan.'],
  writes = [],
  runs = [],
  tokens = { input: 1_200, output: 340 },
  costUsd = 0.25,
  seconds = 9,
}: RecordedRun): string {
  const message = (n: number, content: unknown[]): unknown => ({
    type: 'assistant',
    session_id: id,
    message: {
      id: `msg-${id}-${n}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      usage: { input_tokens: tokens.input, output_tokens: tokens.output },
    },
  })
  const calls = [
    ...writes.map((path) => ({
      name: 'Write',
      input: { file_path: path, content: '# Plan' },
      printed: 'written',
    })),
    ...runs.map((command) => ({ name: 'Bash', input: { command }, printed: 'done' })),
  ]
  return lines([
    {
      type: 'system',
      subtype: 'init',
      session_id: id,
      model: 'claude-sonnet-4-5',
      cwd: '/srv/shop',
      tools: [],
      mcp_servers: [],
    },
    ...says.map((text, n) => message(n, [{ type: 'text', text }])),
    ...calls.flatMap(({ name, input, printed }, n) => [
      message(100 + n, [{ type: 'tool_use', id: `toolu-${id}-${n}`, name, input }]),
      {
        type: 'user',
        session_id: id,
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `toolu-${id}-${n}`, content: printed }],
        },
      },
    ]),
    ...(resultRecord === null
      ? []
      : [
          {
            type: 'result',
            subtype: 'success',
            is_error: false,
            result,
            session_id: id,
            num_turns: says.length + calls.length,
            duration_ms: seconds * 1000,
            ...(costUsd === null ? {} : { total_cost_usd: costUsd }),
            usage: { input_tokens: tokens.input, output_tokens: tokens.output },
            ...resultRecord,
          },
        ]),
  ])
}

export function recordedRun(run: RecordedRun): RecordedBodies {
  const {
    id,
    stderr = '',
    ci = null,
    signal = null,
    seconds = 9,
    startedAt = '2026-11-02T08:00:00.000Z',
    branch = ci?.branch ?? 'main',
  } = run
  const isAgent = run.result !== null
  const { marker, expect } = isAgent
    ? { marker: RUN_MARKER, expect: [PLAN_PATH], ...run }
    : { marker: '', expect: [], ...run }
  const at = (second: number): string => new Date(Date.parse(startedAt) + second * 1000).toISOString()
  const stdout = isAgent ? printedBy(run) : (run.stdout ?? 'Compiling\n')
  const printed = bytesOf(stdout)
  const sha256 = createSha256()
  sha256.update(printed)
  const start = {
    type: 'record.start',
    version: 1,
    recordId: `record-of-${id}`,
    executionKey: isAgent ? id : `record-${id}`,
    command: run.command ?? ['claude', '-p', 'Plan the shop'],
    cwd: '/srv/shop',
    startedAt: at(0),
    labels: { repository: run.repository ?? 'acme/shop', branch },
    contract: { marker, expect },
    ci,
    chain: run.chain ?? null,
  }
  const output = [
    ...(isAgent || stdout === ''
      ? []
      : [{ type: 'record.output', channel: 'stdout', at: at(1), text: stdout }]),
    ...(stderr === '' ? [] : [{ type: 'record.output', channel: 'stderr', at: at(1), text: stderr }]),
  ]
  const end = {
    type: 'record.end',
    endedAt: at(seconds),
    exitCode: signal === null ? (run.exitCode ?? 0) : null,
    signal,
    termination: run.termination ?? 'natural_exit',
    channelConfirmation: run.channel ?? 'channel_a',
    killReason: run.killReason ?? 'natural_exit',
    stdoutBytes: printed.length,
    stdoutSha256: sha256.hex(),
    stderrBytes: bytesOf(stderr).length,
    stdoutKind: isAgent ? 'claude-stream' : null,
    sessionId: isAgent ? id : null,
    verdict: run.verdict ?? null,
  }
  return {
    stream: isAgent ? stdout : null,
    record: lines([start, ...output, ...(run.withoutEnd ? [] : [end])]),
  }
}
