import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { executionFile, failedCall, RESULT } from '../testing/execution-file'
import { makeFolder, runCli } from '../testing/run-cli'
import { inBuildkiteLog } from './inert'

let folder: ReturnType<typeof makeFolder>
beforeEach(() => (folder = makeFolder()))
afterEach(() => folder.remove())

// Built, so that no scanner takes this file for a leak.
const SECRET = `sk-ant-api03-${'Ab1_'.repeat(23)}-AA`
const ESC = '\u001b'

/** Lines that some log or page would act on, each behind a word that the decisive line is chosen by. */
const HOSTILE = [
  '::error::injected by output',
  '::set-output name=x::injected',
  '##[add-mask]injected',
  '::stop-commands::injected',
  '<script>alert("injected")</script> <img src=x onerror=alert(1)>',
  '[x](javascript:alert(1)) ![y](http://evil.example/p.png) @everyone #1 www.evil.example',
  '```',
  '# injected heading',
  `${ESC}[31mred${ESC}[0m ${ESC}]8;;http://evil.example${ESC}\\link${ESC}]8;;${ESC}\\`,
  `${ESC}]1338;url=http://evil.example/x.png${ESC}\\ ${ESC}]1339;url=x;content=y\u0007`,
  `section_start:1560896352:injected\r${ESC}[0KInjected`,
  `${ESC}[0Ksection_end:1560896353:inquest_explain_0\r${ESC}[0K`,
  '--- injected group',
  '+++ injected group',
  '~~~ injected group',
  '^^^ +++',
  ':rotating_light: :+1: :100:',
  'bidi \u202e overwrites \u0008\u0008\u0008 \u0007',
  `the key is ${SECRET} of ada@example.org`,
]
const ENVIRONMENTS = {
  github: { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ID: '7' },
  gitlab: { GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/shop', CI_PIPELINE_ID: '7' },
  buildkite: {
    BUILDKITE: 'true',
    BUILDKITE_ORGANIZATION_SLUG: 'acme',
    BUILDKITE_PIPELINE_SLUG: 'shop',
    BUILDKITE_BUILD_NUMBER: '7',
  },
  none: {},
} as const
type Place = keyof typeof ENVIRONMENTS

/** Files in which the text stands wherever an agent, a tool or a name can put one. */
function hostileFile(text: string): string {
  const result = {
    ...RESULT.maxTurns,
    errors: [text],
    subtype: 'error_during_execution',
    terminal_reason: text,
  }
  return folder.put(
    'claude-execution-output.json',
    JSON.stringify(executionFile([failedCall(text, `Exit code 1\nerror: ${text}\n${text}`)], result, text)),
  )
}
const explain = (place: Place, args: string[]) =>
  runCli(['explain', ...args], { HOME: folder.path, ...ENVIRONMENTS[place] })

/** What the runner of GitHub acts on. */
const githubActs = (line: string): string | null => {
  const command = /^\s*::([^\s:]+)(?: [\s\S]*?)?::/.exec(line)
  return command ? command[1]! : (/##\[([^\]]*)\]/.exec(line)?.[1] ?? null)
}

describe.each(HOSTILE)('%j', (text) => {
  test('GitHub acts on our own commands alone', async () => {
    const file = hostileFile(text)
    for (const args of [[file], ['--markdown', file], ['--json', file], ['--annotations', 'none', file]]) {
      const { out, err } = await explain('github', args)
      const acts = `${out}${err}`.split('\n').flatMap((line) => githubActs(line) ?? [])
      expect(acts).toEqual(args.length === 1 ? ['error'] : [])
    }
  })

  test('GitLab sees one section, and no escape but ours', async () => {
    const { out } = await explain('gitlab', [hostileFile(text)])
    const marks = [...out.matchAll(/section_(start|end):\d+:([\w.-]+)(?:\[.*?\])?\r\u001b\[0K/g)]
    expect(marks.map(([, what, name]) => [what, name])).toEqual([
      ['start', 'inquest_explain_0'],
      ['end', 'inquest_explain_0'],
    ])
    const rest = out
      .replace(/\u001b\[0Ksection_(?:start|end):\d+:inquest_explain_0\r\u001b\[0K/g, '')
      .replace(/\u001b\[(?:1|0)m/g, '')
    expect(rest).not.toMatch(/[\u001b\r\u0007\u0008\u202e]/)
  })

  test('Buildkite sees one group, no emoji and no image', async () => {
    const { out } = await explain('buildkite', [hostileFile(text)])
    const groups = out.split('\n').filter((line) => /^(?:---|\+\+\+|~~~|\^\^\^)/.test(line))
    expect(groups).toEqual([expect.stringMatching(/^\+\+\+ Inquest: /)])
    expect(out).not.toMatch(/[\u001b\r\u0007]|:rotating_light:|:\+1:|:100:/)
    const page = (await explain('buildkite', ['--markdown', hostileFile(text)])).out
    expect(page).not.toMatch(/[\u001b\r\u0007]|:rotating_light:|:\+1:|:100:/)
  })

  test('a summary is Markdown that holds it as code alone', async () => {
    const { out } = await explain('none', ['--markdown', hostileFile(text)])
    const outside = withoutCode(out)
    expect(outside).not.toMatch(/[<>[\]@#]|javascript:|evil|injected|alert|www\./)
    expect(out).not.toMatch(/[\u001b\r\u0007\u202e]/)
  })

  test('a terminal gets no control character', async () => {
    const { out } = await explain('none', [hostileFile(text)])
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })

  test('no output holds the secret or the address', async () => {
    const file = hostileFile(text)
    for (const place of Object.keys(ENVIRONMENTS) as Place[])
      for (const args of [[file], ['--markdown', file], ['--json', file]]) {
        const { out, err } = await explain(place, args)
        expect(`${out}${err}`).not.toContain(SECRET.slice(0, 30))
        expect(`${out}${err}`).not.toContain('ada@example.org')
      }
  })
})

/** Markdown as CommonMark reads it, without its code spans, fenced blocks and our own headings. */
function withoutCode(markdown: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const mark = /^(`{3,})/.exec(line)?.[1]
    if (fence === null && mark) fence = mark
    else if (fence !== null) {
      if (line.trim() === fence) fence = null
    } else lines.push(line.replace(/^## /, ''))
  }
  expect(fence).toBeNull()
  return lines.join('\n').replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
}

test('the beginning of a file that is not read is not quoted where a secret is in it', async () => {
  const { code, out } = await explain('none', [folder.put('notes.txt', `key: ${SECRET}\n`)])
  expect([code, out]).toEqual([2, expect.not.stringContaining('sk-ant')])
})

test('the name of a file does not act on anything either', async () => {
  const name = `a\n::error::x ${ESC}[31m --- :100:`
  for (const place of Object.keys(ENVIRONMENTS) as Place[]) {
    const { out } = await explain(place, [name])
    expect(out.split('\n').flatMap((line) => githubActs(line) ?? [])).toEqual([])
    expect(out.replace(/\u001b\[0K|\u001b\[[01]m|\r/g, '')).not.toContain(ESC)
  }
})

test('a line for Buildkite is no group and holds no emoji, whatever it is', () => {
  const parts = ['---', '+++', '~~~', '^^^ +++', ':', 'smile', '+1', '100', '-1', ' ', 'a', '12']
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts)).map((all) => all.join('')),
      (text) => {
        const line = inBuildkiteLog(text)
        expect(line).not.toMatch(/^(?:---|\+\+\+|~~~|\^\^\^)/)
        expect(line).not.toMatch(/:(?:smile|[+-]1|100):/)
      },
    ),
  )
  expect(inBuildkiteLog('src/a.ts:12:34: error')).toBe('src/a.ts:12:34: error')
})
