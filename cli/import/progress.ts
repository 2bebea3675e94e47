import type { Output } from '../output'
import { formatBytes, formatCount } from '@/lib/text/amounts'
import { visible } from '../output'

export interface Progress {
  bytes(bytes: number): void
  fileDone(): void
  /** Writes a line above the bar. */
  say(text: string): void
  stop(): void
}

/** Lines on standard error while nobody watches a terminal, at most this often. */
const plainEveryMs = 5_000

/** A bar on a terminal; a plain line now and then elsewhere; nothing with `--json`. */
export async function startProgress(
  output: Output,
  totals: { files: number; bytes: number },
  terminal: boolean,
): Promise<Progress> {
  if (output.json || totals.files === 0)
    return { bytes: () => {}, fileDone: () => {}, say: (text) => output.line(text), stop: () => {} }
  return terminal ? bar(totals) : plain(output, totals)
}

function plain(output: Output, totals: { files: number; bytes: number }): Progress {
  let done = 0
  let files = 0
  let last = Date.now()
  const tell = (): void => {
    if (Date.now() - last < plainEveryMs) return
    last = Date.now()
    output.note(
      `${formatCount(files)} of ${formatCount(totals.files)} files, ${formatBytes(done)} of ${formatBytes(Math.max(done, totals.bytes))}`,
    )
  }
  return {
    bytes: (bytes) => {
      done += bytes
      tell()
    },
    fileDone: () => {
      files += 1
      tell()
    },
    say: (text) => output.line(text),
    stop: () => {},
  }
}

async function bar(totals: { files: number; bytes: number }): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress')
  const started = Date.now()
  let done = 0
  let files = 0
  const single = new cliProgress.SingleBar(
    {
      format: '{bar} {percentage}% · {files} files · {size} · {rate}/s',
      stream: process.stderr,
      barsize: 28,
      hideCursor: true,
      clearOnComplete: true,
      stopOnComplete: false,
      fps: 10,
      etaBuffer: 1,
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  )
  const payload = (): Record<string, string> => ({
    files: `${formatCount(files)} of ${formatCount(totals.files)}`,
    size: `${formatBytes(done)} of ${formatBytes(Math.max(done, totals.bytes))}`,
    rate: formatBytes((done / Math.max(1, Date.now() - started)) * 1000),
  })
  // A bar of nothing but empty files is a full one.
  single.start(Math.max(1, totals.bytes), totals.bytes === 0 ? 1 : 0, payload())
  return {
    bytes: (bytes) => {
      done += bytes
      single.update(Math.min(done, Math.max(1, totals.bytes)), payload())
    },
    fileDone: () => {
      files += 1
      single.updateETA()
      single.update(payload())
    },
    say: (text) => {
      process.stderr.write('\r\u001b[K')
      process.stdout.write(`${visible(text)}\n`)
    },
    stop: () => single.stop(),
  }
}
