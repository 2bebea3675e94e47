import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Folder } from './folder'
import { root } from './server'

export interface Step {
  name: string
  id?: string
  if?: string
  shell?: string
  env?: Record<string, string>
  run: string
}

export interface Action {
  inputs: Record<string, { description: string; required?: boolean; default?: string }>
  outputs: Record<string, { description: string; value: string }>
  runs: { using: string; steps: Step[] }
}

export const readAction = (folder = root): Action =>
  parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action

export interface Ran {
  /** Of each step that ran, by its id. */
  status: Record<string, number | null>
  log: string
  outputs: Record<string, string>
  /** What stands in the summary of the job. */
  summary: string
}

/** Runs the steps of the action as the runner of GitHub does: each with bash, its inputs in its variables, and after a failure only those that always run. */
export async function runAction(
  inputs: Record<string, string>,
  {
    folder,
    env,
    between,
    actionPath = root,
  }: { folder: Folder; env: Record<string, string>; between?: (next: Step) => void; actionPath?: string },
): Promise<Ran> {
  const action = readAction(actionPath)
  const summary = folder.put('summary.md', '')
  const outputs: Record<string, Record<string, string>> = {}
  const context = (words: string): string => {
    const [kind = '', ...rest] = words.split('.')
    if (words === 'github.action_path') return actionPath
    if (words === 'github.job') return env.GITHUB_JOB ?? ''
    if (kind === 'inputs') return inputs[rest.join('.')] ?? fill(action.inputs[rest.join('.')]!.default ?? '')
    if (kind === 'steps') return outputs[rest[0]!]?.[rest.slice(2).join('.')] ?? ''
    throw new Error(`nobody knows ${words}`)
  }
  const fill = (text: string): string =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_all, words: string) => context(words))
  const ran: Ran = { status: {}, log: '', outputs: {}, summary: '' }
  let failed = false
  for (const step of action.runs.steps) {
    if (failed && step.if !== 'always()') continue
    between?.(step)
    const file = folder.put(`outputs-${step.id}`, '')
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)]))
    const { code, out } = await bash(step.run, folder, {
      ...env,
      ...own,
      GITHUB_OUTPUT: file,
      GITHUB_STEP_SUMMARY: summary,
    })
    ran.status[step.id!] = code
    ran.log += out
    outputs[step.id!] = Object.fromEntries(
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line) =>
          line.includes('=') ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]] : [],
        ),
    )
    failed ||= code !== 0
  }
  ran.outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)]),
  )
  ran.summary = readFileSync(summary, 'utf8')
  return ran
}

function bash(
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
