import { parseArgs } from 'node:util'
import type { Bench, BenchContext, BenchDocument } from './support/result'
import { formatResult } from './support/result'
import { readMachine } from './support/machine'

const BENCHES: Record<string, () => Promise<Bench>> = {
  cause: async () => (await import('./cause')).benchCause,
  ingest: async () => (await import('./ingest')).benchIngest,
  explain: async () => (await import('./explain')).benchExplain,
  list: async () => (await import('./list')).benchList,
  'deep-link': async () => (await import('./deep-link')).benchDeepLink,
  'import-memory': async () => (await import('./import-memory')).benchImportMemory,
  'hook-start': async () => (await import('./hook-start')).benchHookStart,
  'record-start': async () => (await import('./record-start')).benchRecordStart,
  load: async () => (await import('./load')).benchLoad,
  live: async () => (await import('./live')).benchLive,
  parity: async () => (await import('./parity')).benchParity,
  'parity-sweep': async () => (await import('./parity-sweep')).benchParitySweep,
  patch: async () => (await import('./patch')).benchPatch,
  receipts: async () => (await import('./receipts')).benchReceipts,
  replay: async () => (await import('./replay')).benchReplay,
}

const usage = `npm run bench -- NAME [--json] [--small | --large] [--rounds N]

NAME is one of ${Object.keys(BENCHES).join(', ')}.
--json   one JSON document on standard output
--small  a short run on less data, for a first look; decides about no budget
--large  list only: 1 and 10 million executions, one event each; wants 60 GB of disk for as long as it runs
--rounds N  load only: as many interleaved rounds, instead of 7`

/** Null: not to be understood, or a choice that the bench does not have. */
function readArguments(argv: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        small: { type: 'boolean', default: false },
        large: { type: 'boolean', default: false },
        rounds: { type: 'string' },
      },
    })
    const [name = '', ...more] = positionals
    const rounds = values.rounds === undefined ? null : Number(values.rounds)
    const isKnown =
      more.length === 0 &&
      (!values.large || (name === 'list' && !values.small)) &&
      (rounds === null || (name === 'load' && Number.isInteger(rounds) && rounds > 0))
    return isKnown ? { ...values, name, rounds } : null
  } catch {
    return null
  }
}

async function main(argv: string[]): Promise<number> {
  const asked = readArguments(argv)
  const load = BENCHES[asked?.name ?? '']
  if (!asked || !load) {
    console.error(usage)
    return 2
  }
  const undo: (() => Promise<void>)[] = []
  const context: BenchContext = {
    log: (line) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${line}`),
    machine: readMachine(),
    small: asked.small,
    large: asked.large,
    rounds: asked.rounds,
    after: (step) => void undo.push(step),
  }
  let interrupted = false
  const clean = async (): Promise<void> => {
    for (let step = undo.pop(); step; step = undo.pop())
      await step().catch((error: unknown) => console.error(error))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted = true
      void clean().then(() => process.exit(130))
    })
  const started = Date.now()
  try {
    const bench = await load()
    const result = await bench(context)
    const doc: BenchDocument = {
      ...result,
      met: context.small ? null : result.met,
      at: new Date(started).toISOString(),
      seconds: Math.round((Date.now() - started) / 1000),
      machine: context.machine,
    }
    console.log(asked.json ? JSON.stringify(doc, null, 2) : formatResult(doc))
    return 0
  } catch (error) {
    if (!interrupted) console.error(error)
    return 1
  } finally {
    await clean()
  }
}

process.exit(await main(process.argv.slice(2)))
