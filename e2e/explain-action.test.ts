import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runAction } from './support/action'
import { ENDINGS } from './support/endings'
import { makeFolder, type Folder } from './support/folder'
import { root } from './support/server'

const session = '33333333-0000-4000-8000-000000000001'
const secret = `ghp_${'a1B2'.repeat(9)}`
const FILE = 'claude-execution-output.json'

let folder: Folder
beforeEach(() => void (folder = makeFolder()))
afterEach(() => folder.remove())

const job = (more: Record<string, string> = {}) => ({
  ...{ HOME: folder.path, INQUEST_STATE: join(folder.path, 'state'), GITHUB_ACTIONS: 'true' },
  ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '77', GITHUB_RUN_ATTEMPT: '2', GITHUB_JOB: 'agent' },
  ...more,
})
const explain = (inputs: Record<string, string> = {}, env = job()) => runAction(inputs, { folder, env })
const kept = (path: string): string => readFileSync(join(path, readdirSync(path)[0]!), 'utf8')

describe.each(ENDINGS)('after a step that ended with: $name', ({ conclusion, records, reason }) => {
  test('the reason is in the log and the summary, without a server', async () => {
    const list = records(session)
    if (list !== null) folder.put(FILE, JSON.stringify(list, null, 2))
    const ran = await explain({ conclusion })
    expect(ran.status).toEqual({ make: 0, explain: 0 })
    expect(ran.log.replace(/\s+/g, ' ')).toMatch(reason)
    expect(ran.summary.replace(/`/g, '').replace(/\s+/g, ' ')).toMatch(reason)
    expect(ran.log + ran.summary).not.toContain('http')
    expect([ran.outputs.url, ran.outputs.failures]).toEqual(['', ''])
    if (list === null) expect(ran.outputs.transcript).toBe('')
    else expect(JSON.parse(kept(ran.outputs.transcript!))).toEqual(list)
  })
})

test('a job that is not told how its step ended, or whose file is named, is explained as well', async () => {
  const [{ records }] = ENDINGS as [(typeof ENDINGS)[number]]
  const [one, two] = ['a b/one.json', 'two.json'].map((name) =>
    folder.put(name, JSON.stringify(records(session.replace(/1$/, name.length.toString())))),
  )
  const ran = await explain({ 'execution-file': `${one}\n\n${two}\n` })
  expect(ran.status).toEqual({ make: 0, explain: 0 })
  expect(ran.log.match(/529/g)!.length).toBeGreaterThan(1)
  expect(readdirSync(ran.outputs.transcript!).sort()).toEqual(['1-one.json', '2-two.json'])
})

test('no secret leaves the runner, and nothing that the agent wrote acts in log or summary', async () => {
  const evil = `::error::forged\n##[add-mask]x\n::set-output name=x::y\n<script>forged</script>\n${secret}\nmake: *** Error 2`
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: `make ${evil}` } }
  folder.put(
    FILE,
    JSON.stringify([
      { type: 'system', subtype: 'init', session_id: session },
      { type: 'assistant', session_id: session, message: { id: 'm', role: 'assistant', content: [call] } },
      {
        type: 'user',
        session_id: session,
        message: {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't', is_error: true, content: `Exit code 2\n${evil}` },
          ],
        },
      },
      {
        type: 'result',
        subtype: 'success',
        is_error: true,
        session_id: session,
        result: `API Error: 500 ${evil}`,
      },
    ]),
  )
  const ran = await explain({ conclusion: 'failure' })
  expect(ran.log).toMatch(/^::error title=/m)
  const commands = ran.log.split('\n').filter((line) => /^\s*::|##\[/.test(line))
  expect(commands.filter((line) => !/^::error title=Agent run/.test(line))).toEqual([])
  expect(ran.summary.replace(/^ *(`{3,})[\s\S]*?^ *\1/gm, '').replace(/(`+)(?!`).*?\1/g, '')).not.toMatch(
    /<script|##\[/,
  )
  expect(ran.log + ran.summary + kept(ran.outputs.transcript!)).not.toContain(secret)
})

test('a file that is none of an agent, or is cut off, is told, and the step stays green', async () => {
  folder.put(FILE, 'no JSON at all')
  const none = await explain({ conclusion: 'failure' })
  expect([none.status, none.outputs.transcript]).toEqual([{ make: 0, explain: 0 }, ''])
  expect(none.log).toContain('Not an agent file')
  const [{ records }] = ENDINGS as [(typeof ENDINGS)[number]]
  folder.put(FILE, JSON.stringify(records(session), null, 2).slice(0, -20))
  const torn = await explain({ conclusion: 'failure' })
  expect([torn.status, torn.log.includes('cut off')]).toEqual([{ make: 0, explain: 0 }, true])
})

test('a file of 60 MB is explained, whole or cut off, in a summary that the provider takes', async () => {
  const call = (n: number): object[] => {
    const id = `toolu_${n}`
    const text = `${`output ${n} of the very long log\n`.repeat(1_000)}${secret}\nerror: check ${n} failed`
    const use = { type: 'tool_use', id, name: 'Bash', input: { command: `make check-${n}` } }
    const result = { type: 'tool_result', tool_use_id: id, content: text, is_error: n % 9 === 0 }
    return [
      { type: 'assistant', session_id: session, message: { id: `m${n}`, role: 'assistant', content: [use] } },
      { type: 'user', session_id: session, message: { role: 'user', content: [result] } },
    ]
  }
  const calls = Array.from({ length: 1_800 }, (_, n) => call(n + 1)).flat()
  const end = {
    ...{ type: 'result', subtype: 'error_max_turns', is_error: true, session_id: session, num_turns: 1_800 },
    errors: ['Reached maximum number of turns (1800)'],
  }
  const text = JSON.stringify(
    [{ type: 'system', subtype: 'init', session_id: session }, ...calls, end],
    null,
    2,
  )
  expect(text.length).toBeGreaterThan(60e6)
  for (const [content, said] of [
    [text, 'turn limit'],
    [text.slice(0, -400), 'cut off'],
  ] as const) {
    folder.put(FILE, content)
    const ran = await explain({ conclusion: 'failure' })
    expect(ran.status).toEqual({ make: 0, explain: 0 })
    expect(ran.log).toContain(said)
    expect(ran.summary.length).toBeLessThan(100_000)
    expect(kept(ran.outputs.transcript!).includes(secret)).toBe(false)
  }
}, 120_000)

test('the values of the inputs are data', async () => {
  const conclusion = 'failure"; touch pwned; $(touch pwned)'
  const ran = await explain({ conclusion, 'execution-file': `$(touch pwned)\n\`touch pwned\`` })
  expect([ran.status, existsSync(join(folder.path, 'pwned'))]).toEqual([{ make: 0, explain: 0 }, false])
})

test('the documented workflow uses inputs and outputs that there are, and pins what it does not hold itself', () => {
  const text = readFileSync(join(root, 'docs/ci/github-actions.md'), 'utf8')
  const { inputs, outputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
  const [workflow] = [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, yaml = '']) => parse(yaml))
  const { steps } = workflow.jobs.agent as {
    steps: { if?: string; uses: string; with?: Record<string, string> }[]
  }
  const why = steps.find(({ uses }) => uses.startsWith('OWNER/inquest@'))!
  expect(why.if).toBe('failure() || cancelled()')
  for (const name of Object.keys(why.with!)) expect(Object.keys(inputs)).toContain(name)
  for (const [, name] of text.matchAll(/steps\.why\.outputs\.([\w-]+)/g))
    expect(Object.keys(outputs)).toContain(name)
  expect(steps.find(({ uses }) => uses.includes('upload-artifact'))!.uses).toMatch(/@[0-9a-f]{40}$/)
  for (const name of Object.keys({ ...inputs, ...outputs })) expect(text).toContain(`\`${name}\``)
})
