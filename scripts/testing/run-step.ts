import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Step {
  title: string
  seconds: number
  status: number
}

const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }

/** Every step that ran so far, in the order in which they ended. */
export const steps: Step[] = []

/**
 * Runs a command to its end. Steps run beside each other, so each line of output starts with the step's title.
 *
 * @returns exit status; 1 when the command could not be started or was killed
 */
export async function runStep(
  title: string,
  command: string,
  args: string[],
  extra: Record<string, string> = {},
): Promise<number> {
  const started = Date.now()
  console.log(`== ${title}: started`)
  const status = await new Promise<number>((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...extra } })
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        if (line.trim() !== '') console.log(`${title} | ${line}`)
      })
    child.once('error', (error) => {
      console.error(String(error))
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
  const seconds = Math.round((Date.now() - started) / 1000)
  steps.push({ title, seconds, status })
  console.log(`== ${title}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`)
  return status
}
