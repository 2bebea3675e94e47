import { appendFileSync, writeFileSync } from 'node:fs'
import { ciSummaryText } from '@/lib/words/cli/ci-summary'
import { CliFailure } from '../exit-codes'

/** Writes a file that a CI system reads. @throws CliFailure `failed`, with the name of the file */
export function writeJobFile(file: string, text: string, how: 'write' | 'append'): void {
  try {
    if (how === 'append') appendFileSync(file, text)
    else writeFileSync(file, text)
  } catch (error) {
    throw new CliFailure(
      'failed',
      ciSummaryText.notWritten({ file, code: (error as NodeJS.ErrnoException).code }),
      { cause: error },
    )
  }
}
