import { endingOf, ENDINGS, type EndingName } from './session-log-endings'

/** An invented run of AutoSkillit, as its log records it. */
export interface LoggedRun {
  /** Null: the run never had a session. */
  sessionId: string | null
  dir: string
  kitchen: string
  order: string
  step: string
  command: string
  ending: EndingName
  startedAt: Date
  seconds: number
  cwd: string
  inputTokens: number
  outputTokens: number
  writes: number
  /** Reason of the record that the history holds of the run; null for none. */
  retryReason: string | null
  /** The history ends with the record by which the budget stopped the work. */
  stoppedByBudget?: true
  /** The index says something else than the summary. */
  differs?: true
  /** Written by a version that called the kitchen `pipeline_id`. */
  older?: true
}

export interface SessionLogRoot {
  /** Contents by path below the root; the index is `sessions.jsonl`. */
  files: Map<string, string>
  runs: LoggedRun[]
  /** Runs of one piece of work: output confirmed by a channel, contract violated, retried until the budget stopped it. */
  falsePositive: LoggedRun[]
}

export interface SessionLogOptions {
  seed?: number
  /** Runs in all, with the seven stories that are always included. */
  runs?: number
  startedAt?: string
}

/**
 * A root of session logs as AutoSkillit leaves it: several kitchens, orders and steps, retries of one piece of work one after the other.
 * The same options give the same bytes. Always among them: the false positive, a run whose index line and summary differ, a crash without
 * a session, and words that no list knows.
 */
export function sessionLogRoot({
  seed = 1,
  runs: wanted = 40,
  startedAt = '2026-04-06T06:00:00.000Z',
}: SessionLogOptions = {}): SessionLogRoot {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const runs: LoggedRun[] = []
  let clock = Date.parse(startedAt)

  const add = (work: Work, ending: EndingName, more: Partial<LoggedRun> = {}): LoggedRun => {
    const start = new Date(clock)
    const seconds = 20 + Math.floor(random() * 900)
    clock += (seconds + 5) * 1000
    const sessionId = ending === 'crashed' ? null : uuidFrom(random)
    const failed = ending !== 'success'
    const run: LoggedRun = {
      sessionId,
      dir: sessionId ?? `no_session_${pythonTime(start).replaceAll(':', '-')}`,
      ...work,
      ending,
      startedAt: start,
      seconds,
      inputTokens: 500 + Math.floor(random() * 20_000),
      outputTokens: 100 + Math.floor(random() * 4_000),
      writes: endingOf(ending).writes ?? Math.floor(random() * 5),
      retryReason: failed ? endingOf(ending).retryReason : null,
      ...more,
    }
    runs.push(run)
    return run
  }

  const story: Work = workOf(
    'kitchen-north',
    'order-7',
    'review_pr',
    '/autoskillit:review-pr 415 --against main',
  )
  // Before its fix the source retried what a channel had confirmed, although a retry could not fix the contract.
  const falsePositive = [1, 2, 3, 4].map((n) =>
    add(story, 'contract_violation', {
      retryReason: 'resume',
      ...(n === 4 && { stoppedByBudget: true as const }),
    }),
  )
  add(
    workOf('kitchen-south', 'order-9', 'implement', '/autoskillit:implement-worktree plans/search.md'),
    'success',
    { differs: true },
  )
  add(workOf('kitchen-south', 'order-9', 'open_pr', '/autoskillit:open-pr'), 'crashed')
  add(workOf('kitchen-south', 'order-10', 'plan', '/autoskillit:make-plan a page of policies'), 'newer_words')
  for (let order = 20; runs.length < wanted; order++) {
    const kitchen = pick(['kitchen-north', 'kitchen-south', 'kitchen-west'])
    for (const [step, command] of STEPS) {
      const work = workOf(kitchen, `order-${order}`, step, `${command} ${pick(SUBJECTS)}`)
      const retried = random() < 0.35 ? 1 + Math.floor(random() * 3) : 0
      for (let n = 0; n < retried && runs.length < wanted; n++)
        add(work, pick(RETRIED), order % 4 === 0 ? { older: true } : {})
      if (runs.length < wanted)
        add(work, random() < 0.85 ? 'success' : 'timeout', order % 4 === 0 ? { older: true } : {})
    }
  }
  return { files: filesOf(runs, random), runs, falsePositive }
}

type Work = Pick<LoggedRun, 'kitchen' | 'order' | 'step' | 'command' | 'cwd'>

const workOf = (kitchen: string, order: string, step: string, command: string): Work => ({
  kitchen,
  order,
  step,
  command,
  cwd: `/srv/clones/${order}`,
})

const STEPS: readonly [step: string, command: string][] = [
  ['plan', '/autoskillit:make-plan'],
  ['implement', '/autoskillit:implement-worktree'],
  ['test', '/autoskillit:run-tests'],
  ['review_pr', '/autoskillit:review-pr'],
]

const SUBJECTS = [
  'the search box',
  'paging of the list',
  'a retry of failed mails',
  // Longer than the index keeps.
  'an export of all orders of a customer, with their positions, the taxes of each country and the currency in which it was paid',
]

const RETRIED = Object.keys(ENDINGS).filter(
  (name) => ENDINGS[name as EndingName].retryReason !== 'none' && name !== 'newer_words',
) as EndingName[]

