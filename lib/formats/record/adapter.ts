import { finish, notAnObject, unknownType, untyped, type RecordContent } from '../claude/draft'
import { wholeSpan } from '../claude/span'
import { clipStart, idText, timeOf } from '../claude/text'
import { capText, cutText } from '../../text/cap-text'
import {
  asObject,
  flagAt,
  listAt,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
  type Notes,
} from '../claude/wire'
import type { EventSummary } from '../../model/messages/event-summaries'
import { readCi } from './read-ci'
import type { Adapter, LineInput } from '../../model/adapter'
import { RUN_TAIL_CHARS, type RunFact } from '../../model/run-facts'

/** What the end of a record needs to know of its beginning; plain JSON. */
export interface RecordContext {
  /** Execution that the document names for itself. */
  key: string | null
  run: Omit<RunFact, 'span'> | null
  stderrTail: string
  /** Unset in contexts of older versions. */
  stdoutTail?: string
}

/** Lines that name the execution of their document. */
const NAMING = new Set(['record.start', 'record.ci'])

/**
 * The document of `inquest record`: a start, what was printed, an end. It names the one execution it belongs to, the session of the agent
 * where that is known, so that the record, the output and the transcript of one run are one execution. Without an end the recorder was killed.
 *
 * @see docs/sources/record.md
 */
export const recordDocument: Adapter<RecordContext> = {
  channel: 'record',

  peek(value) {
    const record = asObject(value)
    const named =
      record !== null && NAMING.has(String(record['type']))
        ? textAt(record, 'executionKey', { wrong: [] })
        : null
    return { sessionId: named || null, agentId: null }
  },

  start: (hint) => ({ key: hint.sessionId ? idText(hint.sessionId) : null, run: null, stderrTail: '' }),

  read(line, context) {
    const raw = asObject(line.value)
    if (raw === null) return notAnObject(line, keyOf(context, line))
    const notes: Notes = { wrong: [] }
    const type = textAt(raw, 'type', notes) ?? ''
    const { content, at } = tell(type, raw, line, context, notes)
    const missing = context.key === null
    return finish(
      line,
      { executionKey: keyOf(context, line), type, at, uuid: null, parentUuid: null },
      content,
      notes,
      missing,
    )
  },
}

/** A document without its start gets an execution made of the record: the same input gives the same key. */
const keyOf = (context: RecordContext, line: LineInput): string =>
  (context.key ??= `no-session-${line.digest.slice(0, 16)}`)

function tell(
  type: string,
  raw: JsonObject,
  line: LineInput,
  context: RecordContext,
  notes: Notes,
): { content: RecordContent; at: string | null } {
  const time = (key: string): string | null => timeOf(textAt(raw, key, notes))
  switch (type) {
    case 'record.start':
      return { content: readStart(raw, line, context, notes), at: time('startedAt') }
    case 'record.ci':
      return { content: readStep(raw, line, context, notes), at: null }
    case 'record.output':
      return { content: readOutput(raw, context, notes), at: time('at') }
    case 'record.end':
      return { content: readEnd(raw, line, context, notes), at: time('endedAt') }
    case '':
      return { content: untyped(line), at: null }
    default:
      return { content: unknownType(type), at: time('at') }
  }
}

const NOTHING: Omit<RunFact, 'span'> = {
  recordId: '',
  command: [],
  cwd: null,
  startedAt: null,
  endedAt: null,
  exitCode: null,
  signal: null,
  termination: null,
  channelConfirmation: null,
  killReason: null,
  marker: '',
  patterns: [],
  timeoutS: null,
  chain: null,
  ci: null,
  stdout: { bytes: null, sha256: null, kind: null, sentBytes: null },
  stderrTail: '',
  verdict: null,
}

function readStart(raw: JsonObject, line: LineInput, context: RecordContext, notes: Notes): RecordContent {
  const recordId = capText(textAt(raw, 'recordId', notes) ?? '', 256)
  context.key = idText(textAt(raw, 'executionKey', notes) || `record-${recordId}`)
  const contract = objectAt(raw, 'contract', notes) ?? {}
  const failureTag = textAt(contract, 'failureTag', notes, '/contract')
  const chain = objectAt(raw, 'chain', notes)
  const chainKey = chain === null ? null : textAt(chain, 'key', notes, '/chain')
  const labels = objectAt(raw, 'labels', notes) ?? {}
  const ci = readCi(objectAt(raw, 'ci', notes), notes)
  const cwd = clipped(textAt(raw, 'cwd', notes), 2_000)
  context.run = {
    ...NOTHING,
    recordId,
    command: texts(listAt(raw, 'command', notes), 200, 2_000),
    cwd,
    startedAt: timeOf(textAt(raw, 'startedAt', notes)),
    marker: capText(textAt(contract, 'marker', notes, '/contract') ?? '', 2_000),
    patterns: texts(listAt(contract, 'expect', notes, '/contract'), 200, 10_000),
    timeoutS: numberAt(raw, 'timeoutS', notes),
    ...(failureTag ? { failureTag: capText(failureTag, 200) } : {}),
    chain: chainKey
      ? { key: idText(chainKey), attempt: chain && numberAt(chain, 'attempt', notes, '/chain') }
      : null,
    ci,
  }
  const repository = textAt(labels, 'repository', notes, '/labels') ?? ci?.repository
  const branch = textAt(labels, 'branch', notes, '/labels') ?? ci?.branch
  return {
    kind: 'run_start',
    summary: `Recorded: ${context.run.command.join(' ')}`,
    facts: {
      run: { ...context.run, span: wholeSpan(line) },
      ...(cwd ? { cwd: capText(cwd, 1_000) } : {}),
      ...(repository ? { repository: capText(repository, 1_000) } : {}),
      ...(branch ? { branch: capText(branch, 1_000) } : {}),
    },
  }
}

