import type { Bench, BenchContext, BenchDocument } from './support/result'
import { formatResult } from './support/result'
import { readMachine } from './support/machine'

const BENCHES: Record<string, () => Promise<Bench>> = {
  cause: async () => (await import('./cause')).benchCause,
  ingest: async () => (await import('./ingest')).benchIngest,
  list: async () => (await import('./list')).benchList,
  'deep-link': async () => (await import('./deep-link')).benchDeepLink,
  'import-memory': async () => (await import('./import-memory')).benchImportMemory,
  'hook-start': async () => (await import('./hook-start')).benchHookStart,
  'record-start': async () => (await import('./record-start')).benchRecordStart,
  live: async () => (await import('./live')).benchLive,
  parity: async () => (await import('./parity')).benchParity,
  'parity-sweep': async () => (await import('./parity-sweep')).benchParitySweep,
  patch: async () => (await import('./patch')).benchPatch,
  receipts: async () => (await import('./receipts')).benchReceipts,
  replay: async () => (await import('./replay')).benchReplay,
}

const usage = `npm run bench -- NAME [--json] [--small | --large]

NAME is one of ${Object.keys(BENCHES).join(', ')}.
--json   one JSON document on standard output
--small  a short run on less data, for a first look; decides about no budget
--large  list only: 1 and 10 million executions, one event each; wants 60 GB of disk for as long as it runs`

async function main(argv: string[]): Promise<number> {
  const flags = argv.filter((word) => word.startsWith('--'))
  const names = argv.filter((word) => !word.startsWith('--'))
  const load = BENCHES[names[0] ?? '']
  if (
    !load ||
    names.length > 1 ||
    flags.some((flag) => !['--json', '--small', '--large'].includes(flag)) ||
    (flags.includes('--large') && (names[0] !== 'list' || flags.includes('--small')))
  ) {
    console.error(usage)
    return 2
  }
  const undo: (() => Promise<void>)[] = []
  const context: BenchContext = {
    log: (line) => console.error(`[${new Date().toISOString().slice(11, 19)}] ${line}`),
    machine: readMachine(),
    small: flags.includes('--small'),
    large: flags.includes('--large'),
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
    console.log(flags.includes('--json') ? JSON.stringify(doc, null, 2) : formatResult(doc))
    return 0
  } catch (error) {
    if (!interrupted) console.error(error)
    return 1
  } finally {
    await clean()
  }
}

process.exit(await main(process.argv.slice(2)))
