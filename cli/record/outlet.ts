import { fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Where bytes go on: standard output or standard error of this process, byte for byte. */
export interface Outlet {
  /** Takes a chunk; false: wait for `drained` before the next one. */
  write(chunk: Uint8Array): boolean
  /** Calls back once there is room again, or nobody reads any more. */
  drained(then: () => void): void
  /** Hands on the end: everything is written and the reader meets the end of the stream. */
  end(): Promise<void>
  /** Nobody reads any more: what is written goes nowhere. */
  readonly isGone: boolean
  /** Stops waiting for a reader that does not read. */
  abandon(): void
}

/**
 * The outlet of a file descriptor. Not `process.stdout`: that is never closed, and a reader would wait for the end of the output until all
 * was sent. Pipes are written without blocking, so that a reader who does not read holds up neither signals nor a time limit; files and
 * terminals take what they are given.
 */
export function openOutlet(fd: number, onGone: (because: string) => void): Outlet {
  const kind = fstatSync(fd)
  return kind.isFIFO() || kind.isSocket() ? pipeOutlet(fd, onGone) : fileOutlet(fd, onGone)
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)

function pipeOutlet(fd: number, onGone: (because: string) => void): Outlet {
  const socket = new Socket({ fd, readable: false, writable: true })
  let gone = false
  let ending: Promise<void> | null = null
  let waiting: (() => void)[] = []
  const wake = (): void => {
    const awake = waiting
    waiting = []
    for (const then of awake) then()
  }
  const leave = (): void => {
    gone = true
    socket.destroy()
    wake()
  }
  socket.on('drain', wake)
  // The number would be given to the next file that is opened, and whoever still writes to it would write there.
  socket.once('close', () => openSync('/dev/null', 'w'))
  socket.on('error', (error) => {
    if (!gone) onGone(codeOf(error))
    leave()
  })
  return {
    get isGone() {
      return gone
    },
    write: (chunk) => gone || socket.write(chunk),
    drained: (then) => void (gone ? then() : waiting.push(then)),
    end: () =>
      (ending ??= new Promise((resolve) => {
        if (socket.closed) return resolve()
        socket.once('close', () => resolve())
        // Closed, and not shut down: a shell that started us writes to the same socket after us.
        socket.write(new Uint8Array(0), () => socket.destroy())
      })),
    abandon: leave,
  }
}

const PAUSE_MS = 5

function fileOutlet(fd: number, onGone: (because: string) => void): Outlet {
  let gone = false
  /** What a terminal that somebody set to non-blocking did not take yet. */
  let rest: Uint8Array[] = []
  let waiting: (() => void)[] = []
  const wake = (): void => {
    const awake = waiting
    waiting = []
    for (const then of awake) then()
  }
  const push = (): void => {
    try {
      while (rest.length > 0) {
        const written = writeSync(fd, rest[0]!)
        rest[0] = rest[0]!.subarray(written)
        if (rest[0].length === 0) rest.shift()
      }
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return void setTimeout(push, PAUSE_MS)
      if (!gone) onGone(codeOf(error))
      gone = true
      rest = []
    }
    wake()
  }
  return {
    get isGone() {
      return gone
    },
    write(chunk) {
      if (gone) return true
      rest.push(chunk)
      if (rest.length === 1) push()
      return rest.length === 0
    },
    drained: (then) => void (gone || rest.length === 0 ? then() : waiting.push(then)),
    end: () => new Promise((resolve) => void (gone || rest.length === 0 ? resolve() : waiting.push(resolve))),
    abandon() {
      gone = true
      rest = []
      wake()
    },
  }
}
