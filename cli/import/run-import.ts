import { setMaxListeners } from 'node:events'
import { hostname } from 'node:os'
import { emptyFilter, formatFilter } from '@/lib/views/executions/filter'
import type { Outcome } from '@/lib/model/execution'
import { links } from '@/lib/links'
import { formatBytes, formatCount, countOf } from '@/lib/text/amounts'
import { importText } from '@/lib/words/cli/import'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import { createClient } from '../http'
import type { Client } from '../http'
import { drainSpool } from '../hook/send-frames'
import type { Output } from '../output'
import { drainRecords } from '../record/drain-records'
import { readSettings } from '../settings'
import type { Environment } from '../settings'
import { claudeProjects } from './claude-projects'
import { createIngestClient } from './ingest-client'
import type { IngestClient } from './ingest-client'
import { follow } from './follow'
import { disagreeingLine, leftReasons, oddLine, summaryLines, whyPartly } from './import-words'
import { endsImport, importFile, isPruned, prunedWords } from './import-file'
import type { ImportContext, Imported } from './import-file'
import { inertIn, nameCiStep } from './name-ci-step'
import { startProgress } from './progress'
import type { Progress } from './progress'
import { recogniseFile } from './recognise-file'
import { endsBadly, keyOfStep, sendCiStep, type CiStep } from './send-ci-step'
import { failedOutcomes, Tally } from './tally'
import type { FileReport } from './tally'
import { walk } from './walk'
import type { FoundFile } from './walk'

export interface ImportOptions {
  paths: string[]
  /** The agent history of this machine as well. */
  claude: boolean
  source?: string
  /** Slug of the project that it goes to. */
  project?: string
  watch: boolean
  dryRun: boolean
  /** The files are of the CI run that the environment names. */
  ci?: boolean
  /** How the step ended that ran the agent. */
  conclusion?: string | null
  /** Seconds the server may be away before the import gives up; ignored by `watch` once it follows. */
  patienceS: number
}

/** The server takes small files that wait in together; of large ones it contains two. */
const filesAtOnce = 12
const largeAtOnce = 2
const largeBytes = 1024 * 1024
const bufferBytes = 256 * 1024

/** Files of no interest that are named one by one in the text output; `--json` names all. */
const leftListedMax = 20

/** Takes files and folders to the server, and with `watch` follows them until it is stopped. */
export async function runImport(
  options: ImportOptions,
  env: Environment,
  written: Output,
  signal: AbortSignal,
): Promise<ExitName> {
  const output = options.ci ? inertIn(env, written) : written
  const paths = [...options.paths, ...(options.claude ? [claudeProjects(env)] : [])]
  if (paths.length === 0) {
    throw new CliFailure('usage', importText.nothingNamed)
  }
  const ciStep = options.ci ? nameCiStep(options.conclusion, env, output) : undefined
  const source = options.source ?? hostname()
  const client = options.dryRun
    ? null
    : createClient(readSettings(env), { sockets: filesAtOnce + 1, reread: () => readSettings(env) })
  // Each request on its way listens for the end.
  setMaxListeners(2 * filesAtOnce, signal)
  const run = new ImportRun(options, source, client, output, signal, ciStep)
  try {
    if (client) await reach(client, options.project, signal)
    const exit = await run.all(paths)
    if (client && !signal.aborted) await sendWaiting(client, env, source, output, signal)
    return exit
  } finally {
    client?.close()
  }
}

/** Fails at once, and plainly, when there is no server, instead of after a walk through thousands of files. */
async function reach(client: Client, project: string | undefined, signal: AbortSignal): Promise<void> {
  const ingest = createIngestClient({
    client,
    source: '',
    project,
    signal,
    patienceMs: 3_000,
    onAway: () => {},
    onBack: () => {},
  })
  await ingest.readStanding('reachable')
}

