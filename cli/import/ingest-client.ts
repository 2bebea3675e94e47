import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestAnswer } from '@/lib/api/ingest-schemas'
import { links } from '@/lib/links'
import { CliFailure } from '../exit-codes'
import { isPassing, problemText, ServerAway } from '../http'
import type { Answer, Call, Client } from '../http'
import type { IngestKind } from '@/lib/model/ingest-kinds'

/** What the server holds of a stream. */
export interface StreamStanding {
  nextOffset: number
  parts: { offset: number; length: number; sha256: string }[]
}

/** The server looked at a part and will not take it; the file is done with, the import goes on. */
export class PartRefused extends Error {
  override name = 'PartRefused'
  constructor(
    readonly status: number,
    readonly slug: string,
    message: string,
  ) {
    super(message)
  }
}

export interface PartToSend {
  kind: IngestKind
  name: string
  streamId: string | null
  start: number
  length: number
  /** More of the same file follows at once. */
  more: boolean
  body: () => Readable
}

export interface IngestClient {
  readStanding(streamId: string): Promise<StreamStanding | null>
  sendPart(part: PartToSend): Promise<IngestAnswer>
}

export interface IngestClientOptions {
  client: Client
  source: string
  /** Slug; the server chooses if it is left out. */
  project?: string
  signal: AbortSignal
  /** Milliseconds the server may be away at one stretch before the import gives up. */
  patienceMs: number
  /** Milliseconds without any byte of an answer before the server counts as away; its answer to a part may take its time. */
  idleMs?: number
  onAway(away: Away): void
  onBack(away: Away): void
}

/** Why the server is asked again later. */
export interface Away {
  because: string
  /** It answered, and cannot take what is sent: its disk is full, say. Else nothing of it was heard. */
  answered: boolean
}

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** The name of a file may contain control characters, which the server refuses; their pictures stand for them. */
const withoutControls = (name: string): string =>
  name.replace(/\p{Cc}/gu, (control) =>
    control < ' ' ? String.fromCharCode(0x2400 + control.charCodeAt(0)) : '\ufffd',
  )

/** The import's side of the ingest endpoints: every request is tried again while the server is away, under the same key. */
export function createIngestClient({
  client,
  source,
  project,
  signal,
  patienceMs,
  idleMs = 300_000,
  onAway,
  onBack,
}: IngestClientOptions): IngestClient {
  // One run's retries share a key; another run is another request, or a remembered answer would stand in for work to do.
  const run = randomUUID()
  let requests = 0
  let compress = !loopback.has(client.settings.url.hostname)
  // The files share one view of the server: they wait together, and it is printed once.
  let away: (Away & { method: Call['method'] }) | null = null
  let accepted = false

  const inProject = (path: string): string =>
    project === undefined ? path : `${path}?project=${encodeURIComponent(project)}`

  async function patiently(call: Call): Promise<Answer> {
    let waitMs = 250
    let awaySince = 0
    for (;;) {
      signal.throwIfAborted()
      let because: string
      let answered = true
      try {
        const answer = await client.send({ ...call, signal })
        if (answer.status === 401 && client.lookAgain()) continue
        // A local server makes a new key at each start, and listens a moment before it writes it down.
        const newKeySoon = answer.status === 401 && accepted && client.settings.from === 'server.json'
        accepted ||= answer.status !== 401
        if (!isPassing(answer) && !newKeySoon) {
          // A full disk does not keep the server from answering what only reads.
          if (away !== null && (away.method === call.method || !away.answered)) {
            onBack(away)
            away = null
          }
          return answer
        }
        because = problemText(answer)
      } catch (error) {
        if (!(error instanceof ServerAway)) throw error
        because = error.message
        answered = false
        client.lookAgain()
      }
      awaySince ||= Date.now()
      if (Date.now() - awaySince + waitMs > patienceMs) {
        const what = answered ? 'cannot take data' : 'did not answer'
        throw new CliFailure('unreachable', `${client.settings.url.origin} ${what}: ${because}.`)
      }
      if (away === null) {
        away = { because, answered, method: call.method }
        onAway(away)
      }
      await sleep(waitMs, undefined, { signal })
      waitMs = Math.min(waitMs * 2, 5_000)
    }
  }

  function check(answer: Answer): void {
    if (answer.status >= 200 && answer.status < 300) return
    if (answer.status === 401 || answer.status === 403)
      throw new CliFailure('refused', `${problemText(answer)}.`)
    const type = (answer.json as { type?: unknown } | undefined)?.type
    throw new PartRefused(
      answer.status,
      typeof type === 'string' ? type.replace(/^.*\//, '') : '',
      problemText(answer),
    )
  }

  async function readStanding(streamId: string): Promise<StreamStanding | null> {
    const answer = await patiently({
      method: 'GET',
      path: inProject(links.api.stream(streamId)),
      headers: { 'inquest-source': encodeURIComponent(source) },
    })
    if (answer.status === 404) return null
    check(answer)
    return answer.json as StreamStanding
  }

  async function sendPart(part: PartToSend): Promise<IngestAnswer> {
    const headers: Record<string, string> = {
      'content-type': 'application/octet-stream',
      'inquest-source': encodeURIComponent(source),
      'inquest-file': encodeURIComponent(withoutControls(part.name)),
      'inquest-offset': String(part.start),
      'idempotency-key': `${run}-${(requests += 1)}`,
      ...(part.streamId === null ? {} : { 'inquest-stream': encodeURIComponent(part.streamId) }),
      ...(part.more ? { 'inquest-more': '1' } : {}),
    }
    const plain: Call = {
      method: 'POST',
      path: inProject(links.api.ingest(part.kind)),
      headers: { ...headers, 'content-length': String(part.length) },
      body: part.body,
      idleMs,
    }
    const answer = await patiently(compress ? await packed(plain, headers, part) : plain)
    try {
      check(answer)
    } catch (error) {
      // Very even text packs better than the server believes of an honest sender.
      if (!(compress && error instanceof PartRefused && error.slug === 'ratio-exceeded')) throw error
      compress = false
      return sendPart(part)
    }
    return answer.json as IngestAnswer
  }

  return { readStanding, sendPart }
}

async function packed(plain: Call, headers: Record<string, string>, part: PartToSend): Promise<Call> {
  const { createGzip } = await import('node:zlib')
  return {
    ...plain,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: () => {
      const source = part.body()
      const gzip = createGzip({ level: 4 })
      source.on('error', (error) => gzip.destroy(error))
      return source.pipe(gzip)
    },
  }
}
