import { errorLine } from '../describe-error'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCronItems, run, type Runner } from 'graphile-worker'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import type { MirrorRoots } from '@/lib/connections/mirror-roots'
import { failedControls } from '@/lib/judge/parity/controls'
import type { MessageOf } from '@/lib/model/message'
import type { BackgroundWork, FailureOfOne, PlainFailure } from '@/lib/model/messages/background-work'
import { textOf } from '@/lib/words/catalogue'
import { BACKGROUND_WORK_WORDS } from '@/lib/words/background-work'
import { openDb } from '../client'
import { fetchedLayers } from '../connections/fetched-layers'
import { pollConnection } from '../connections/poll'
import type { ConnectionKey } from '../connections/run-standing'
import { sweepScratch } from '../mirrors/scratch'
import { ensurePartitions } from '../partitions'
import type { ReingestOrder } from '../threads/messages'
import { analyseDirty, findDirty, type DirtyWork } from '../writes/derive/analyse'
import type { FixStore, PatchReader } from '../fixes/patch-reader'
import { checkFit } from '../fixes/check-fit'
import { cleanIdempotency } from '../idempotency'
import { expireFixes } from '../fixes/expire-fixes'
import { retryQuarantined } from '../writes/derive/quarantine'
import { claimReingest, releaseReingest, stepReingest, type ReingestKey } from '../rebuild/reingest-job'
import { rereadFixes } from '../fixes/reread-fixes'
import { renewVerdict } from '../writes/derive/chain-verdicts'
import { foldRollups } from '../writes/publish/facet-counts'
import { handOverPatches } from '../fixes/hand-over-patches'
import { ingestBody } from '../writes/ingest'
import type { IngestBody } from '../writes/receive/ingest-body'
import {
  checkInTurn,
  noteOtherCode,
  sweepParity,
  type CheckAnswer,
  type CheckOrder,
} from '../parity/sweep-parity'
import {
  enqueueFit,
  enqueueLeftReingests,
  enqueueOverdue,
  enqueueOverdueFits,
  enqueueOverduePolls,
  enqueuePoll,
  enqueueReingest,
} from '../queue/enqueue'
import { jobLogger } from './logger'
import { storeText } from '@/lib/words/server/store'

/** Milliseconds without a further piece after which a deferred analysis is done anyway: its last piece may never come. */
const QUIET_MS = 1500
/** A sweep is over before the next one begins. */
const SWEEP_MS = 50_000
/** Of a rebuild, milliseconds after which it lets other jobs have their turn, and between two steps. */
const TURN_MS = 20_000
const REINGEST_PAUSE_MS = 20
/** Checks whether a patch fits that are at work at once; further ones come back after so many seconds. */
const FITS_AT_ONCE = 2
const FIT_LATER_SECONDS = 1

export interface JobsOptions {
  log?: (level: string, message: string) => void
  /** Analyses what is due somewhere else; here when it hands back nothing. */
  analyseDirty?: (work: DirtyWork) => Promise<number> | undefined
  /** Milliseconds of each minute in which layers are compared; 0: never. */
  parityBudgetMs?: number
  /** Compares the layers of one execution somewhere else; here when it hands back nothing. */
  checkParity?: (order: CheckOrder) => Promise<CheckAnswer> | undefined
  /** Takes the next step of a rebuild somewhere else; here when it hands back nothing. */
  stepReingest?: (order: ReingestOrder) => Promise<boolean> | undefined
  /** Takes in what was fetched somewhere else; here when it hands back nothing. */
  ingest?: (body: IngestBody) => Promise<IngestAnswer> | undefined
  /** Reads patches that were stored somewhere else; here when it is left out. */
  patches?: PatchReader
  /** Of the server. Without it no source is asked: what opens them is sealed. */
  secret?: string
  /** Tag by which failure signals are looked for. */
  failureTag?: string
  /** Folders below which mirrors may stand; without it none may. */
  mirrorRoots?: MirrorRoots
  /** The clock that partitions are made by. */
  now?: () => Date
}

export interface Jobs {
  stop(): Promise<void>
}

/**
 * Starts the background work inside this process (graphile-worker, on the same database):
 * `analyse` what imports left for later, `verify-chain` where receipts came, `poll-connection` for each connected source at its time, `fit` where a check is asked for, `fixes`, `rollups` and `parity` each
 * minute, `clean` each hour, `partitions` each day and once at the start.
 *
 * @param url must not go through a transaction pooler: the worker listens
 */
