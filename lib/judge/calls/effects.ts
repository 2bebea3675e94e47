import { CHANGES_FILES } from './retry-chain'
import { isSameInput, NO_INPUT } from '../../model/same-input'

/** What a call that succeeded has left outside of the agent, as far as its input tells. */
export interface Effect {
  kind: 'file' | 'command' | 'tool'
  /** The same for calls that did the same thing: the file, the words of the command (`git push`), the tool with its target. */
  name: string
  /** The same for calls that did it with the same input. */
  input: string
}

/** A call as it is read for its effects. */
export interface EffectCall {
  executionId: string
  callId: string
  ordinal: number
  tool: string
  target: string | null
  inputDigest: string
  /** Of a call that was not answered, or cut off: what it may have done is not known. */
  unsure?: boolean
  /** What receipts of the call say; it is one call, and they are its proof. */
  receipts?: readonly EffectReceipt[]
}

/** A receipt of a call. */
export interface EffectReceipt {
  key: string
  executionId: string
  sequence: number | null
  status: string | null
  actionType: string | null
  parametersHash: string | null
}

/** An effect that more than one attempt had, with its calls in the order of the attempts. */
export interface RepeatedEffect {
  kind: Effect['kind']
  name: string
  done: EffectOfAttempt[]
}

export interface EffectOfAttempt {
  /** The try; its call may be one of an agent that it started. */
  attemptId: string
  executionId: string
  callId: string
  /** How often this attempt did it, or may have. */
  calls: number
  /** Whether it was done; null: nobody knows, the call was not answered or was cut off. */
  done: true | null
  /** Whether its input is that of the first attempt that did it; null where the inputs cannot be compared. */
  sameInput: boolean | null
  /** `asserted`: a receipt of this attempt and one of the first say that both did it with the same parameters. */
  basis: 'asserted' | 'inferred'
  /** Of the call. */
  receipts: Pick<EffectReceipt, 'key' | 'executionId' | 'sequence'>[]
}

interface ShellEffect {
  program: string
  /** Its words, when the step has the effect; the options before them are left out. */
  words: RegExp
}

/** Verbs of programs that change what outlives the run. Kept short: what is not here is not known to have an effect. */
const SHELL_EFFECTS: readonly ShellEffect[] = [
  { program: 'git', words: /^(?:commit|push|tag(?= [^-])|merge|revert)\b/ },
  {
    program: 'gh',
    words:
      /^(?:pr|issue|release|gist|repo|label|secret|workflow|run) (?:create|new|merge|close|reopen|comment|edit|review|upload|delete|set|run|rerun)\b/,
  },
  {
    program: 'glab',
    words: /^(?:mr|issue|release) (?:create|merge|close|reopen|note|update|approve|delete)\b/,
  },
  { program: 'npm', words: /^(?:publish|unpublish|deprecate|dist-tag)\b/ },
  { program: 'pnpm', words: /^publish\b/ },
  { program: 'yarn', words: /^(?:npm )?publish\b/ },
  { program: 'cargo', words: /^(?:publish|yank)\b/ },
  { program: 'twine', words: /^upload\b/ },
  { program: 'docker', words: /^(?:image )?push\b/ },
  {
    program: 'kubectl',
    words: /^(?:apply|create|delete|patch|replace|scale|set|rollout (?:restart|undo))\b/,
  },
  { program: 'helm', words: /^(?:install|upgrade|rollback|uninstall)\b/ },
  { program: 'terraform', words: /^(?:apply|destroy|import)\b/ },
  { program: 'tofu', words: /^(?:apply|destroy|import)\b/ },
  { program: 'pulumi', words: /^(?:up|destroy)\b/ },
]
/** The names of `SHELL_EFFECTS`, and what sends a request: commands that name none of them need not be read. */
export const EFFECT_PROGRAMS: readonly string[] = [...SHELL_EFFECTS.map(({ program }) => program), 'curl']

/** Verbs at the head of a tool's own name that change something; those of the taxonomy of receipts are among them. */
const CHANGING_TOOL =
  /^(?:add|append|approve|assign|authorize|cancel|form_submit|close|comment|commit|create|delete|deploy|edit|initiate|insert|merge|modify|move|patch|post|publish|push|put|refund|remove|rename|reply|run_workflow|send|set|submit|transfer|trigger|update|upload|write)(?:[_-]|[A-Z]|$)/

