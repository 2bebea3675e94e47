import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { ROUTES, type Answer, type DialectAnswers, type Route } from './answers'
import { faultChooser, MOVED, playFault, type Asked, type Fault } from './faults'
import { writeJson } from './json'
import { replyOf, type Losses } from './losses'
import { python } from './python-dialect'
import { stateOf } from './run-state'
import { lastIndexOf, timeMs, type Dialect, type NoetlRun } from './runs'
import { rust } from './rust-dialect'

/** A request that came in. It is there from its first byte on; what is known later is filled in later. */
export interface Call {
  method: string
  /** Path and query as they were asked for. */
  url: string
  route: Route | null
  executionId: string | null
  query: Record<string, string>
  headers: IncomingMessage['headers']
  fault: Fault['kind'] | null
  status: number | null
  /** Bytes of the body that were handed to the connection. */
  bytes: number
  /** `gone`: the connection ended before the answer did. */
  ended: 'open' | 'whole' | 'gone'
}

export interface StandInSettings {
  runs: readonly NoetlRun[]
  dialect: Dialect
  losses: Losses
  faults: readonly Fault[]
  /** Asked for as `Authorization: Bearer …`, when there is one. */
  token: string | undefined
}

export interface NoetlStandIn {
  /** Without a slash at its end; the documents are under `/api`. */
  url: string
  calls: Call[]
  /** A server under another name, with the same documents and open to everyone: a redirect to another host leads there. */
  elsewhere: { url: string; calls: Call[] }
  /** Changes what is named; counts of faults begin anew when faults are set. */
  set(changes: Partial<StandInSettings>): Promise<void>
  /** What a capture at the worker would hold of a row's reply, or of the newest one of the run; null when there was none. */
  workerReply(executionId: string, eventId?: string): string | null
  close(): Promise<void>
}

const DIALECT_ANSWERS: Record<Dialect, DialectAnswers> = { python, rust }

/** Plays a NoETL server on a free port of this machine. It is a stand-in for tests and demos: nothing runs behind it. */
export async function startNoetlStandIn({
  port = 0,
  certificate,
  ...given
}: Pick<StandInSettings, 'runs'> &
  Partial<StandInSettings> & {
    port?: number
    certificate?: { key: string; cert: string }
  }): Promise<NoetlStandIn> {
  const settings: StandInSettings = { dialect: 'python', losses: {}, faults: [], token: undefined, ...given }
  let choose = faultChooser(settings.faults)
  const calls: Call[] = []
  const elsewhereCalls: Call[] = []
  const elsewhere = createServer((request, response) => handle(request, response, elsewhereCalls, null))
  const listener: RequestListener = (request, response) => handle(request, response, calls, choose)
  const server =
    certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener)
  await listen(elsewhere, 0)
  await listen(server, port)
  const here = (server.address() as AddressInfo).port
  const elsewhereUrl = `http://localhost:${(elsewhere.address() as AddressInfo).port}`

  function handle(
    request: IncomingMessage,
    response: ServerResponse,
    into: Call[],
    chooser: typeof choose | null,
  ): void {
    const url = request.url ?? '/'
    const { pathname, searchParams } = new URL(url, 'http://stand-in')
    const isMoved = pathname.startsWith(`${MOVED}/`)
    const asked = readPath(isMoved ? pathname.slice(MOVED.length) : pathname)
    const fault = chooser === null || isMoved ? null : chooser(asked)
    const call: Call = {
      method: request.method ?? '',
      url,
      ...asked,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      fault: fault?.kind ?? null,
      status: null,
      bytes: 0,
      ended: 'open',
    }
    into.push(call)
    response.on('close', () => {
      if (response.headersSent) call.status = response.statusCode
      call.ended = response.writableFinished ? 'whole' : 'gone'
    })
    request.resume()
    const answer = answerTo(request, asked, searchParams, into === elsewhereCalls)
    const sent = (bytes: number) => {
      call.bytes += bytes
    }
    void playFault(fault, answer, { url, response, elsewhere: elsewhereUrl, sent }).catch(() =>
      response.destroy(),
    )
  }

  function answerTo(
    request: IncomingMessage,
    { route, executionId }: Asked,
    query: URLSearchParams,
    open: boolean,
  ): Answer {
    const { dialect, token, losses } = settings
    const answers = DIALECT_ANSWERS[dialect]
    if (!open && token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      const refusal = answers.failure(401, 'Not authenticated')
      return { ...refusal, headers: { ...refusal.headers, 'www-authenticate': 'Bearer' } }
    }
    if (route === null) return answers.failure(404, 'Not Found')
    if (request.method !== 'GET') return answers.failure(405, 'Method Not Allowed')
    const question = { runs: settings.runs.toSorted(laterFirst), query, losses }
    if (route === 'list') return answers.list(question)
    const run = settings.runs.find((one) => one.executionId === executionId)
    if (run === undefined) return answers.failure(404, `Execution ${executionId} not found`)
    return answers.one(route, run, question) ?? answers.failure(404, 'Not Found')
  }

  async function beUpOrDown(): Promise<void> {
    const isDown = settings.faults.some(({ kind }) => kind === 'down')
    if (isDown && server.listening) await shut(server)
    if (!isDown && !server.listening) await listen(server, here)
  }

  await beUpOrDown()
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${here}`,
    calls,
    elsewhere: { url: elsewhereUrl, calls: elsewhereCalls },
    set: async (changes) => {
      Object.assign(settings, changes)
      if (changes.faults !== undefined) choose = faultChooser(changes.faults)
      await beUpOrDown()
    },
    workerReply: (executionId, eventId) => {
      const run = settings.runs.find((one) => one.executionId === executionId)
      if (run === undefined) return null
      const index = lastIndexOf(
        run.events,
        (event) => event.reply !== undefined && (eventId === undefined || event.eventId === eventId),
      )
      return index === -1 ? null : writeJson(replyOf(run.events.at(index), run, settings.losses))
    },
    close: async () => {
      await Promise.all([server, elsewhere].filter(({ listening }) => listening).map(shut))
    },
  }
}

function laterFirst(a: NoetlRun, b: NoetlRun): number {
  const [ofA, ofB] = [stateOf(a).startTime, stateOf(b).startTime]
  return (ofB === null ? 0 : timeMs(ofB)) - (ofA === null ? 0 : timeMs(ofA))
}

const SUB_ROUTES = ROUTES.filter((route) => route !== 'list' && route !== 'detail')

function readPath(pathname: string): Asked {
  const match = /^\/api\/executions(?:\/(\d+)(?:\/([a-z-]+))?)?\/?$/.exec(pathname)
  if (match === null) return { route: null, executionId: null }
  const [, executionId, last] = match
  if (executionId === undefined) return { route: 'list', executionId: null }
  if (last === undefined) return { route: 'detail', executionId }
  return { route: SUB_ROUTES.find((one) => one === last) ?? null, executionId }
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

async function shut(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}
