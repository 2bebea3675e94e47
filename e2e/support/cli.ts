import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { root } from './server'

interface CliRun {
  code: number | null
  out: string
  err: string
}

interface RunningCli {
  child: ChildProcess
  written: () => { out: string; err: string }
  done: Promise<CliRun>
}

/**
 * Starts the command line as a person does, as a process of its own; it finds the server through the state folder.
 *
 * @param program the folder of another version of it
 */
export function startCli(
  args: string[],
  stateDir: string,
  input?: string,
  folder = root,
  program = root,
): RunningCli {
  const env: NodeJS.ProcessEnv = { ...process.env, INQUEST_STATE: stateDir }
  delete env.INQUEST_URL
  delete env.INQUEST_TOKEN
  const child = spawn(process.execPath, [join(program, 'bin/inquest.cjs'), ...args], {
    cwd: folder,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  child.stdin?.end(input)
  let out = ''
  let err = ''
  child.stdout!.on('data', (chunk) => (out += chunk))
  child.stderr!.on('data', (chunk) => (err += chunk))
  const done = new Promise<CliRun>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err }))
  })
  return { child, written: () => ({ out, err }), done }
}

export const runCli = (...given: Parameters<typeof startCli>): Promise<CliRun> => startCli(...given).done