export const COMMAND_CHARS_READ = 4_000

const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell'])

/** Whether an action of a receipt changes something, by its last word: `financial.payment.send`, `mcp.github.create_issue`. How risky it is does not tell. */
export const changesSomething = (actionType: string): boolean =>
  CHANGING_TOOL.test(actionType.slice(actionType.lastIndexOf('.') + 1))

type Done = Pick<EffectCall, 'tool' | 'target' | 'inputDigest' | 'receipts'>

/**
 * Effects of a call that succeeded, by its own words, else by the action that a receipt of it names. A call without one may still have
 * changed something: a program of its own, a request that is a GET by name only.
 */
export function effectsOf(call: Done): Effect[] {
  const { tool, target, inputDigest, receipts = [] } = call
  const own = ownEffects(call)
  const action =
    receipts.map(({ actionType }) => actionType).find((type) => type !== null && changesSomething(type)) ??
    null
  if (own.length > 0 || action === null) return own
  if (action.startsWith('filesystem.file.') && target !== null)
    return [{ kind: 'file', name: target, input: `${tool} ${inputDigest}` }]
  const name = SHELLS.has(tool) ? action : tool
  return [{ kind: 'tool', name: target === null ? name : `${name} ${target}`, input: inputDigest }]
}

function ownEffects({ tool, target, inputDigest }: Done): Effect[] {
  if (CHANGES_FILES.has(tool))
    return target === null ? [] : [{ kind: 'file', name: target, input: `${tool} ${inputDigest}` }]
  if (SHELLS.has(tool)) return target === null ? [] : shellEffects(target)
  const own = /^mcp__.+?__(.+)$/.exec(tool)?.[1]
  if (own === undefined || !CHANGING_TOOL.test(own)) return []
  return [{ kind: 'tool', name: target === null ? tool : `${tool} ${target}`, input: inputDigest }]
}

/** Settings and runners in front of the program. */
const IN_FRONT = /^(?:[A-Za-z_]\w*=\S*\s+|(?:sudo|env|time|nohup|exec|command|npx)\s+)+/
/** Options between a program and its verb; capital letters, `-c` and `-n` take a value. */
const OPTIONS =
  /^(?:(?:-[A-Zcn]|--(?:git-dir|work-tree|repo|namespace|context|chdir|prefix))(?:=|\s+)\S+\s+|--?[\w-]+(?:=\S+)?\s+)+/
const SENDS = /\s(?:-X\s*|--request[=\s]+)(POST|PUT|PATCH|DELETE)\b/
const SENDS_BODY = /\s(?:-d|--data(?:-\w+)?|--json|-F|--form|-T|--upload-file)[\s=]/

function shellEffects(command: string): Effect[] {
  // What is in quotes names nothing to run, and a here-document is no command.
  const quotes: string[] = []
  const bare = command
    .slice(0, COMMAND_CHARS_READ)
    .split('<<')[0]!
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)/g, (quoted) => `\u0001${quotes.push(quoted) - 1}\u0001`)
  return bare.split(/&&|\|\||[;&|\n()]/).flatMap((part): Effect[] => {
    const step = part.replace(/\s+/g, ' ').trim().replace(IN_FRONT, '')
    const [, program = '', rest = ''] = /^(?:\S*\/)?([\w.-]+) ?(.*)$/.exec(step) ?? []
    const name = program === 'curl' ? request(rest, quotes) : verb(program, rest.replace(OPTIONS, ''))
    return name === null ? [] : [{ kind: 'command', name, input: withQuotes(step, quotes) }]
  })
}

const withQuotes = (text: string, quotes: readonly string[]): string =>
  text.replace(/\u0001(\d+)\u0001/g, (_, at: string) => quotes[Number(at)] ?? '')

function verb(program: string, rest: string): string | null {
  if (/(?:^|\s)--(?:dry-run|help)\b/.test(rest)) return null
  const words = SHELL_EFFECTS.find((one) => one.program === program)?.words.exec(rest)?.[0]
  return words === undefined ? null : `${program} ${words}`
}

