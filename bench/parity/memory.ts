import { readFileSync, writeFileSync } from 'node:fs'
import { memoryMb } from '../support/product'
import { WAYS } from './ways'

/**
 * One way in a process of its own, with `--expose-gc --trace-gc`: it reads the documents, collects, and runs once. The collector prints on standard output how much the
 * heap held before each collection: behind those that are asked for, the highest of these is its peak, unless it is higher at the end. What was resident, and
 * how it is at the end, goes to standard error.
 */
const [name, ...files] = process.argv.slice(2)
const way = WAYS.find((one) => one.name === name)
if (way === undefined) throw new Error(`there is no way ${name}`)
const texts = files.map((file) => readFileSync(file, 'latin1'))
const { gc } = global
if (gc === undefined) throw new Error('run with --expose-gc')
gc()
gc()
const before = memoryMb(process.pid, 'VmRSS')
try {
  // Linux then counts its peak from here; elsewhere it is not known.
  writeFileSync('/proc/self/clear_refs', '5')
} catch (error) {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
}
const found = way.run(texts)
const peak = memoryMb(process.pid, 'VmHWM')
const heapMb = process.memoryUsage().heapUsed / 2 ** 20
process.stderr.write(
  JSON.stringify({
    found,
    chars: texts.reduce((sum, { length }) => sum + length, 0),
    residentMb: before === null || peak === null ? null : peak - before,
    heapMb,
  }),
)
