import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import type { DirtyWork } from '../writes/derive/analyse'
import { type IngestBody, mayShare } from '../writes/receive/ingest-body'
import { MISSING_STREAM, MissingStreamError } from '../writes/receive/name-stream'
import type { CheckAnswer, CheckOrder } from '../parity/sweep-parity'
import { DOCUMENT_TOO_LARGE, DocumentTooLargeError } from '../writes/receive/document-limit'
import { LostThreadError } from './lost-thread'
import type { PatchReader } from '../fixes/patch-reader'
import type {
  FromThread,
  ReingestOrder,
  ThreadAnswer,
  ThreadError,
  ThreadSettings,
  ToThread,
} from './messages'
import { storeText } from '@/lib/words/server/store'

export interface IngestThreads {
  /** Like `ingestBody`, with the same answers and errors, and `LostThreadError` when a thread ends over it. The bytes are handed over: the caller must not use them again. */
  ingest(body: IngestBody): Promise<IngestAnswer>
  /** Like the function of that name. */
  analyseDirty(work: DirtyWork): Promise<number>
  /** Like `checkInTurn`; in the way when any thread has something to do, or all have and a body comes. */
  checkParity(order: CheckOrder): Promise<CheckAnswer>
  /** Like `stepReingest`; bodies that have come before it go first. */
  stepReingest(order: ReingestOrder): Promise<boolean>
  /** Lets what is begun end, and ends the threads. */
  close(): Promise<void>
}

export interface ThreadsOptions {
  url: string
  /** The bundled `ingest-thread.ts`. */
  script: string | URL
  prepare?: boolean
  /** Threads at most; each begins with the first body that finds no idle one. */
  threads?: number
  /** Milliseconds without a body after which the threads end and give their memory back. */
  idleMs?: number
  /** Reads patches that bodies bring; unset: the thread does so itself. */
  patches?: PatchReader
}

interface Waiting<Task = AnyTask> {
  task: Task
  resolve: (answer: ThreadAnswer) => void
  reject: (error: Error) => void
}

type BodyTask = { body: IngestBody }
type DirtyTask = { dirty: DirtyWork }
type CheckTask = { check: CheckOrder }
type ReingestTask = { reingest: ReingestOrder }
type AnyTask = BodyTask | DirtyTask | CheckTask | ReingestTask

interface Thread {
  worker: Worker
  open: Map<number, Waiting[]>
}

/** Transactions that one thread works on at once. A second one would fill the waits for the database, but what each holds is megabytes. */
const AT_ONCE = 1
/** Bodies that share a transaction, at most; only such share as are waiting anyway. */
const SHARING_MAX = 16
/** Bytes of them, at most. */
const SHARING_BYTES_MAX = 2 * 1024 * 1024
const IDLE_MS = 30_000
/** What a thread may fill before it collects: by itself V8 would take 48 MB for each of them. */
const YOUNG_MB = 8
/** Milliseconds that a thread may take to close its connections. */
const END_MS = 5_000

/**
 * Takes bodies in beside the thread that answers requests, analyses what is due and compares layers: reading 1 MiB of a transcript takes a twentieth of a
 * second of pure computing, a long session some seconds, and nobody's page should wait for that. Two threads, because an importer sends
 * several files at once.
 */
