import { recordStartText } from '@/lib/words/cli/record-start'
/** What may make a run count as failed although its process ended with 0. */
export const FAIL_ON = ['agent-signal', 'cli-status', 'permission-denied', 'contract', 'timeout'] as const
export type FailOn = (typeof FAIL_ON)[number]

export interface RecordOptions {
  command: string[]
  /** Completion marker; `''` asks for none. */
  marker: string
  /** Patterns that the final text must match. */
  expect: string[]
  timeoutS: number | null
  /** Seconds between SIGTERM and SIGKILL. */
  killAfterS: number
  failOn: FailOn[]
  chain: string | null
  attempt: number | null
  source: string | null
  project: string | null
  json: boolean
}

export type CommandLine = { options: RecordOptions } | { help: true } | { trouble: string }

export const recordUsage = recordStartText.usage({ failOn: FAIL_ON.join(', ') })

/** Longer times are cut by the timers of Node. */
const SECONDS_MAX = 2_000_000

/** Reads the words behind `inquest record`. By hand: a library for it takes longer to load than the whole start may. */
export function readCommandLine(words: readonly string[]): CommandLine {
  const options: RecordOptions = {
    command: [],
    marker: '',
    expect: [],
    timeoutS: null,
    killAfterS: 5,
    failOn: [],
    chain: null,
    attempt: null,
    source: null,
    project: null,
    json: false,
  }
  const end = words.indexOf('--')
  const own = end === -1 ? words : words.slice(0, end)
  if (own.includes('--help') || own.includes('-h')) return { help: true }
  for (let at = 0; at < own.length; at++) {
    const word = own[at]!
    const split = word.startsWith('--') ? word.indexOf('=') : -1
    const name = split === -1 ? word : word.slice(0, split)
    if (name === '--json' && split === -1) {
      options.json = true
      continue
    }
    if (!Object.hasOwn(READERS, name))
      return {
        trouble: name.startsWith('-') ? `Unknown option ${name}.` : recordStartText.putDashes({ word }),
      }
    const value = split === -1 ? own[(at += 1)] : word.slice(split + 1)
    if (value === undefined) return { trouble: `${name} needs a value.` }
    const trouble = READERS[name]!(value, options)
    if (trouble !== null) return { trouble: `${name}: ${trouble}` }
  }
  options.command = end === -1 ? [] : words.slice(end + 1)
  if (options.command.length === 0 || options.command[0] === '') return { trouble: recordStartText.noCommand }
  return { options }
}

/** Sets one option; answers what is wrong with the value. */
const READERS: Record<string, (value: string, options: RecordOptions) => string | null> = {
  '--marker': (value, options) => {
    options.marker = value
    return value === '' ? recordStartText.notEmpty : null
  },
  '--expect': (value, options) => {
    options.expect.push(value)
    return value === '' ? recordStartText.notEmpty : null
  },
  '--fail-on': (value, options) => {
    const kinds = value
      .split(',')
      .map((kind) => kind.trim())
      .filter((kind) => kind !== '')
    const unknown = kinds.filter((kind) => !(FAIL_ON as readonly string[]).includes(kind))
    if (unknown.length > 0 || kinds.length === 0)
      return `${unknown.length > 0 ? `unknown kind ${unknown.join(', ')}; ` : ''}the kinds are ${FAIL_ON.join(', ')}.`
    options.failOn = FAIL_ON.filter((kind) => kinds.includes(kind) || options.failOn.includes(kind))
    return null
  },
  '--timeout': (value, options) => {
    options.timeoutS = seconds(value)
    return options.timeoutS === null || options.timeoutS === 0 ? recordStartText.positiveSeconds : null
  },
  '--kill-after': (value, options) => {
    const after = seconds(value)
    if (after === null) return recordStartText.seconds
    options.killAfterS = after
    return null
  },
  '--chain': (value, options) => {
    options.chain = value
    return value === '' ? recordStartText.notEmpty : null
  },
  '--attempt': (value, options) => {
    options.attempt = wholeNumber(value)
    return options.attempt === null ? recordStartText.positiveWholeNumber : null
  },
  '--source': (value, options) => {
    options.source = value
    return value === '' || value.length > 120 ? recordStartText.sourceLength : null
  },
  '--project': (value, options) => {
    options.project = value
    return value === '' ? recordStartText.notEmpty : null
  },
}

const seconds = (text: string): number | null =>
  /^\d+(?:\.\d+)?$/.test(text) && Number(text) <= SECONDS_MAX ? Number(text) : null

export const wholeNumber = (text: string): number | null =>
  /^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : null
