import { links } from '@/lib/links'
import { type OpenApi, OTHERS, operationsOf, type Endpoint } from './endpoints'
import { fuzzEndpoint } from './fuzz'
import { watchMemory } from './memory'
import { prepareServer } from './prepare'
import type { FuzzReport } from './report'
import { readSamples } from './samples'

interface Server {
  url: string
  token: string
  link: string
  pid: number
  output: () => string
}

export interface RunOptions {
  seed: number
  inputs: number
  /** A part of the names of the endpoints to take; unset: all. */
  only?: string
  /** Tells how far it came. */
  say?: (line: string) => void
  atOnce?: number
  /** Whether what was slow is asked again, alone; on a busy machine that says nothing. */
  looksForSlow?: boolean
}

/** Fuzzes every endpoint of a fresh server, one after another. */
export async function fuzzServer(
  server: Server,
  { seed, inputs, only = '', say = () => {}, atOnce = 4, looksForSlow = true }: RunOptions,
): Promise<FuzzReport> {
  const samples = await readSamples()
  const { target, known } = await prepareServer(server, samples)
  const document = (await (await fetch(server.url + links.api.openapi())).json()) as OpenApi
  const endpoints: Endpoint[] = [...operationsOf(document), ...OTHERS].filter(({ name }) =>
    name.includes(only),
  )
  const memory = watchMemory(server.pid)
  const report: FuzzReport = { seed, results: [], findings: [], memory, stillAnswers: false }
  for (const endpoint of endpoints) {
    const options = { target, known, samples, seed, inputs, atOnce, looksForSlow, output: server.output }
    const { result, findings } = await fuzzEndpoint(endpoint, options)
    report.results.push(result)
    report.findings.push(...findings)
    say(
      `${endpoint.name}: ${result.requests} requests, ${result.faults} faults, ${result.slow} over 2 s, slowest ${Math.round(result.slowestMs)} ms`,
    )
  }
  memory?.end()
  const last = await fetch(server.url + links.api.executions('limit=1'), {
    headers: { authorization: `Bearer ${server.token}` },
  })
  report.stillAnswers = last.status === 200
  return report
}
