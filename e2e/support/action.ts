import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { bash } from './bash'
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
  /** What is in the summary of the job. */
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
  let failed = false
  const outputs: Record<string, Record<string, string>> = {}
  const context = (words: string): string => {
    const either = words.split(' || ')
    if (either.length > 1) return either.map(context).find((value) => value !== '') ?? ''
    const [kind = '', ...rest] = words.split('.')
    if (words === 'github.action_path') return actionPath
    if (words === 'github.job') return env.GITHUB_JOB ?? ''
    if (kind === 'inputs') return inputs[rest.join('.')] ?? fill(action.inputs[rest.join('.')]!.default ?? '')
    if (kind === 'steps') return outputs[rest[0]!]?.[rest.slice(2).join('.')] ?? ''
    throw new Error(`nobody knows ${words}`)
  }
  const fill = (text: string): string =>
    text.replace(/\$\{\{ (.*?) \}\}/g, (_all, words: string) => context(words))
  /** As the runner reads it: without a status function a step runs only while none has failed. */
  const runs = ({ if: condition = '' }: Step): boolean => {
    const terms = condition.split(' && ').filter((term) => term !== '')
    if (failed && !terms.includes('always()')) return false
    return terms.every((term) => {
      if (term === 'always()') return true
      const [, name, operator] = /^(inputs\.[\w-]+) (==|!=) ''$/.exec(term) ?? []
      if (name === undefined) throw new Error(`nobody knows ${term}`)
      return (context(name) === '') === (operator === '==')
    })
  }
  const ran: Ran = { status: {}, log: '', outputs: {}, summary: '' }
  for (const step of action.runs.steps) {
    if (!runs(step)) continue
    between?.(step)
    const file = folder.put(`outputs-${step.id}`, '')
    const own = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)]))
    const { code, out } = await bash(step.run, folder, {
      RUNNER_TEMP: folder.path,
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
