import { spawn } from 'node:child_process'
import path from 'node:path'

export interface PeakMemory {
  /** Above what the process held with the documents read; null where the system does not say. */
  residentMb: number | null
  heapMb: number
}

/** Runs a way once in a fresh process over documents that lie in files. */
export async function peakMemory(way: string, files: readonly string[]): Promise<PeakMemory> {
  const child = spawn(
    process.execPath,
    [
      '--expose-gc',
      '--trace-gc',
      '--import',
      'tsx',
      path.join(import.meta.dirname, 'memory.ts'),
      way,
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let [traced, output] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (traced += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (status !== 0) throw new Error(`${way} ended with status ${status}: ${output.slice(-500)}`)
  const { residentMb, heapMb } = JSON.parse(output.slice(output.lastIndexOf('{'))) as PeakMemory
  return { residentMb, heapMb: heapPeak(traced, heapMb) }
}

/**
 * From the collector's output: the most that the heap held before a collection, above what it held after the last one that was asked for, which is before the
 * work. @param atEnd MB that it held when the work was done
 */
export function heapPeak(trace: string, atEnd: number): number {
  const lines = trace.matchAll(
    /: [A-Z][\w -]*(?: \([^)]*\))? (\d+\.\d+) \(\d+\.\d+\) -> (\d+\.\d+) \(\d+\.\d+\) MB(.*)/g,
  )
  const collections = [...lines].map(([, before, after, rest]) => ({
    before: Number(before),
    after: Number(after),
    isAsked: rest!.includes('testing'),
  }))
  const start = collections.findLastIndex(({ isAsked }) => isAsked)
  if (start === -1) throw new Error('the collector told of no collection that was asked for')
  return (
    Math.max(atEnd, ...collections.slice(start + 1).map(({ before }) => before)) - collections[start]!.after
  )
}
