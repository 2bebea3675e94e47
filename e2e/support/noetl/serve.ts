import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { openDb } from '@/db/client'
import { longRun } from './build-run'
import type { Fault } from './faults'
import { LAYERS, LOSS_NAMES, type Losses, type LossName } from './losses'
import { runOfDocument } from './recorded'
import { DIALECTS, type Dialect } from './runs'
import { seedRuns } from './seed'
import { startNoetlStandIn } from './stand-in'
import { layNoetlTables } from './tables'

const FAULTS: Record<string, Fault> = {
  slow: { kind: 'slow', ms: 5000 },
  drip: { kind: 'drip', ms: 50 },
  html: { kind: 'html' },
  error: { kind: 'status', status: 500 },
  reset: { kind: 'reset' },
  'redirect-same-host': { kind: 'redirect', to: 'same_host' },
  'redirect-other-host': { kind: 'redirect', to: 'other_host' },
  'redirect-loop': { kind: 'redirect', to: 'itself' },
  huge: { kind: 'huge' },
  cut: { kind: 'cut' },
  half: { kind: 'half' },
}

interface Flags {
  port?: number
  dialect: Dialect
  token?: string
  loss: Losses
  pageCap?: number
  pageSizeCap?: number
  fault?: string
  long?: number
  document: string[]
  database?: string
}

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Not a whole number.')
  return Number(text)
}

function addLoss(text: string, losses: Losses): Losses {
  const [name, layer] = text.split('=')
  const known = LOSS_NAMES.find((one) => one === name)
  const at = layer === undefined ? true : LAYERS.find((one) => one === layer)
  if (known === undefined || at === undefined) {
    throw new InvalidArgumentError(
      `One of ${LOSS_NAMES.join(', ')}, then =${LAYERS.join(' or =')} if wanted.`,
    )
  }
  return { ...losses, [known satisfies LossName]: at }
}

const program = new Command('noetl-stand-in')
  .description(
    'Plays a NoETL server with a few made-up runs, for tests and demos. It is not NoETL: nothing runs behind it.',
  )
  .option('--port <number>', 'a port of 127.0.0.1; a free one unless told', count)
  .addOption(new Option('--dialect <server>', 'whose documents it sends').choices(DIALECTS).default('python'))
  .option('--token <text>', 'ask for this token as Authorization: Bearer')
  .addOption(
    new Option(
      '--loss <name[=layer]>',
      `lose something, at its usual layer or from another: ${LOSS_NAMES.join(', ')}; repeatable`,
    )
      .argParser(addLoss)
      .default({}, 'none'),
  )
  .option('--page-cap <rows>', 'send no more than the newest so many rows of a run', count)
  .option('--page-size-cap <rows>', 'send no more rows in a page, whatever is asked for', count)
  .addOption(new Option('--fault <kind>', 'answer every request badly').choices(Object.keys(FAULTS)))
  .option('--long <rows>', 'add a run of so many rows, made when they are asked for', count)
  .addOption(
    new Option('--document <file>', 'add the run of a recorded detail document; can be repeated')
      .argParser((file, files: string[]) => [...files, file])
      .default([], 'none'),
  )
  .option(
    '--database <url>',
    'lay the tables of the schema noetl in this database too; it must have none, or one of the stand-in',
  )

const flags = program.parse().opts<Flags>()
const runs = [
  ...seedRuns(),
  ...flags.document.map((file) => runOfDocument(readFileSync(file, 'utf8'))),
  ...(flags.long === undefined ? [] : [longRun(Math.max(2, flags.long))]),
]
const losses = { ...flags.loss, pageCap: flags.pageCap, pageSizeCap: flags.pageSizeCap }
if (flags.database !== undefined) {
  const db = openDb(flags.database, { max: 2 })
  await layNoetlTables(db.sql, runs, losses).finally(() => db.close())
  console.log('Tables laid in the schema noetl.')
}
const faults = flags.fault === undefined ? [] : [FAULTS[flags.fault]!]
const standIn = await startNoetlStandIn({
  runs,
  losses,
  faults,
  dialect: flags.dialect,
  token: flags.token,
  port: flags.port,
})
console.log(`NoETL stand-in (${flags.dialect} dialect, made-up data): ${standIn.url}/api/executions`)
for (const { executionId, path, events } of runs)
  console.log(`  ${executionId}  ${path}, ${events.count} rows`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void standIn.close())
