import { stat } from 'node:fs/promises'
import { importText } from '@/lib/words/cli/import'
import { lookAt } from '../receipts/copy-database'
import { digestRange } from './parts'
import { endsImport, importFile } from './import-file'
import type { ImportContext, Imported } from './import-file'
import type { Taken } from './recognise'
import type { DatabasePlace } from './send-database'
import { openFile } from './send-file'
import type { FileStanding } from './send-file'
import type { FileReport } from './tally'
import type { FoundFile } from './walk'
import { watchFolders } from './watch-folders'

/** What is remembered of a followed file: how far it was sent, and what its bytes there looked like. */
interface Followed {
  taken: Taken | null
  offset: number
  /** Size and time of the last look; another look is due when either differs. */
  size: number
  changedAt: number
  /** Digests of the first bytes and of the bytes before `offset`: growth keeps them, a rewrite does not. */
  marks: string
  /** Of a database: how far it was sent, and what it and its log looked like before that. */
  database?: { place: DatabasePlace; changed: string }
}

export interface Follow {
  paths: string[]
  standings: Map<string, Imported>
  context: ImportContext
  tell(report: FileReport): void
  note(text: string): void
}

const markBytes = 4096
const unseen = { size: -1, changedAt: 0 }

/** The server may have named the stream otherwise than we did. */
const ofStream = (taken: Taken | null, standing: FileStanding): Taken | null =>
  taken && { ...taken, streamId: standing.streamId ?? taken.streamId }

const filesAtOnce = 2

/** Sends what files grow by, line by line, until the signal ends; new files are taken as they come. */
export async function follow({ paths, standings, context, tell, note }: Follow): Promise<void> {
  const known = new Map<string, Followed>()
  const due = new Map<string, FoundFile>()
  const working = new Set<string>()
  let running = 0
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const spare = Array.from({ length: filesAtOnce }, () => Buffer.allocUnsafe(256 * 1024))
  const failures: unknown[] = []

  for (const [path, { standing, taken }] of standings) {
    const info = await stat(path).catch(() => null)
    if (!info) continue
    if (standing?.database) {
      // What was written since it was read is found by the first look.
      known.set(path, {
        taken,
        offset: 0,
        marks: '',
        ...unseen,
        database: { place: standing.database, changed: '' },
      })
      continue
    }
    const seen = { size: info.size, changedAt: info.mtimeMs }
    if (!standing) {
      known.set(path, { taken: null, offset: 0, marks: '', ...seen })
      continue
    }
    const marks = await marksOf(path, standing.offset, spare[0]!).catch(() => null)
    // Gone since, or no file any more: what comes in its place is met as something new.
    if (marks === null) continue
    const grown = info.size !== standing.offset
    known.set(path, {
      taken: ofStream(taken, standing),
      offset: standing.offset,
      marks,
      ...(grown ? unseen : seen),
    })
  }

  /** A database with a log is written beside its file for a long time: its log tells. */
  async function lookAtDatabase(
    file: FoundFile,
    buffer: Buffer,
    before: Followed & Required<Pick<Followed, 'database' | 'taken'>>,
  ): Promise<void> {
    const { changed, isFresh } = lookAt(file.path)
    if (changed === before.database.changed) return
    const { report, standing } = await importFile(file, buffer, context, {
      taken: before.taken!,
      offset: 0,
      database: before.database.place,
    })
    const place = standing?.database ?? before.database.place
    // Two writes within one tick of the clock look alike.
    known.set(file.path, {
      ...before,
      database: { place, changed: standing === null || isFresh ? '' : changed },
    })
    if (report.status === 'sent') tell(report)
  }

  async function look(file: FoundFile, buffer: Buffer): Promise<void> {
    const followed = known.get(file.path)
    if (followed?.database) return lookAtDatabase(file, buffer, { ...followed, database: followed.database })
    const info = await stat(file.path).catch(() => null)
    if (!info?.isFile()) return
    const before = known.get(file.path)
    if (before && before.size === info.size && before.changedAt === info.mtimeMs) return
    const seen = { size: info.size, changedAt: info.mtimeMs }
    if (info.size === 0) {
      known.set(file.path, { taken: null, offset: 0, marks: '', ...seen })
      if (before && before.offset > 0) note(importText.fileEmptied({ name: file.name }))
      return
    }
    // While nothing of a file was sent its first line may still be growing, and with it the name of the stream.
    const sameBytes =
      before?.taken != null &&
      before.offset > 0 &&
      info.size >= before.offset &&
      before.marks === (await marksOf(file.path, before.offset, buffer))
    const tail =
      sameBytes && info.size > before.offset && !before.taken!.whole
        ? { taken: before.taken!, offset: before.offset }
        : undefined
    const first = await importFile({ ...file, size: info.size }, buffer, context, tail)
    const { report, standing, taken } = first
    if (before && before.offset > 0 && !sameBytes) report.rewritten = true
    if (standing?.database)
      known.set(file.path, {
        taken,
        offset: 0,
        marks: '',
        ...seen,
        database: { place: standing.database, changed: '' },
      })
    else if (standing)
      known.set(file.path, {
        taken: ofStream(taken, standing),
        offset: standing.offset,
        marks: await marksOf(file.path, standing.offset, buffer),
        ...seen,
      })
    // A file that cannot be taken now is looked at again when it changes.
    else known.set(file.path, { taken: null, offset: 0, marks: '', ...seen })
    if (report.status === 'sent' || (!before && report.status === 'not-taken')) tell(report)
  }

  function pump(): void {
    for (const [path, file] of due) {
      const buffer = spare.at(-1)
      if (buffer === undefined || signal.aborted) return
      if (working.has(path)) continue
      due.delete(path)
      spare.pop()
      working.add(path)
      running += 1
      look(file, buffer)
        .catch((error: unknown) => {
          if (endsImport(error, context.signal)) {
            if (!context.signal.aborted) failures.push(error)
            stop.abort()
          } else note(`${file.name}: ${(error as Error).message}`)
        })
        .finally(() => {
          working.delete(path)
          spare.push(buffer)
          running -= 1
          pump()
        })
    }
  }

  await watchFolders({
    paths,
    signal,
    note,
    onFile: (found) => {
      const ofLog = known.get(found.path.replace(/-wal$/, ''))
      const file = ofLog?.database
        ? { ...found, path: found.path.replace(/-wal$/, ''), name: found.name.replace(/-wal$/, '') }
        : found
      const before = known.get(file.path)
      due.set(file.path, file)
      pump()
      return before === undefined || before.size !== file.size
    },
  })
  while (running > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  if (failures.length > 0) throw failures[0]
}

async function marksOf(path: string, offset: number, buffer: Buffer): Promise<string> {
  const file = await openFile(path)
  try {
    const head = await digestRange(file, 0, Math.min(markBytes, offset), buffer)
    const from = Math.max(0, offset - markBytes)
    return `${head}:${await digestRange(file, from, offset - from, buffer)}`
  } finally {
    await file.close()
  }
}
