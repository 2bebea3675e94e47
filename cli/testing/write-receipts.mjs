/**
 * An owner of receipts in a process of its own: `write-receipts.mjs FILE JOURNAL_MODE`. Each line on standard input is SQL, answered with `done`; the line
 * `loop` inserts rows without a pause, and has the log written back in every way meanwhile, until the next line.
 */
import { createInterface } from 'node:readline'
import sqlite from 'node-sqlite3-wasm'

const [, , file, mode] = process.argv
const db = new sqlite.Database(file)
// Small pages and a small cache: pages are split often, and a change of some size is written before it ends.
db.exec(
  `pragma page_size = 512; pragma locking_mode = exclusive; pragma journal_mode = ${mode}; pragma cache_size = 10; pragma synchronous = off`,
)
db.exec(
  'create table if not exists receipts (id text primary key, chain_id text, status text, receipt_json text not null)',
)

let looping = false
let count = 0

/** Every row can be told whole from its number. */
function insert() {
  count++
  db.run('insert into receipts values (?, ?, ?, ?)', [
    `urn:${count}`,
    'c',
    'success',
    JSON.stringify({ n: count, pad: `${count} `.repeat(count % 400) }),
  ])
  if (count % 20 === 0)
    db.exec(`pragma wal_checkpoint(${['passive', 'restart', 'truncate'][(count / 20) % 3]})`)
}

function loop() {
  for (let i = 0; i < 5; i++) insert()
  // A moment for the line that ends it.
  if (looping) setTimeout(loop, 10)
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    looping = line === 'loop'
    if (looping) loop()
    else if (line !== '') db.exec(line)
    process.stdout.write('done\n')
  })
  .on('close', () => process.exit(0))
