import { basename, join } from 'node:path'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { formatBytes } from '@/lib/text/amounts'
import { CliFailure } from '../exit-codes'
import type { Client } from '../http'
import { visible } from '../output'
import { type Away, createIngestClient, PartRefused } from '../import/ingest-client'
import type { IngestClient } from '../import/ingest-client'
import { recogniseFile } from '../import/recognise-file'
import { FileChanged, sendFile } from '../import/send-file'
import { clearRefusedKey, noteRefusedKey } from '../refused-key'
import type { Environment } from '../settings'
import { prepareRecord } from './prepare-record'
import type { SendPlan } from './prepare-record'
import { readStdout } from './read-stdout'
import { dropRecord, holds, readJson, setRecordAside, sizeOf } from './record-files'
import { recordFiles, releaseRecord } from './record-folder'
import type { RecordHead } from './record-folder'
import { settleRecord } from './settle-record'
import type { IngestKind } from '@/lib/model/ingest-kinds'
import { recordDeliveryText } from '@/lib/words/cli/record-delivery'

export type Delivery =
  | { fate: 'sent'; url: string | null }
  /** It waits in the spool for the next one who sends. */
  | { fate: 'kept'; because: string; keyRefused?: boolean }
  /** The server will never take it. */
  | { fate: 'refused'; because: string }

export interface Delivering {
  env: Environment
  /** Or why there is none: then the record is only made ready to wait. */
  client: Client | { none: string }
  signal: AbortSignal
  /** Milliseconds the server may be away before the record is left to wait. */
  patienceMs: number
  /** Hears what is done now, in words. */
  onStep?: (words: string) => void
}

const bufferBytes = 256 * 1024

/** Milliseconds without any byte of an answer after which a server counts as away. */
const idleMs = 60_000

/** The plan of a record; made now when its recorder did not come to it, `null` when it contains nothing to tell of. */
export async function planOf(folder: string): Promise<SendPlan | null> {
  const plan = readJson<SendPlan>(folder, 'plan')
  if (plan !== null && holds(folder, 'document')) return plan
  const head = readJson<RecordHead>(folder, 'head')
  if (head === null || !holds(folder, 'stdout')) return null
  return prepareRecord(
    folder,
    head,
    await readStdout(join(folder, recordFiles.stdout), head.start.contract),
    null,
  )
}

/**
 * Sends a record: the output first, where it has an endpoint of its own, then the document. What cannot be sent now is redacted and waits; what the
 * server will never take is set aside. Sending twice adds nothing.
 */
export async function deliverRecord(
  folder: string,
  plan: SendPlan,
  { env, client, signal, patienceMs, onStep = () => {} }: Delivering,
): Promise<Delivery> {
  const keep = (because: string): Promise<Delivery> => keepRecord(folder, plan, because, onStep)
  try {
    if ('none' in client) return await keep(client.none)
    const { source, project } = plan
    const total = (plan.sendsStdout ? (sizeOf(folder, 'stdout') ?? 0) : 0) + (sizeOf(folder, 'document') ?? 0)
    let sent = 0
    const tell = (bytes = 0): void => {
      sent += bytes
      onStep(
        `sending ${formatBytes(total)} … ${total === 0 ? 0 : Math.min(100, Math.floor((sent / total) * 100))} %`,
      )
    }
    tell()
    const onAway = ({ because, answered }: Away): void =>
      onStep(recordDeliveryText.tryingAgain({ answered, reason: visible(because) }))
    const ingest = createIngestClient({
      client,
      source,
      project: project ?? undefined,
      signal,
      patienceMs,
      idleMs,
      onAway,
      onBack: () => tell(),
    })
    const answers = plan.sendsStdout
      ? await send(ingest, folder, 'stdout', 'claude-stream', signal, tell)
      : []
    answers.push(...(await send(ingest, folder, 'document', 'record', signal, tell)))
    dropRecord(folder)
    clearRefusedKey(env)
    return {
      fate: 'sent',
      url:
        answers
          .flatMap(({ executions }) => executions)
          .findLast(({ externalId }) => externalId === plan.executionKey)?.url ?? null,
    }
  } catch (error) {
    // Somebody else sent it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !holds(folder, 'document'))
      return { fate: 'sent', url: null }
    if (signal.aborted) return keep('it was interrupted')
    if (error instanceof CliFailure) {
      const because = error.message.replace(/\.$/, '')
      if (error.exit !== 'refused') return keep(because)
      noteRefusedKey(env, because)
      return { ...(await keep(because)), keyRefused: true } as Delivery
    }
    if (!(error instanceof PartRefused || error instanceof FileChanged)) throw error
    await keep('')
    setRecordAside(env, folder)
    return { fate: 'refused', because: error.message }
  }
}

async function keepRecord(
  folder: string,
  plan: SendPlan,
  because: string,
  onStep: (words: string) => void,
): Promise<Delivery> {
  onStep(recordDeliveryText.redacting)
  await settleRecord(folder, plan)
  if (holds(folder, 'owner')) releaseRecord(folder)
  return { fate: 'kept', because }
}

async function send(
  ingest: IngestClient,
  folder: string,
  file: 'stdout' | 'document',
  kind: IngestKind,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<IngestAnswer[]> {
  const path = join(folder, recordFiles[file])
  const name = `${basename(folder)}/${recordFiles[file]}`
  const recognised = await recogniseFile({ path, name, size: sizeOf(folder, file) ?? 0, named: true }, '')
  // Noise that fills the whole head hides what it is; the server names the stream then.
  const taken =
    'taken' in recognised && recognised.taken.kind === kind
      ? recognised.taken
      : { kind, streamId: null, whole: false }
  const answers: IngestAnswer[] = []
  await sendFile({
    ingest,
    path,
    name,
    taken,
    wholeLinesOnly: false,
    buffer: Buffer.allocUnsafe(bufferBytes),
    signal,
    onBytes,
    onAnswer: (answer) => answers.push(answer),
  })
  return answers
}
