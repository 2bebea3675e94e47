import fc from 'fast-check'
import type { Endpoint } from './endpoints'
import { inputsFor, type Input, type Known } from './inputs'
import { faultOf, isSlow } from './judge'
import type { Samples } from './samples'
import { send, type Answer, type Target } from './send'

/** The same fault, however often it came and at however many endpoints. */
export interface Finding {
  /** What findings of one cause have in common. */
  key: string
  /** Where it came first. */
  endpoint: string
  fault: string
  /** Lines of the server's log that belong to it. */
  log: string
  /** Number of the first input; with the seed and the endpoint it is made again. */
  index: number
  input: Input
  count: number
}

export interface EndpointResult {
  endpoint: string
  inputs: number
  requests: number
  /** Answers by the first digit of their status, and `cut`. */
  statuses: Record<string, number>
  faults: number
  slow: number
  slowestMs: number
}

export interface FuzzOptions {
  target: Target
  known: Known
  samples: Samples
  seed: number
  inputs: number
  atOnce: number
  looksForSlow: boolean
  /** What the server has logged so far. */
  output: () => string
}

const LOG_CHARS_MAX = 600

/** Sends inputs to one endpoint, several at once, and says what came of them. The order of the findings is that of the answers. */
export async function fuzzEndpoint(
  endpoint: Endpoint,
  { target, known, samples, seed, inputs, atOnce, looksForSlow, output }: FuzzOptions,
): Promise<{ result: EndpointResult; findings: Finding[] }> {
  const made = fc.sample(inputsFor(endpoint, known, samples), {
    seed: seedOf(seed, endpoint.name),
    numRuns: inputs,
  })
  const result: EndpointResult = {
    endpoint: endpoint.name,
    inputs: made.length,
    requests: 0,
    statuses: {},
    faults: 0,
    slow: 0,
    slowestMs: 0,
  }
  const findings = new Map<string, Finding>()
  const slow: Input[] = []
  const ask = (input: Input, id: string): Promise<Answer> =>
    send(target, input, id, endpoint.streams === true || input.target.startsWith('/api/v1/live'))

  function note(answer: Answer, index: number, input: Input, before: number): void {
    result.requests += 1
    const digit = 'cut' in answer ? 'cut' : `${Math.floor(answer.status / 100)}xx`
    result.statuses[digit] = (result.statuses[digit] ?? 0) + 1
    result.slowestMs = Math.max(result.slowestMs, answer.ms)
    const fault = faultOf(answer)
    if (fault === null) return
    result.faults += 1
    const log = logOf(output(), answer.requestId, before)
    const key = `${fault} ${signature(log)}`
    const known = findings.get(key)
    if (known) known.count += 1
    else
      findings.set(key, {
        key,
        endpoint: endpoint.name,
        fault,
        log,
        index,
        input,
        count: 1,
      })
  }

  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < made.length; index = next++) {
      const input = made[index]!
      const before = output().length
      const id = (n: number): string => `fuzz-${seed}-${seedOf(seed, endpoint.name)}-${index}-${n}`
      const answers =
        input.times === 2 && input.atOnce
          ? await Promise.all([ask(input, id(0)), ask(input, id(1))])
          : [await ask(input, id(0)), ...(input.times === 2 ? [await ask(input, id(1))] : [])]
      for (const answer of answers) note(answer, index, input, before)
      if (answers.some(isSlow)) slow.push(input)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  // What was slow beside others, or on a busy machine, gets another try alone.
  for (const input of looksForSlow ? slow : [])
    if (isSlow(await ask(input, `fuzz-slow-${seed}`))) result.slow += 1
  return { result, findings: [...findings.values()] }
}

/** A seed of the endpoint's own, so that one endpoint alone gets the same inputs. */
export function seedOf(seed: number, name: string): number {
  let hash = seed | 0
  for (const character of name) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) | 0
  return Math.abs(hash)
}

/** The lines that name the request; of a fault without one, the first that came after it was sent. */
function logOf(output: string, requestId: string, before: number): string {
  const lines = output.split('\n').filter((line) => line.includes(requestId))
  const text = lines.length > 0 ? lines.join('\n') : output.slice(before).trim()
  return text.slice(0, LOG_CHARS_MAX)
}

/** What two log lines of one fault have in common: all but digits and ids. */
const signature = (log: string): string =>
  (/"message":"((?:[^"\\]|\\.){0,120})/.exec(log)?.[1] ?? log.slice(0, 80)).replace(/[0-9a-f-]{8,}|\d+/g, '#')
