import { spawn } from 'node:child_process'
import type { Folder } from './folder'

/** Runs a script as CI systems do: it ends at the first command that fails. */
export function bash(
  script: string,
  folder: Folder,
  env: Record<string, string>,
): Promise<{ code: number | null; out: string }> {
  const file = folder.put('step.sh', script)
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
      cwd: folder.path,
      env: { PATH: process.env.PATH!, ...env } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out }))
  })
}