export function createIngestThreads({
  url,
  script,
  prepare = true,
  threads: most = Math.min(2, availableParallelism()),
  idleMs = IDLE_MS,
  patches,
}: ThreadsOptions): IngestThreads {
  const threads = new Set<Thread>()
  const queue: Waiting[] = []
  let last = 0
  let idle: NodeJS.Timeout | undefined
  let ended: (() => void) | null = null

  function begin(): Thread {
    const workerData: ThreadSettings = { url, prepare, atOnce: AT_ONCE, tellsPatches: patches !== undefined }
    const thread: Thread = {
      worker: new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } }),
      open: new Map(),
    }
    threads.add(thread)
    thread.worker.on('message', (message: FromThread) => {
      if ('patch' in message) return void patches?.read(message.patch).catch(() => {}) // the minute job comes by for what is left
      const waiting = thread.open.get(message.id) ?? []
      thread.open.delete(message.id)
      if (thread.open.size === 0) thread.worker.unref()
      for (const [i, { resolve, reject }] of waiting.entries()) {
        const { answer, error } = message.outcomes[i]!
        if (error) reject(revived(error))
        else resolve(answer)
      }
      next()
    })
    // Out of memory, or a script that cannot be read: what it had is answered for, and the next body begins another one.
    thread.worker.on('error', (error) => lose(thread, error as Error))
    thread.worker.on('exit', (status) => lose(thread, new Error(storeText.threadExited({ status }))))
    return thread
  }

  function lose(thread: Thread, cause: Error): void {
    if (!threads.delete(thread)) return
    const error = new LostThreadError(storeText.threadEnded, cause)
    for (const waiting of [...thread.open.values()].flat()) waiting.reject(error)
    next()
  }

  function next(): void {
    clearTimeout(idle)
    while (queue.length > 0) {
      const thread = free()
      // Nobody waits for a check; a body waits for its end.
      if (thread === null)
        return void [...threads].find(isChecking)?.worker.postMessage('give way' satisfies ToThread)
      send(thread, takeSharing(queue))
    }
    if (isBusy()) return
    idle = setTimeout(() => void endAll(), ended ? 0 : idleMs)
    idle.unref()
    ended?.()
  }

  /** The thread with the least to do; a new one before any has two bodies. */
  function free(): Thread | null {
    const least = [...threads].sort((a, b) => a.open.size - b.open.size)[0]
    if (least === undefined || (least.open.size > 0 && threads.size < most)) return begin()
    return least.open.size < AT_ONCE ? least : null
  }

  function send(thread: Thread, waiting: Waiting[]): void {
    const id = ++last
    thread.open.set(id, waiting)
    // A process must not end before its answers have come, nor stay for threads that have nothing to do.
    thread.worker.ref()
    const [first] = waiting
    if (first && !isOfBody(first))
      return thread.worker.postMessage({
        id,
        ...(first.task as Exclude<AnyTask, BodyTask>),
      } satisfies ToThread)
    const bodies = waiting
      .filter(isOfBody)
      .map(({ task: { body } }) => ({ ...body, bytes: wholeBuffer(body.bytes) }))
    thread.worker.postMessage(
      { id, bodies } satisfies ToThread,
      bodies.map(({ bytes }) => bytes.buffer),
    )
  }

  const isBusy = (): boolean => queue.length > 0 || [...threads].some((thread) => thread.open.size > 0)
  const ask = (task: AnyTask): Promise<ThreadAnswer> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new LostThreadError(storeText.serverStopping))
      queue.push({ task, resolve, reject })
      next()
    })

  async function endAll(): Promise<void> {
    const going = [...threads]
    threads.clear()
    await Promise.all(
      going.map(async ({ worker }) => {
        const gone = once(worker, 'exit')
        worker.postMessage('end' satisfies ToThread)
        const late = setTimeout(() => void worker.terminate(), END_MS)
        await gone
        clearTimeout(late)
      }),
    )
  }

  return {
    ingest: (body) => ask({ body }) as Promise<IngestAnswer>,
    analyseDirty: (dirty) => ask({ dirty }) as Promise<number>,
    stepReingest: (order) => ask({ reingest: order }) as Promise<boolean>,
    checkParity: (check) =>
      isBusy() ? Promise.resolve('in-the-way') : (ask({ check }) as Promise<CheckAnswer>),
    async close() {
      clearTimeout(idle)
      if (isBusy()) await new Promise<void>((resolve) => (ended = resolve))
      ended ??= () => {}
      await endAll()
    },
  }
}

const isOfBody = (waiting: Waiting): waiting is Waiting<BodyTask> => 'body' in waiting.task
const isChecking = (thread: Thread): boolean =>
  [...thread.open.values()].flat().some(({ task }) => 'check' in task)

/** What has waited longest, and when that is a body, those behind it that may share its transaction. */
function takeSharing(queue: Waiting[]): Waiting[] {
  const first = queue.shift()!
  if (!isOfBody(first) || !mayShare(first.task.body)) return [first]
  const taken = [first]
  let bytes = first.task.body.bytes.length
  while (queue.length > 0 && taken.length < SHARING_MAX) {
    const after = queue[0]!
    if (!isOfBody(after)) break
    const { body } = after.task
    bytes += body.bytes.length
    if (!mayShare(body) || !isAlike(body, first.task.body) || bytes > SHARING_BYTES_MAX) break
    queue.shift()
    taken.push(after)
  }
  return taken
}

const isAlike = (a: IngestBody, b: IngestBody): boolean =>
  a.projectId === b.projectId &&
  a.kind === b.kind &&
  a.source?.kind === b.source?.kind &&
  a.source?.name === b.source?.name

/** Bytes that own all of their buffer, which can then move to another thread without a copy. */
function wholeBuffer(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes
  return buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes)
}

function revived({ name, message, stack, code }: ThreadError): Error {
  if (name === MISSING_STREAM) return new MissingStreamError()
  if (name === DOCUMENT_TOO_LARGE) return new DocumentTooLargeError()
  return Object.assign(new Error(message), { name, stack, ...(code === undefined ? {} : { code }) })
}