function filesOf(runs: readonly LoggedRun[], random: () => number): Map<string, string> {
  const files = new Map<string, string>()
  for (const run of runs) {
    const put = (name: string, text: string): void => void files.set(`sessions/${run.dir}/${name}`, text)
    const trace = traceOf(run, Math.floor(random() * 4))
    if (trace.length > 0) put('proc_trace.jsonl', lines(trace))
    const anomalies = random() < 0.2 || run.ending === 'empty' ? [anomalyOf(run)] : []
    if (anomalies.length > 0) put('anomalies.jsonl', lines(anomalies))
    put(
      'summary.json',
      `${JSON.stringify(sorted(summaryOf(run, trace.length, anomalies.length)), null, 2)}\n`,
    )
    if (run.ending === 'crashed') put('crash_exception.txt', CRASH)
    if (run.sessionId !== null) put('token_usage.json', JSON.stringify(tokensOf(run)))
    put(
      'step_timing.json',
      JSON.stringify({ step_name: run.step, total_seconds: run.seconds, order_id: run.order }),
    )
    if (run.retryReason !== null) put('audit_log.json', JSON.stringify(historyOf(run)))
  }
  files.set('sessions.jsonl', lines(runs.map(indexLineOf)))
  return files
}

const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')
const sorted = (record: object): object =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

/** `isoformat()` of Python: microseconds and an offset. */
const pythonTime = (at: Date): string => at.toISOString().replace(/(\.\d{3})Z$/, '$1000+00:00')
const endOf = (run: LoggedRun): Date => new Date(run.startedAt.getTime() + run.seconds * 1000)

/** What index and summary both contain. */
const both = (run: LoggedRun): Record<string, unknown> => {
  const { success, subtype, cliSubtype, exitCode } = endingOf(run.ending)
  return {
    session_id: run.sessionId ?? '',
    dir_name: run.dir,
    cwd: run.cwd,
    claude_code_log:
      run.sessionId === null
        ? null
        : `/home/agent/.claude/projects/${run.cwd.replaceAll('/', '-')}/${run.sessionId}.jsonl`,
    success,
    subtype,
    cli_subtype: cliSubtype,
    exit_code: exitCode,
    snapshot_count: 0,
    anomaly_count: 0,
    peak_rss_kb: 412_000,
    peak_oom_score: 667,
    write_call_count: run.writes,
    tracked_comm: 'claude',
    tracked_comm_drift: false,
  }
}

const indexLineOf = (run: LoggedRun): object => ({
  ...both(run),
  timestamp: pythonTime(run.startedAt),
  [run.older ? 'pipeline_id' : 'kitchen_id']: run.kitchen,
  order_id: run.order,
  skill_command: run.command.slice(0, 100),
  step_name: run.step,
  input_tokens: run.inputTokens,
  output_tokens: run.outputTokens,
  ...(run.differs && { success: false, subtype: 'adjudicated_failure' }),
})

const summaryOf = (run: LoggedRun, snapshots: number, anomalies: number): object => ({
  ...both(run),
  pid: 4242,
  skill_command: run.command,
  start_ts: pythonTime(run.startedAt),
  end_ts: pythonTime(endOf(run)),
  duration_seconds: run.seconds,
  snapshot_interval_seconds: 5,
  snapshot_count: snapshots,
  anomaly_count: anomalies,
  peak_fd_ratio: 0.021,
  termination_reason: endingOf(run.ending).termination,
  kill_reason: endingOf(run.ending).kill,
  write_path_warnings:
    run.ending === 'contract_violation' ? ['Write to /tmp/notes.md is outside of the working directory'] : [],
  clone_contamination_reverted: false,
  tracer_target_resolution_version: 2,
})

const tokensOf = (run: LoggedRun): object => ({
  step_name: run.step,
  input_tokens: run.inputTokens,
  output_tokens: run.outputTokens,
  cache_creation_input_tokens: 3_000,
  cache_read_input_tokens: 90_000,
  timing_seconds: run.seconds,
  order_id: run.order,
})

function historyOf(run: LoggedRun): object[] {
  const { subtype, exitCode } = endingOf(run.ending)
  const record = {
    timestamp: pythonTime(endOf(run)),
    skill_command: run.command.slice(0, 200),
    exit_code: exitCode,
    subtype,
    needs_retry: run.retryReason !== 'none',
    retry_reason: run.retryReason,
    stderr: '',
  }
  return run.stoppedByBudget
    ? [record, { ...record, needs_retry: false, retry_reason: 'budget_exhausted' }]
    : [record]
}

const traceOf = (run: LoggedRun, count: number): object[] =>
  Array.from({ length: count }, (_, seq) => ({
    ts: pythonTime(new Date(run.startedAt.getTime() + seq * 5_000)),
    seq,
    event: 'snapshot',
    pid: 4242,
    comm: 'claude',
    state: 'sleeping',
    vm_rss_kb: 380_000 + seq * 8_000,
    oom_score: 667,
    fd_count: 21,
    fd_soft_limit: 1024,
  }))

const anomalyOf = (run: LoggedRun): object => ({
  ts: pythonTime(endOf(run)),
  seq: -1,
  event: 'anomaly',
  kind: 'empty_result_with_tokens',
  severity: 'warning',
  pid: 0,
  detail: { output_tokens: run.outputTokens },
  snapshot: {},
})

const CRASH = `Traceback (most recent call last):
  File "/opt/kitchen/headless.py", line 88, in run_headless
    process = await open_process(command)
FileNotFoundError: [Errno 2] No such file or directory: 'claude'
`

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function uuidFrom(random: () => number): string {
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
}