export async function startJobs(
  url: string,
  { log = () => {}, now = () => new Date(), secret, failureTag, ...options }: JobsOptions = {},
): Promise<Jobs> {
  // A check of parity has a transaction, and looks beside it who waits for that.
  const db = openDb(url, { max: 4 })
  const fixes: FixStore = { sql: db.sql, patches: options.patches }
  const stopping = new AbortController()
  const analyse = async (work: DirtyWork): Promise<number> => {
    // Looked at here: a thread that nobody needs should not begin each minute.
    if ((await findDirty(db, { ...work, limit: 1 })).length === 0) return 0
    return options.analyseDirty?.(work) ?? analyseDirty(db, work)
  }
  const parityBudgetMs = options.parityBudgetMs ?? 0
  const mirrorRoots = options.mirrorRoots ?? (() => null)
  let fitting = 0
  /** What was broken off because the process ends is no error. */
  const unlessStopping = (error: unknown): [] => {
    if (!stopping.signal.aborted) throw error
    return []
  }
  const report = (level: string, message: MessageOf<BackgroundWork>): void =>
    log(level, textOf(BACKGROUND_WORK_WORDS, message))
  const failedAs =
    (id: PlainFailure) =>
    (error: unknown): void =>
      report('error', { id, params: { error: errorLine(error) } })
  const failedOf =
    (id: FailureOfOne) =>
    (error: unknown, of: string): void =>
      report('error', { id, params: { id: of, error: errorLine(error) } })
  /** Work that has nothing to do with one another: failures are reported, and the rest is done. The job then counts as failed. */
  const eachOf = async (parts: Partial<Record<PlainFailure, () => Promise<unknown>>>): Promise<void> => {
    let failed: unknown
    for (const [id, work] of Object.entries(parts) as [PlainFailure, () => Promise<unknown>][])
      await work().catch((error: unknown) => {
        failed ??= error
        failedAs(id)(error)
      })
    if (failed !== undefined && !stopping.signal.aborted) throw failed
  }
  const tasks = {
    analyse: async () => {
      // What was still being sent when the job was due has pushed its own due time on.
      while ((await analyse({ quietMs: QUIET_MS })) > 0);
    },
    'verify-chain': async (payload: unknown) => {
      const { projectId, chainId } = payload as { projectId: string; chainId: string }
      await renewVerdict(db, projectId, chainId)
    },
    'poll-connection': async (payload: unknown) => {
      if (secret === undefined) return
      const key = payload as ConnectionKey
      try {
        const polled = await pollConnection(key, {
          sql: db.sql,
          secret,
          failureTag,
          log,
          signal: stopping.signal,
          ingest: (body) => options.ingest?.(body) ?? ingestBody(db, body),
        })
        // Whoever is at it asks for the next one.
        if (polled !== null) await db.sql.begin((tx) => enqueuePoll(tx, key))
      } catch (error) {
        // What was taken stays, and the next process goes on.
        if (!stopping.signal.aborted) throw error
      }
    },
    connections: async () => {
      await db.sql.begin(enqueueOverduePolls)
    },
    fit: async (payload: unknown) => {
      const key = payload as { projectId: string; fixId: string }
      if (fitting >= FITS_AT_ONCE)
        return void (await db.sql.begin((tx) => enqueueFit(tx, key, FIT_LATER_SECONDS)))
      fitting += 1
      try {
        await checkFit(db.sql, { ...key, roots: mirrorRoots, signal: stopping.signal })
      } finally {
        fitting -= 1
      }
    },
    fixes: async () =>
      eachOf({
        expiring_fixes_failed: async () => {
          while ((await expireFixes(db.sql, failedOf('fix_not_closed'))) > 0);
        },
        proposing_patches_failed: async () => {
          for (const { executionId, error } of (await handOverPatches(fixes)).failed)
            failedOf('patches_not_proposed')(error, executionId)
        },
        reading_patches_failed: () =>
          rereadFixes(fixes, {
            left: true,
            signal: stopping.signal,
            onError: failedOf('patch_not_read'),
          }),
        finding_fits_failed: () => db.sql.begin(enqueueOverdueFits),
      }),
    rollups: async () =>
      eachOf({
        counting_failed: () => foldRollups(db.sql as never),
        analyses_failed: () => analyse({ quietMs: 10 * QUIET_MS }),
        finding_rebuilds_failed: () => db.sql.begin(enqueueLeftReingests),
      }),
    reingest: async (payload: unknown) => {
      const key = payload as ReingestKey
      if (!(await claimReingest(db.sql, key))) return
      const endMs = performance.now() + TURN_MS
      try {
        for (;;) {
          const order = { ...key, failureTag }
          if (!(await (options.stepReingest?.(order) ?? stepReingest(fixes, key, order)))) return
          if (stopping.signal.aborted || performance.now() > endMs) break
          // Whoever waits for the database goes first.
          await sleep(REINGEST_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
        }
      } finally {
        await releaseReingest(db.sql, key).catch(() => {}) // the next one takes it a minute later then
      }
      // Another job of the same worker may have its turn.
      if (!stopping.signal.aborted) await db.sql.begin((tx) => enqueueReingest(tx, key))
    },
    parity: async () => {
      if (parityBudgetMs === 0) return
      await sweepParity(db, {
        budgetMs: parityBudgetMs,
        withinMs: SWEEP_MS,
        failureTag,
        fetch: async (projectId, executionId) =>
          secret === undefined
            ? []
            : fetchedLayers(db.sql, secret, {
                projectId,
                executionId,
                asks: 'background',
                signal: stopping.signal,
              }).catch(unlessStopping),
        // Its source was not heard to the end.
        check: async (order) =>
          stopping.signal.aborted ? 'in-the-way' : (options.checkParity?.(order) ?? checkInTurn(db, order)),
        pause: (ms) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}),
        isStopped: () => stopping.signal.aborted,
        onError: failedOf('layers_not_compared'),
      })
    },
    clean: async () => {
      await cleanIdempotency(db.sql)
      await sweepScratch()
    },
    partitions: async () => {
      const made = await ensurePartitions(db.sql, now())
      if (made.length > 0) report('info', { id: 'partitions_made', params: { names: made } })
    },
  }
  /** The rules for flags change with the code, which is with a start. */
  const readAgain = async (): Promise<void> => {
    await rereadFixes(fixes, {
      signal: stopping.signal,
      onError: failedOf('patch_not_read'),
    })
  }
  let runner: Runner
  try {
    await tasks.partitions()
    runner = await run({
      connectionString: url,
      maxPoolSize: 5,
      // A source that is slow to answer, and a check of parity, leave two for the rest.
      concurrency: 4,
      pollInterval: 2000,
      // The process has its own order of shutting down.
      noHandleSignals: true,
      logger: jobLogger(log),
      taskList: tasks,
      parsedCronItems: parseCronItems([
        { task: 'rollups', match: '* * * * *' },
        // One at a time, whichever process it is in; one that was missed is made up for by the next.
        {
          task: 'parity',
          match: '* * * * *',
          options: { queueName: 'parity', jobKey: 'parity', maxAttempts: 1 },
        },
        { task: 'connections', match: '* * * * *' },
        { task: 'fixes', match: '* * * * *' },
        { task: 'clean', match: '17 * * * *' },
        { task: 'partitions', match: '10 3 * * *' },
      ]),
    })
  } catch (error) {
    await db.close()
    throw error
  }
  void sweepScratch().catch(failedAs('cleaning_scratch_failed'))
  void retryQuarantined(db.sql).catch(failedAs('finding_quarantined_failed'))
  void db.sql.begin(enqueueLeftReingests).catch(failedAs('finding_rebuilds_failed'))
  void db.sql.begin(enqueueOverdueFits).catch(failedAs('finding_fits_failed'))
  void db.sql.begin(enqueueOverduePolls).catch(failedAs('finding_connections_failed'))
  void readAgain().catch(failedAs('rereading_patches_failed'))
  void db.sql.begin(enqueueOverdue).catch(failedAs('finding_chains_failed'))
  if (parityBudgetMs > 0) {
    const failed = failedControls()
    if (failed.length > 0) report('error', { id: 'controls_failed', params: { controls: failed } })
    void noteOtherCode(db).catch(failedAs('finding_checks_failed'))
  }
  // A worker that breaks ends its promise; the process that it lives in goes on and says so.
  runner.promise.catch(failedAs('worker_stopped'))
  return {
    stop: async () => {
      stopping.abort(new Error(storeText.serverStopping))
      await runner.stop().catch(() => {})
      await db.close()
    },
  }
}
