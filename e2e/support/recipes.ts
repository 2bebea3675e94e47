import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from './server'

/** Shell of a recipe as its CI system runs it: what runs the agent, and what runs behind it. */
export interface Recipe {
  run: string
  after: { script: string; env: Record<string, string> }[]
}

/** The first block of code below a heading of a page. */
function block(page: string, heading: string): string {
  const section =
    readFileSync(join(root, page), 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const text = /^```\w+\n([\s\S]*?)^```/m.exec(section)?.[1]
  if (text === undefined) throw new Error(`${page} has no code below ${heading}`)
  return text.replaceAll('/opt/inquest', root)
}

const plain = (...scripts: string[]): Recipe['after'] => scripts.map((script) => ({ script, env: {} }))

type Read = (text: string) => Recipe

const READ: Record<string, Read> = {
  gitlab: (text) => {
    const { agent } = parse(text) as { agent: { script: string[]; after_script: string[] } }
    // GitLab runs the lines of `after_script` in one shell of its own.
    return { run: agent.script.join('\n'), after: plain(agent.after_script.join('\n')) }
  },
  buildkite: (text) => {
    const { steps } = parse(text) as { steps: { command?: string }[] }
    const [run = '', ...after] = steps.flatMap(({ command }) => command?.replaceAll('$$', '$') ?? [])
    return { run, after: plain(...after) }
  },
  jenkins: (text) => {
    const [run = '', ...after] = [...text.matchAll(/\bsh '([^']*)'/g)].map(([, script = '']) => script)
    const env = Object.fromEntries(
      [...text.matchAll(/(\w+) = '([^']*)'/g)].map(([, name, value]) => [name, value]),
    )
    return { run, after: after.map((script) => ({ script, env })) }
  },
  circleci: (text) => {
    type Run = string | { command: string; environment?: Record<string, string> }
    const { steps } = parse(text) as { steps: { run?: Run }[] }
    const runs = steps.flatMap(({ run }) => run ?? [])
    const [first = '', ...after] = runs.map((run) =>
      typeof run === 'string'
        ? { script: run, env: {} }
        : { script: run.command, env: run.environment ?? {} },
    )
    return { run: typeof first === 'string' ? first : first.script, after }
  },
}

export const readRecipe = (provider: string, heading: 'Record a command' | 'Explain a file'): Recipe =>
  READ[provider]!(block(`docs/ci/${provider}.md`, heading))

/** Commands that the general page has for any other system. */
export const readOther = (): string[] =>
  [
    ...readFileSync(join(root, 'docs/ci.md'), 'utf8')
      .split('\n## Anything else\n')[1]!
      .matchAll(/^```bash\n([\s\S]*?)^```/gm),
  ].map(([, text = '']) => text.replaceAll('/opt/inquest', root))