/** Of a request that sends something, its method and address. */
function request(rest: string, quotes: readonly string[]): string | null {
  const method = SENDS.exec(` ${rest}`)?.[1] ?? (SENDS_BODY.test(` ${rest}`) ? 'POST' : null)
  const address = /\bhttps?:\/\/[^\s'"?#]+/.exec(withQuotes(rest, quotes))?.[0]
  return method === null || address === undefined ? null : `curl ${method} ${address}`
}

/**
 * Effects that more than one attempt of a chain had: first those that reach others, last the files that were changed otherwise, and among their
 * like in the order in which they were first had. A session that continues from another holds
 * copies of its records: a call that an earlier attempt made is not made again by them. What a call may have done that was cut off is beside
 * what is certain, and never alone; of files it does not matter.
 *
 * @param calls calls that succeeded or are unsure, in the order of the attempts, and of an attempt in the order they were made
 * @param tryOf the attempt that an execution belongs to
 */
export function repeatedEffects(
  calls: readonly EffectCall[],
  attemptOf: (executionId: string) => string,
): RepeatedEffect[] {
  const found = new Map<string, { effect: RepeatedEffect; first: Input }>()
  const made = new Map<string, string>()
  for (const call of calls) {
    const attemptId = attemptOf(call.executionId)
    if ((made.get(call.callId) ?? attemptId) !== attemptId) continue
    made.set(call.callId, attemptId)
    for (const { kind, name, input: text } of effectsOf(call)) {
      if (call.unsure && kind === 'file') continue
      const key = `${kind} ${name}`
      const input: Input = { kind, text, call }
      let one = found.get(key)
      if (!one) found.set(key, (one = { effect: { kind, name, done: [] }, first: input }))
      const last = one.effect.done.at(-1)
      if (last?.attemptId !== attemptId)
        one.effect.done.push(effectOfAttempt(attemptId, call, one.first, input))
      else if (last.done === null && !call.unsure) {
        if (one.effect.done.length === 1) one.first = input
        one.effect.done.splice(-1, 1, effectOfAttempt(attemptId, call, one.first, input))
      } else if (!call.unsure || last.done === null) {
        last.calls += 1
        last.sameInput &&= sameInput(one.first, input)
      }
    }
  }
  return [...found.values()]
    .flatMap(({ effect }) => (effect.done.length > 1 && effect.done.some(({ done }) => done) ? [effect] : []))
    .sort((a, b) => weight(a) - weight(b))
}

interface Input {
  kind: Effect['kind']
  text: string
  call: EffectCall
}

const effectOfAttempt = (
  attemptId: string,
  call: EffectCall,
  first: Input,
  input: Input,
): EffectOfAttempt => ({
  attemptId,
  executionId: call.executionId,
  callId: call.callId,
  calls: 1,
  done: call.unsure ? null : true,
  sameInput: sameInput(first, input),
  basis: !call.unsure && !first.call.unsure && saidAlike(first.call, call) ? 'asserted' : 'inferred',
  receipts: (call.receipts ?? []).map(({ key, executionId, sequence }) => ({ key, executionId, sequence })),
})

const hashesOf = ({ receipts = [] }: EffectCall): string[] =>
  receipts.flatMap(({ status, parametersHash }) =>
    status === 'success' && parametersHash !== null ? [parametersHash] : [],
  )
const saidAlike = (a: EffectCall, b: EffectCall): boolean =>
  a !== b && hashesOf(a).some((hash) => hashesOf(b).includes(hash))

/** Of a command its own words count; receipts know inputs by their hash, transcripts by a digest of ours, and one is nothing to the other. */
function sameInput(first: Input, other: Input): boolean | null {
  if (first.text === other.text && first.call.inputDigest !== NO_INPUT) return true
  if (first.kind === 'command') return false
  const [a, b] = [hashesOf(first.call), hashesOf(other.call)]
  if (a.length > 0 && b.length > 0) return a.some((hash) => b.includes(hash))
  return isSameInput(first.call.inputDigest, other.call.inputDigest)
}

/** A file that was changed in another way is work that went on; a message that was sent twice was read twice. */
const weight = ({ kind, done }: RepeatedEffect): number =>
  kind !== 'file' ? 0 : done.slice(1).some((one) => one.sameInput) ? 1 : 2
