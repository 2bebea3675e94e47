import { closeSync, openSync, readFileSync, readSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { PieceCutter } from './cut-pieces'
import type { Piece } from './cut-pieces'
import { recordFiles } from './record-folder'
import type { Channel, RecordStart } from './record-folder'
import { sizeOf } from './record-files'
import type { Verdict } from './judge'

/** Last line of the document. */
export interface RecordEnd {
  type: 'record.end'
  endedAt: string
  exitCode: number | null
  signal: string | null
  termination: 'natural_exit' | 'timed_out'
  channelConfirmation: 'channel_a' | 'unmonitored'
  killReason: 'natural_exit' | 'infra_kill' | 'not_applicable'
  stdoutBytes: number
  stdoutSha256: string | null
  /** Only where something was taken out of the output before it was sent. */
  stdoutSentBytes?: number
  stderrBytes: number
  stdoutKind: 'claude-stream' | null
  sessionId: string | null
  verdict: Verdict
}

/** Output of one channel that came at one time. */
interface Stretch {
  channel: Channel
  start: number
  end: number
  at: number
}

const bufferBytes = 256 * 1024

/**
 * Puts the document of a record together from what was kept, whole or not at all: the first line, now with the execution it belongs to, the
 * output of the given channels in its order, and the last line when the end is known.
 */
export async function writeDocument(
  folder: string,
  {
    start,
    executionKey,
    channels,
    end,
  }: { start: RecordStart; executionKey: string; channels: readonly Channel[]; end: RecordEnd | null },
): Promise<void> {
  const path = join(folder, recordFiles.document)
  const draft = `${path}.draft`
  const out = await open(draft, 'w', 0o600)
  try {
    let waiting = ''
    for (const line of documentLines(folder, start, executionKey, channels, end)) {
      waiting += `${JSON.stringify(line)}\n`
      if (waiting.length < bufferBytes) continue
      await out.writeFile(waiting)
      waiting = ''
    }
    await out.writeFile(waiting)
  } finally {
    await out.close()
  }
  renameSync(draft, path)
}

function* documentLines(
  folder: string,
  { type, version, recordId, ...rest }: RecordStart,
  executionKey: string,
  channels: readonly Channel[],
  end: RecordEnd | null,
): Generator<object, void, undefined> {
  yield { type, version, recordId, executionKey, ...rest }
  const cutters = { stdout: new PieceCutter(), stderr: new PieceCutter() }
  for (const { channel, start, end: until, at } of readStretches(folder, Date.parse(rest.startedAt))) {
    if (!channels.includes(channel)) continue
    for (const bytes of readRange(join(folder, recordFiles[channel]), start, until))
      yield* outputLines(channel, cutters[channel].push(bytes, at))
    yield* outputLines(channel, cutters[channel].flush())
  }
  for (const channel of channels) yield* outputLines(channel, cutters[channel].flush(true))
  if (end !== null) yield end
}

function* outputLines(channel: Channel, pieces: Piece[]): Generator<object, void, undefined> {
  for (const { at, ...what } of pieces)
    yield { type: 'record.output', channel, at: new Date(at).toISOString(), ...what }
}

/** What came when. What no time was noted for (the disk was full) goes with what came before it. */
function readStretches(folder: string, startedAt: number): Stretch[] {
  const sizes = { stdout: sizeOf(folder, 'stdout') ?? 0, stderr: sizeOf(folder, 'stderr') ?? 0 }
  const noted =
    sizeOf(folder, 'times') === null
      ? []
      : readFileSync(join(folder, recordFiles.times), 'latin1').split('\n')
  const stretches: Stretch[] = []
  const last: Record<Channel, Stretch | null> = { stdout: null, stderr: null }
  const begin = (channel: Channel, start: number, at: number): void => {
    if (last[channel]) last[channel].end = start
    stretches.push((last[channel] = { channel, start, end: sizes[channel], at }))
  }
  for (const line of noted) {
    const [, channel, start, at] = /^(stdout|stderr) (\d+) (\d+)$/.exec(line) ?? []
    if (channel !== undefined && Number(start) < sizes[channel as Channel])
      begin(channel as Channel, Number(start), Number(at))
  }
  for (const channel of ['stdout', 'stderr'] as const)
    if (last[channel] === null && sizes[channel] > 0) begin(channel, 0, startedAt)
  return stretches
}

function* readRange(path: string, start: number, end: number): Generator<Buffer, void, undefined> {
  const file = openSync(path, 'r')
  try {
    for (let at = start; at < end; ) {
      const bytes = Buffer.allocUnsafe(Math.min(bufferBytes, end - at))
      const count = readSync(file, bytes, 0, bytes.length, at)
      if (count === 0) return
      yield bytes.subarray(0, count)
      at += count
    }
  } finally {
    closeSync(file)
  }
}