/** A document of this line alone names the CI run of an execution whose records came as a file. */
function readStep(raw: JsonObject, line: LineInput, context: RecordContext, notes: Notes): RecordContent {
  const named = textAt(raw, 'executionKey', notes)
  if (named) context.key = idText(named)
  const ci = readCi(objectAt(raw, 'ci', notes), notes)
  const conclusion = clipped(textAt(raw, 'conclusion', notes), 200)
  if (ci === null) return { kind: 'meta', summary: 'CI run', facts: {} }
  return {
    kind: 'meta',
    summary: 'CI run',
    facts: {
      ciStep: { ci, conclusion, span: wholeSpan(line) },
      ...(ci.repository ? { repository: capText(ci.repository, 1_000) } : {}),
      ...(ci.branch ? { branch: capText(ci.branch, 1_000) } : {}),
    },
  }
}

function readOutput(raw: JsonObject, context: RecordContext, notes: Notes): RecordContent {
  const channel = textAt(raw, 'channel', notes) ?? ''
  const text = textAt(raw, 'text', notes)
  const base64 = text === null ? textAt(raw, 'base64', notes) : null
  const words =
    text ??
    (base64 === null
      ? ''
      : `[${Math.floor((base64.replace(/=+$/, '').length * 3) / 4)} bytes that are not text]\n`)
  if (channel === 'stderr') context.stderrTail = clipStart(context.stderrTail + words, RUN_TAIL_CHARS.stderr)
  if (channel === 'stdout')
    context.stdoutTail = clipStart((context.stdoutTail ?? '') + words, RUN_TAIL_CHARS.stdout)
  return { kind: 'progress', summary: `${capText(channel, 20)}: ${cutText(words, 400)}`, facts: {} }
}

function readEnd(raw: JsonObject, line: LineInput, context: RecordContext, notes: Notes): RecordContent {
  const text = (key: string, max = 200): string | null => clipped(textAt(raw, key, notes), max)
  const verdict = objectAt(raw, 'verdict', notes)
  const inVerdict = (key: string, max = 200): string | null =>
    verdict === null ? null : clipped(textAt(verdict, key, notes, '/verdict'), max)
  const saidInVerdict = (key: string, max: number): string | null => {
    const said = verdict === null ? null : textAt(verdict, key, notes, '/verdict')
    return said === null ? null : cutText(said, max)
  }
  const run: Omit<RunFact, 'span'> = {
    ...(context.run ?? NOTHING),
    endedAt: timeOf(textAt(raw, 'endedAt', notes)),
    exitCode: numberAt(raw, 'exitCode', notes),
    signal: text('signal'),
    termination: text('termination'),
    channelConfirmation: text('channelConfirmation'),
    killReason: text('killReason'),
    stdout: {
      bytes: numberAt(raw, 'stdoutBytes', notes),
      sha256: text('stdoutSha256'),
      kind: text('stdoutKind'),
      sentBytes: numberAt(raw, 'stdoutSentBytes', notes),
    },
    stderrTail: context.stderrTail,
    ...(context.stdoutTail ? { stdoutTail: context.stdoutTail } : {}),
    verdict:
      verdict === null
        ? null
        : {
            failed: flagAt(verdict, 'failed', notes, '/verdict') ?? false,
            kind: inVerdict('kind') ?? '',
            reason: saidInVerdict('reason', 2_000),
            text: saidInVerdict('text', 4_000),
            failedOn: inVerdict('failedOn'),
          },
  }
  context.run = run
  return { kind: 'run_result', summary: summaryOfEnd(run), facts: { run: { ...run, span: wholeSpan(line) } } }
}

const summaryOfEnd = ({
  exitCode,
  signal,
  termination,
  timeoutS,
  verdict,
}: Omit<RunFact, 'span'>): EventSummary => ({
  id: 'command_ended',
  params: {
    exitCode,
    signal,
    limit: termination === 'timed_out' ? { seconds: timeoutS ?? null } : null,
    verdict: verdict?.text || null,
  },
})

const clipped = (text: string | null, max: number): string | null =>
  text === null ? null : capText(text, max)

/** The texts of a list; what is no text appears as the JSON that it is, so that places in it stay the same. */
const texts = (list: unknown[] | null, most: number, charsMax: number): string[] =>
  (list ?? [])
    .slice(0, most)
    .map((one) => capText(typeof one === 'string' ? one : (JSON.stringify(one) ?? ''), charsMax))
