import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import type { Endpoint } from './endpoints'
import { fuzzEndpoint } from './fuzz'
import { findingsOf, isClean } from './report'
import type { Samples } from './samples'

const ENDPOINT: Endpoint = {
  name: 'POST /planted',
  method: 'POST',
  path: '/planted',
  query: ['q'],
  headers: [],
  body: { samples: 'record' },
}
const samples = { record: [new TextEncoder().encode('{"a":"text","b":1}\n')] } as Samples

let server: Server
afterEach(() => void server.close())

async function fuzz(answer: RequestListener, inputs = 60) {
  const log: string[] = []
  server = createServer((request, response) => {
    log.push(`request ${String(request.headers['x-request-id'])} "message":"planted"`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { result, findings } = await fuzzEndpoint(ENDPOINT, {
    target: { url, token: 'key', cookie: 'a=b' },
    known: { q: ['known'] },
    samples,
    seed: 3,
    inputs,
    atOnce: 2,
    looksForSlow: false,
    output: () => log.join('\n'),
  })
  const report = { seed: 3, results: [result], findings, memory: null, stillAnswers: true }
  return { report, text: findingsOf(report, tmpdir()) }
}

test('a planted 500 is reported once, with a command that repeats it and its line of the log', async () => {
  const { report, text } = await fuzz((request, response) =>
    response.writeHead(request.url!.includes('%00') ? 500 : 200).end(),
  )
  expect(isClean(report)).toBe(false)
  expect(report.findings).toHaveLength(1)
  expect(text).toMatch(/status 500 \(\d+ times.*of seed 3\)\n.*curl -sS -i -X .*%00.*\n {2}log: .*fuzz-3-/)
})

test('a connection that is cut without an answer is reported', async () => {
  const { report, text } = await fuzz((request) => request.socket.destroy(), 5)
  expect(isClean(report)).toBe(false)
  expect(text).toContain('no answer')
})

const unavailable =
  (type: string): RequestListener =>
  (_, response) =>
    response
      .writeHead(503, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type, status: 503 }))

test('a documented 503 is no fault, and any other is', async () => {
  expect(isClean((await fuzz(unavailable('/problems/store-down'), 5)).report)).toBe(true)
  server.close()
  expect(isClean((await fuzz(unavailable('/problems/made-up'), 5)).report)).toBe(false)
})

test('the same seed sends the same requests, and they differ', async () => {
  const sent: string[][] = [[], []]
  for (const list of sent) {
    await fuzz((request, response) => {
      let body = ''
      request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        list.push(`${request.method} ${request.url} ${body}`)
        response.end()
      })
    })
    server.close()
  }
  expect(sent[0]!.toSorted()).toEqual(sent[1]!.toSorted())
  expect(new Set(sent[0]).size).toBeGreaterThan(20)
})
