import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Outlet } from './outlet'
import type { Channel } from './record-folder'
import { makeRest } from './rest'

export const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

export interface ChildRun {
  command: readonly string[]
  env: NodeJS.ProcessEnv
  timeoutMs: number | null
  /** Milliseconds between SIGTERM and SIGKILL. */
  killAfterMs: number
  outlets: Record<Channel, Outlet>
  /** Called before a chunk is passed on. */
  keep(channel: Channel, chunk: Uint8Array): void
  /** Milliseconds without a byte after which what the command left behind is no longer waited for. */
  idleMs?: number
}

export interface ChildEnd {
  /** `null` for a process that a signal ended. */
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** Why it could not be started; the exit code is then the one that a shell gives. */
  startError: string | null
  timedOut: boolean
  endedAt: number
  bytes: Record<Channel, number>
  /** Standard error ends inside of a line. */
  openLine: boolean
  /** Channels that a process held open which the command had left behind. */
  heldOpen: Channel[]
}

export interface RunningChild {
  /** Hands a signal on to the command and all that it started; false when nothing of it is waited for any more. */
  forward(signal: NodeJS.Signals): boolean
  ended: Promise<ChildEnd>
}

const idleAfterMs = 5_000

function notStarted(error: unknown): Pick<ChildEnd, 'startError' | 'exitCode'> {
  const startError = (error as NodeJS.ErrnoException).code ?? String(error)
  return { startError, exitCode: startError === 'ENOENT' ? 127 : 126 }
}

/**
 * Starts a command in a process group of its own, so that it can be stopped with all that it started, and passes its output on as it comes.
 * A reader that is slow slows the command, as it would without us. Standard input is handed over, not read.
 */
export function startChild({
  command,
  env,
  timeoutMs,
  killAfterMs,
  outlets,
  keep,
  idleMs = idleAfterMs,
}: ChildRun): RunningChild {
  const end: ChildEnd = {
    exitCode: null,
    signal: null,
    startError: null,
    timedOut: false,
    endedAt: 0,
    bytes: { stdout: 0, stderr: 0 },
    openLine: false,
    heldOpen: [],
  }
  const grouped = process.platform !== 'win32'
  let child: ChildProcess
  try {
    child = spawn(command[0]!, command.slice(1), {
      stdio: ['inherit', 'pipe', 'pipe'],
      detached: grouped,
      env,
    })
  } catch (error) {
    // Some ways not to start are thrown, others are an event.
    return {
      forward: () => false,
      ended: Promise.resolve({ ...end, ...notStarted(error), endedAt: Date.now() }),
    }
  }
  const timers: NodeJS.Timeout[] = []
  const open = new Set((['stdout', 'stderr'] as const).filter((channel) => child[channel]))
  let exited = false
  let settled = false
  /** A signal came, so that a reader who does not read is not waited for. */
  let hurried = false
  let lastByteAt = 0

  function kill(signal: NodeJS.Signals): boolean {
    if (child.pid === undefined) return false
    try {
      return grouped ? process.kill(-child.pid, signal) : child.kill(signal)
    } catch {
      return false
    }
  }

  function stop(): void {
    // What is left then is not the command, but what it left behind.
    if (!exited) end.timedOut = true
    hurried = true
    kill('SIGTERM')
    timers.push(setTimeout(() => kill('SIGKILL'), killAfterMs))
  }
  if (timeoutMs !== null) timers.push(setTimeout(stop, timeoutMs))

  const ended = new Promise<ChildEnd>((resolve) => {
    const settle = (): void => {
      if (!exited || open.size > 0) return
      settled = true
      // What ignored SIGTERM, and was not the command itself, is not asked again.
      if (end.timedOut) kill('SIGKILL')
      timers.forEach(clearTimeout)
      resolve(end)
    }
    const exit = (): void => {
      if (exited) return
      exited = true
      end.endedAt = Date.now()
      lastByteAt = Date.now()
      if (open.size > 0) timers.push(setInterval(leaveIdle, Math.min(idleMs, 500)))
      settle()
    }
    /** The command has ended: another process may contain its output for ever, and a reader may never read. */
    const leaveIdle = (): void => {
      if (Date.now() - lastByteAt < idleMs) return
      for (const channel of open) {
        const stream = child[channel]!
        if (!stream.isPaused()) {
          end.heldOpen.push(channel)
          stream.destroy()
        } else if (hurried) outlets[channel].abandon()
      }
    }
    for (const channel of open) {
      pass(child[channel]!, channel)
      child[channel]!.on('close', () => {
        open.delete(channel)
        // A reader of standard output meets its end when the command closes it; standard error is needed for a last word.
        if (channel === 'stdout') void outlets.stdout.end()
        settle()
      })
    }
    child.on('error', (error) => {
      if (child.pid !== undefined) return
      Object.assign(end, notStarted(error))
      exit()
    })
    child.on('exit', (code, signal) => {
      end.exitCode = code
      end.signal = signal
      exit()
    })
  })

  function pass(stream: Readable, channel: Channel): void {
    const outlet = outlets[channel]
    const rest = makeRest()
    stream.on('data', (chunk: Buffer) => {
      lastByteAt = Date.now()
      end.bytes[channel] += chunk.length
      if (channel === 'stderr') end.openLine = chunk[chunk.length - 1] !== 0x0a
      keep(channel, chunk)
      const hasRoom = outlet.write(chunk)
      rest(chunk.length)
      if (hasRoom) return
      stream.pause()
      outlet.drained(() => stream.resume())
    })
    stream.on('error', () => stream.destroy())
  }

  return {
    ended,
    forward(signal) {
      hurried = true
      if (!settled) kill(signal)
      return !settled
    },
  }
}