async function sendWaiting(
  client: Client,
  env: Environment,
  source: string,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { sent, left } = await drainSpool({
    client,
    env,
    source,
    idleMs: 30_000,
    onDropped: (words) => output.note(`${words}.`.replace(/^t/, 'T')),
  })
  if (sent > 0) output.line(importText.framesSent({ sent }))
  const records = await drainRecords({ client, env, signal, patienceMs: 0 })
  if (records.sent > 0) output.line(importText.recordsSent({ sent: records.sent }))
  if (left + records.left > 0) output.note(importText.spoolNotEmpty)
}

class ImportRun {
  private readonly tally = new Tally()
  private readonly left: FileReport[] = []
  private progress: Progress | null = null
  /** Executions that were linked to the CI run. */
  private linked = 0

  constructor(
    private readonly options: ImportOptions,
    private readonly source: string,
    private readonly client: Client | null,
    private readonly output: Output,
    private readonly signal: AbortSignal,
    private readonly ciStep: CiStep | undefined,
  ) {}

  async all(paths: string[]): Promise<ExitName> {
    const files = await this.find(paths)
    const total = files.reduce((sum, file) => sum + file.size, 0)
    this.progress = await startProgress(
      this.output,
      { files: files.length, bytes: total },
      process.stderr.isTTY === true,
    )
    const standings = new Map<string, Imported>()
    const context = this.context(this.options.patienceS * 1000)
    let failure: unknown = null
    try {
      await this.work(files, context, (file, imported) => {
        if (this.options.watch) standings.set(file.path, imported)
      })
      await this.linkStepItself(context)
    } catch (error) {
      if (!endsImport(error, this.signal)) throw error
      failure = error
    } finally {
      this.progress.stop()
    }
    if (this.options.watch && failure === null && !this.options.dryRun) {
      this.sayLeft()
      await this.follow(paths, standings)
      this.sayEnd(null)
      return this.tally.anyNotTaken ? 'partly' : 'fine'
    }
    this.sayLeft()
    this.sayEnd(failure)
    if (this.signal.aborted) return 'interrupted'
    if (failure instanceof CliFailure) throw failure
    return this.tally.anyNotTaken ? 'partly' : 'fine'
  }

  private async find(paths: string[]): Promise<FoundFile[]> {
    const files: FoundFile[] = []
    for await (const found of walk(paths)) {
      if (this.signal.aborted) break
      if ('file' in found) files.push(found.file)
      else if ('unreadable' in found) {
        const { path, because, gone } = found.unreadable
        const pruned = gone && isPruned(path)
        this.tell({
          path,
          name: path,
          status: pruned ? 'left' : 'not-taken',
          because: pruned ? prunedWords : because,
          bytes: 0,
          records: 0,
          odd: 0,
        })
      }
    }
    return files
  }

  private context(patienceMs: number): ImportContext {
    const { client, output, signal, source } = this
    const ingest: IngestClient = client
      ? createIngestClient({
          client,
          source,
          project: this.options.project,
          signal,
          patienceMs,
          onAway: ({ because, answered }) =>
            output.note(
              `The server ${answered ? importText.cannotTakeData : 'is unreachable'} (${because}); retrying.`,
            ),
          onBack: ({ answered }) => output.note(answered ? importText.takesDataAgain : importText.serverBack),
        })
      : nowhere
    return {
      ingest,
      recognise: recogniseFile,
      source,
      tally: this.tally,
      signal,
      wholeLinesOnly: this.options.watch,
      dryRun: this.options.dryRun,
      onBytes: (bytes) => this.progress?.bytes(bytes),
      ciStep: this.ciStep,
      onLinked: () => (this.linked += 1),
    }
  }

