/**
 * Loaded in front of the server (`NODE_OPTIONS=--require`) so that a thread which takes bodies in can be ended
 * from outside: at SIGUSR2 the file named by INQUEST_FAULT_FILE says how. What was done is added to the file.
 */
const { appendFileSync, readFileSync } = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')
const threads = require('node:worker_threads')

const file = process.env.INQUEST_FAULT_FILE
const CHANNEL = 'inquest-fault'
/** Little, so that running out of it is quick and spares the machine. */
const HEAP_MB = 192

if (file !== undefined && threads.isMainThread) {
  const alive = new Set()
  threads.Worker = class extends threads.Worker {
    constructor(script, options) {
      const takesBodies = String(script).includes('ingest-thread')
      const resourceLimits = { ...options?.resourceLimits, maxOldGenerationSizeMb: HEAP_MB }
      super(script, takesBodies ? { ...options, resourceLimits } : options)
      if (!takesBodies) return
      alive.add(this)
      this.once('exit', () => alive.delete(this))
    }
  }
  syncBuiltinESMExports()
  const channel = new threads.BroadcastChannel(CHANNEL)
  channel.unref()
  process.on('SIGUSR2', () => {
    const how = readFileSync(file, 'utf8').split('\n')[0]
    if (how === 'memory') channel.postMessage(how)
    else for (const thread of alive) void thread.terminate()
    appendFileSync(file, `\n${alive.size} threads`)
  })
} else if (file !== undefined) {
  const channel = new threads.BroadcastChannel(CHANNEL)
  channel.onmessage = () => {
    const held = []
    for (;;) held.push(new Array(100_000).fill(held.length))
  }
  channel.unref()
}
