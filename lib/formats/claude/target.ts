/**
 * Keys of a tool's input that name what the call works on, in the order they are asked for. `subagent_type` is last: a call of an
 * agent that does not exist and one of another agent are two pieces of work (docs/sources/attempts.md#retry-chains).
 */
export const TARGET_KEYS = [
  'file_path',
  'notebook_path',
  'path',
  'url',
  'query',
  'pattern',
  'command',
  'subagent_type',
] as const

/**
 * What a call works on: the first of the target keys that contains a text, whole and unchanged.
 * `null` when the input names none (two such calls of one tool count as the same target).
 *
 * @see docs/sources/attempts.md#retry-chains
 */
export function targetOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null
  for (const key of TARGET_KEYS) {
    const value = (input as Record<string, unknown>)[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return null
}

const SHELL_TOOLS = new Set(['Bash', 'PowerShell'])
/** `cd somewhere &&` and the like: they say where, not what. */
const PREPARATION = /^(?:(?:cd|pushd|source|\.|export|set)\s[^;&|\n]*(?:&&|;|\n)\s*)+/
/** Settings and runners in front of the program. */
const PREFIX =
  /^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+|(?:sudo|env|time|nohup|exec|command)\s+|timeout\s+(?:-\S+\s+)*\S+\s+)+/
/** Programs whose second word is a verb of its own that needs the third. */
const TWO_VERBS = new Set(['run', 'exec', 'x', 'tool'])

/**
 * The looser link between two attempts of a shell command: its first words (`npm test`, `go build`, `npm run lint`),
 * without changes of folder, variables and runners in front. `undefined` for other tools and for commands without words.
 */
export function looseTargetOf(tool: string, input: unknown): string | undefined {
  if (!SHELL_TOOLS.has(tool) || typeof input !== 'object' || input === null) return undefined
  const command = (input as Record<string, unknown>)['command']
  if (typeof command !== 'string') return undefined
  const bare = command.slice(0, 2_000).trim().replace(PREPARATION, '').replace(PREFIX, '')
  const words = (bare.split(/[\n;&|<>()]/, 1)[0] ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  const [program, verb, object] = words
  if (program === undefined) return undefined
  const kept = [program.slice(program.lastIndexOf('/') + 1) || program]
  if (isWord(verb)) {
    kept.push(verb)
    if (TWO_VERBS.has(verb) && isWord(object)) kept.push(object)
  }
  return kept.join(' ').slice(0, 200)
}

const isWord = (word: string | undefined): word is string => word !== undefined && !/^[-"'$`{]/.test(word)