  /** Several files at once; the first failure of the server stops them all. */
  private async work(
    files: FoundFile[],
    context: ImportContext,
    onDone: (file: FoundFile, imported: Imported) => void,
  ): Promise<void> {
    const large = files.filter((file) => file.size > largeBytes).values()
    const small = files.filter((file) => file.size <= largeBytes).values()
    let stopped = false
    const worker = async (queue: Iterable<FoundFile>): Promise<void> => {
      const buffer = Buffer.allocUnsafe(bufferBytes)
      for (const file of queue) {
        if (stopped) return
        this.signal.throwIfAborted()
        try {
          const imported = await importFile(file, buffer, context)
          this.tell(imported.report)
          onDone(file, imported)
        } catch (error) {
          stopped = true
          throw error
        }
        this.progress?.fileDone()
      }
    }
    const results = await Promise.allSettled([
      ...Array.from({ length: largeAtOnce }, () => worker(large)),
      ...Array.from({ length: filesAtOnce - largeAtOnce }, () => worker(small)),
    ])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  private async follow(paths: string[], standings: Map<string, Imported>): Promise<void> {
    const context = this.context(Number.POSITIVE_INFINITY)
    this.output.line(importText.watching({ files: standings.size }))
    await follow({
      paths,
      standings,
      context,
      tell: (report) => this.tell(report, true),
      note: (text) => this.output.note(text),
    })
  }

  /** Of a step that failed before its agent wrote anything there is the step itself to open. */
  private async linkStepItself({ ingest, dryRun }: ImportContext): Promise<void> {
    if (!this.ciStep || this.linked > 0 || dryRun || !endsBadly(this.ciStep)) return
    this.tally.addAnswer(await sendCiStep(ingest, keyOfStep(this.ciStep), this.ciStep))
    this.output.line(importText.stepItself)
  }

  private tell(report: FileReport, live = false): void {
    this.tally.addFile(report)
    this.output.record({ file: report })
    if (this.output.json) return
    const say = (text: string): void =>
      this.progress && !live ? this.progress.say(text) : this.output.line(text)
    if (report.disagreeingRows) say(disagreeingLine(report.name, report.disagreeingRows))
    if (report.odd > 0) say(oddLine(report))
    if (report.status === 'not-taken') say(`not taken: ${report.path}: ${report.because}`)
    else if (report.status === 'left' && !report.along) this.left.push(report)
    else if (report.status === 'would-send')
      say(`would send: ${report.path} (${report.kind}, ${formatBytes(report.bytes)})`)
    else if (report.rewritten) say(importText.sentAgain({ path: report.path }))
    else if (live && report.status === 'sent')
      say(
        `${report.name}: ${countOf(report.records, 'record')}${report.odd > 0 ? `, ${formatCount(report.odd)} odd` : ''}`,
      )
  }

  private sayLeft(): void {
    const reasons = leftReasons(this.left)
    for (const { line } of reasons.slice(0, leftListedMax)) this.output.line(`left out: ${line}`)
    const more = reasons.slice(leftListedMax).reduce((sum, { files }) => sum + files, 0)
    if (more > 0) this.output.line(importText.moreLeftOut({ more }))
    this.left.length = 0
  }

  /** Address of the list of what this source has sent: other sources failed, too, and not here. */
  private list(outcomes: readonly Outcome[]): string {
    const { facets, words } = emptyFilter()
    const q = formatFilter({ words, facets: { ...facets, outcome: [...outcomes], source: [this.source] } })
    const search = new URLSearchParams({
      q,
      ...(this.options.project === undefined ? {} : { project: this.options.project }),
    })
    return links.executions(search.toString())
  }

  private sayEnd(failure: unknown): void {
    const address = (path: string): string =>
      this.client ? new URL(path, this.client.settings.url).href : path
    const totals = this.tally.summary(this.list(failedOutcomes), this.list([]), links.settings('sources'))
    // A terminal opens whole addresses only.
    const summary = { ...totals, dashboard: address(totals.dashboard) }
    const interrupted = this.signal.aborted && !this.options.watch
    this.output.record({
      summary,
      ...(interrupted ? { interrupted: true } : {}),
      dryRun: this.options.dryRun,
    })
    for (const line of summaryLines(summary, this.options.dryRun)) this.output.line(line)
    if (this.tally.anyNotTaken && !interrupted && !failure) this.output.line(whyPartly(summary))
    if (interrupted || failure) this.output.note(importText.unfinished)
  }
}

/** The ingest client of a dry run: says that the server has nothing, and must never be sent to. */
const nowhere: IngestClient = {
  readStanding: () => Promise.resolve(null),
  sendPart: () => Promise.reject(new Error(importText.dryRunSendsNothing)),
}
