import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { redactText } from '@/lib/words/cli/redact'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import type { Output } from '../output'
import { redactFile } from './redact-file'

/** Writes a copy of a file without its secrets, such as one that a CI job may keep as an artifact. The file itself stays as it is. */
export async function runRedact(
  path: string,
  { output: target }: { output: string },
  output: Output,
): Promise<ExitName> {
  const redacted = await redactFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    throw new CliFailure('failed', redactText.notRead({ path, code: error.code }), { cause: error })
  })
  if ('because' in redacted)
    throw new CliFailure('partly', redactText.notRedacted({ path, status: redacted.because }))
  const { bytes, secrets } = redacted
  try {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes, { mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CliFailure('failed', redactText.notWritten({ path: target, code }), { cause: error })
  }
  output.line(redactText.written({ path: target, secrets }))
  output.record({ file: target, bytes: bytes.length, secrets })
  return 'fine'
}
