/**
 * Stands in for an agent: `node fake-agent.mjs MODE [ARGUMENT]`. It speaks stream-json, or misbehaves in the way that its mode names.
 */
import { spawn } from 'node:child_process'
import { closeSync, writeSync } from 'node:fs'

const [mode, argument = ''] = process.argv.slice(2)
const session = process.env.FAKE_SESSION ?? '0b0b0b0b-0000-4000-8000-00000000000a'

const say = (record) => process.stdout.write(`${JSON.stringify({ session_id: session, ...record })}\n`)
const begin = () => say({ type: 'system', subtype: 'init', cwd: process.cwd(), model: 'fake-1' })
const talk = (text) =>
  say({ type: 'assistant', message: { id: 'm1', role: 'assistant', content: [{ type: 'text', text }] } })
const result = (more) =>
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    permission_denials: [],
    ...more,
  })

/** Waits longer than any test, but not for ever: a recorder that is killed leaves its agent to itself. */
const hang = () => setTimeout(() => {}, 180_000)

const modes = {
  /** The result record, with what the argument (JSON) says otherwise. */
  result() {
    begin()
    talk('on my way')
    result(argument === '' ? {} : JSON.parse(argument))
  },
  hang() {
    begin()
    hang()
  },
  /** Closes what it could print to, and goes on for as long as it is told to. */
  silent() {
    begin()
    closeSync(1)
    closeSync(2)
    setTimeout(() => process.exit(4), Number(argument))
  },
  crash() {
    begin()
    process.stderr.write('TypeError: the fake agent met what it did not expect\n')
    process.exitCode = 1
  },
  killed() {
    begin()
    process.stderr.write('no line end', () => process.kill(process.pid, 'SIGKILL'))
  },
  /** Many megabytes, as fast as they are read. */
  flood() {
    const line = Buffer.from(
      `${JSON.stringify({ type: 'assistant', session_id: session, message: { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(900) }] } })}\n`,
    )
    const block = Buffer.concat(Array.from({ length: 64 }, () => line))
    let left = Number(argument) * 1_000_000
    const more = () => {
      while (left > 0) {
        left -= block.length
        if (!process.stdout.write(block)) return process.stdout.once('drain', more)
      }
      result({})
    }
    begin()
    more()
  },
  /** Plain text, cut inside of characters, and bytes that are no text. */
  torn() {
    const text = Buffer.from('grüße 🙂\n')
    for (const byte of text) writeSync(1, Buffer.from([byte]))
    writeSync(2, Buffer.from([0x66, 0xff, 0xfe, 0x0a]))
    writeSync(1, text.subarray(0, 3))
  },
  /** Ignores every request to stop, and so does what it started. */
  stubborn() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
    const child = spawn(
      process.execPath,
      ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 60000)"],
      { stdio: 'ignore' },
    )
    say({ type: 'system', subtype: 'init', child: child.pid })
    hang()
  },
  /** Says which signal came, and ends as it was told to. */
  polite() {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
      process.on(signal, () => process.stdout.write(`${signal}\n`, () => process.exit(Number(argument))))
    process.stdout.write('ready\n')
    hang()
  },
  /** Ends, and leaves a process behind that holds its output. */
  leaves() {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.unref()
    process.stdout.write(`${child.pid}\n`, () => process.exit(0))
  },
  /** Hands standard input on. */
  echo() {
    process.stdin.pipe(process.stdout)
  },
  /** A line for each one that it is asked for on standard input. */
  steps() {
    process.stdin.on('data', () => process.stdout.write('step\n'))
  },
}

modes[mode]()
