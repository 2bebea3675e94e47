import { spawn } from 'node:child_process'
import { EXACT_SETTINGS } from '@/lib/judge/fixes/apply-options'
import { fixText } from '@/lib/words/cli/fix'
import { withoutSecrets } from '../child-environment'
import { CliFailure } from '../exit-codes'

export interface GitAnswer {
  status: number
  out: Buffer
  /** What it says to people, in English. */
  err: string
}

/** Asks the git of this machine, in a folder. A setting that would change bytes on their way is not taken from anybody's configuration. */
export function git(folder: string, args: readonly string[], input?: Uint8Array): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'git',
      [...Object.entries(EXACT_SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]), ...args],
      {
        cwd: folder,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...withoutSecrets(process.env), LC_ALL: 'C', LANGUAGE: '' },
      },
    )
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', (cause) =>
      reject(
        new CliFailure('failed', fixText.gitNotRun({ reason: cause.message }), {
          cause,
        }),
      ),
    )
    child.on('close', (status) =>
      resolve({ status: status ?? 1, out: Buffer.concat(out), err: Buffer.concat(err).toString('utf8') }),
    )
    // A git that ends early has said why.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** The names that git lists with `-z`. */
export const nulList = (out: Buffer): string[] =>
  out
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '')
