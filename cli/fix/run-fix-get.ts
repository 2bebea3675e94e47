import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fixText } from '@/lib/words/cli/fix'
import { CliFailure } from '../exit-codes'
import { createClient } from '../http'
import type { Output } from '../output'
import { readSettings, type Environment } from '../settings'
import { downloadFix } from './download-fix'
import { fitLine, readFit } from './fit-line'

export interface FixGetFlags {
  output?: string
}

/** Downloads the patch of a fix. A file that is there with other bytes is never written over. */
export async function runFixGet(
  id: string,
  { output: wanted }: FixGetFlags,
  io: { env: Environment; out: NodeJS.WritableStream },
  output: Output,
): Promise<void> {
  const client = createClient(readSettings(io.env))
  try {
    const { fix, bytes } = await downloadFix(client, id)
    if (wanted === '-') {
      if (output.json) throw new CliFailure('usage', fixText.outputAndJson)
      return void io.out.write(bytes)
    }
    // Names come from the server: a path in one is none of ours.
    const path = wanted ?? basename(fix.downloadName)
    writeNew(path, bytes)
    const fit = await readFit(client, fix.id)
    output.record({
      id: fix.id,
      state: fix.state,
      sha256: fix.sha256,
      size: bytes.length,
      path,
      fit: fit && { outcome: fit.outcome, stale: fit.stale },
    })
    output.line(`${path}: ${bytes.length} bytes, SHA-256 ${fix.sha256}, ${fix.state.replace('_', ' ')}`)
    const line = fit && fitLine(fit)
    if (line !== null) output.line(line)
  } finally {
    client.close()
  }
}

function writeNew(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new CliFailure('failed', fixText.notWritten({ path, reason: (error as Error).message }), {
        cause: error,
      })
    if (!readFileSync(path).equals(bytes)) throw new CliFailure('failed', fixText.fileExists({ path }))
  }
}
