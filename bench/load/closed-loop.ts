import { Agent, get } from 'node:http'
import { quantile } from '../support/stats'

/** What one target is asked for, and how long. */
export interface Job {
  origin: string
  /** Asked for one after another, again and again. */
  paths: readonly string[]
  headers: Record<string, string>
  connections: number
  /** Not counted: pages and statements that were not asked for a while have to get warm again. */
  warmUpMs: number
  measureMs: number
}

export interface Load {
  answers: number
  /** Answers with another status than 200, and requests without an answer. */
  errors: number
  seconds: number
  perSecond: number
  p50Ms: number
  p95Ms: number
  /** Mean size of the bodies as they were sent. */
  bytesPerAnswer: number
  /** Processor time of this process per second of the clock: near 1, the generator was what was measured. */
  generatorCores: number
}

interface Answer {
  isGood: boolean
  bytes: number
  ms: number
}

function ask(url: string, agent: Agent, headers: Job['headers']): Promise<Answer> {
  const start = performance.now()
  return new Promise((resolve) => {
    let bytes = 0
    const end = (isGood: boolean): void => resolve({ isGood, bytes, ms: performance.now() - start })
    get(url, { agent, headers }, (response) => {
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => end(response.statusCode === 200))
      response.on('error', () => end(false))
    }).on('error', () => end(false))
  })
}

/** Each connection asks anew as soon as it has its answer. Answers that end after the time are not counted. */
export async function runClosedLoop(job: Job): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.connections })
  let asked = 0
  const from = performance.now() + job.warmUpMs
  const until = from + job.measureMs
  const answers: Answer[] = []
  const connection = async (): Promise<void> => {
    while (performance.now() < until) {
      const path = job.paths[asked++ % job.paths.length]!
      const answer = await ask(job.origin + path, agent, job.headers)
      const now = performance.now()
      if (now >= from && now < until) answers.push(answer)
    }
  }
  let cpu = process.cpuUsage()
  const reset = setTimeout(() => (cpu = process.cpuUsage()), job.warmUpMs)
  const connections = Array.from({ length: job.connections }, connection)
  await Promise.race([
    Promise.all(connections),
    new Promise((resolve) => setTimeout(resolve, job.warmUpMs + job.measureMs)),
  ])
  clearTimeout(reset)
  const { user, system } = process.cpuUsage(cpu)
  await Promise.all(connections)
  agent.destroy()
  const seconds = job.measureMs / 1000
  const good = answers.filter(({ isGood }) => isGood)
  const ms = good.map((answer) => answer.ms)
  return {
    answers: good.length,
    errors: answers.length - good.length,
    seconds,
    perSecond: good.length / seconds,
    p50Ms: quantile(ms, 0.5),
    p95Ms: quantile(ms, 0.95),
    bytesPerAnswer: good.reduce((sum, { bytes }) => sum + bytes, 0) / good.length,
    generatorCores: (user + system) / 1e6 / seconds,
  }
}
