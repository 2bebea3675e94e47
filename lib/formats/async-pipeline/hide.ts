import { rangeOf } from '../claude/span'
import { asObject } from '../claude/wire'
import { limits } from '../../limits'
import { hasMoreValues, isTooDeep, stringEnd } from '../../text/json-depth'
import { eachJsonValue } from '../../text/json-values'
import { readLineText } from '../../bytes/line-text'
import { recordSpans } from '../../bytes/record-spans'
import { windowed } from '../../text/redaction/redact'
import type { Finding } from '../../text/redaction/finding'
import { layersOf, type Layer } from '../../text/redaction/readings'
import { secretsBetween } from './align'
import { taskFileName } from './layout'
import { readElement, type RunElement } from './read-element'

/** What the tool itself had taken out of the same text in another file. */
export const RUN_SECRET = 'run-secret'
/** The same inside of a patch, of which not a byte may change: it is only marked. */
export const RUN_SECRET_IN_PATCH = 'run-secret-in-patch'
/** A text that the tool does not clean, with nothing here that it could be compared with. */
export const NOT_COMPARED = 'not-compared'

/**
 * What must not be kept of a run although no rule knows it. The tool writes the error of a task and the prompt of an agent as they are, and takes its
 * secrets out of the log, the context pack and the transcript of the same task. Laid side by side they show what it took out, which is then hidden
 * everywhere in the run. Where there is nothing to compare with, the command in an error and the prompt are hidden whole.
 *
 * @returns what to hide in the text of one record; null: nothing
 * @see docs/sources/async-pipeline.md#async-pipeline-secrets
 */
export function hideInRun(bytes: Uint8Array): ((text: string) => Finding[]) | null {
  const known: Known = { secrets: new Set(), compared: new Set() }
  const elements = elementsOf(bytes)
  const cleaned = cleanedErrors(elements)
  for (const { task, text } of elements.flatMap(errorsIn)) compare(text, cleaned(task), known)
  for (const prompt of elements.filter(({ kind, text }) => kind === 'prompt' && text !== null))
    compare(prompt.text!, promptsOf(prompt.stem!, elements), known)
  const mayBeHidden =
    known.secrets.size > 0 ||
    elements.some((one) => one.kind === 'execution' || one.kind === 'prompt') ||
    elements.length === 0
  return mayBeHidden ? (text) => [...secretsIn(text, known), ...notCompared(text, known)] : null
}

interface Known {
  secrets: Set<string>
  /** Texts of which a cleaned version was found. */
  compared: Set<string>
}

function elementsOf(bytes: Uint8Array): RunElement[] {
  const elements: RunElement[] = []
  for (const { start, end } of recordSpans(bytes, true)) {
    try {
      const { text } = readLineText(bytes.subarray(start, end))
      if (isTooDeep(text, limits.jsonDepthMax) || hasMoreValues(text, limits.recordValuesMax)) continue
      const element = readElement(JSON.parse(text))
      if (element) elements.push(element)
    } catch {
      // Reported as odd when it is read.
    }
  }
  return elements
}

function compare(plain: string, others: readonly string[], known: Known): void {
  for (const other of others) {
    const secrets = secretsBetween(plain, other)
    if (secrets === null) continue
    known.compared.add(plain)
    for (const secret of secrets) known.secrets.add(secret)
  }
}

/** Errors that are compared; of others the command is hidden. */
const ERRORS_MAX = 2_000

function errorsIn({ kind, json }: RunElement): { task: string; text: string }[] {
  const tasks =
    kind === 'execution' && Array.isArray(json?.['tasks']) ? json['tasks'].slice(0, ERRORS_MAX) : []
  return tasks.flatMap((value) => {
    const task = asObject(value)
    const [id, text] = [task?.['id'], task?.['error']]
    return typeof id === 'string' && typeof text === 'string' ? [{ task: id, text }] : []
  })
}

/** The error of a task as its context pack and its log have it. */
function cleanedErrors(elements: readonly RunElement[]): (task: string) => string[] {
  const byTask = new Map<string, string[]>()
  const byStem = new Map<string, string[]>()
  const note = (map: Map<string, string[]>, key: string, texts: string[]): void =>
    void map.set(key, [...(map.get(key) ?? []), ...texts])
  for (const { kind, stem, json, text } of elements) {
    const [task, error] = [json?.['task'], json?.['error']]
    if (kind === 'context' && typeof task === 'string' && typeof error === 'string')
      note(byTask, task, [error])
    if (kind === 'log' && stem !== null && text !== null) note(byStem, stem, loggedErrors(text))
  }
  return (task) => [...(byTask.get(task) ?? []), ...(byStem.get(taskFileName(task)) ?? [])]
}

const LOGGED = /^\[(?:attempt \d+|env|prepare|timeout)\] /gm
const LOGGED_MAX = 200

/** What is behind a mark of the tool: to the end of its line, and to the next mark, since a command may have several lines. */
function loggedErrors(log: string): string[] {
  const marks = [...log.matchAll(LOGGED)].slice(-LOGGED_MAX)
  return marks.flatMap((mark, i) => {
    const start = mark.index + mark[0].length
    const rest = log.slice(start, marks[i + 1]?.index ?? log.length)
    return [rest.split('\n', 1)[0]!, rest.trimEnd()]
  })
}

const promptsOf = (stem: string, elements: readonly RunElement[]): string[] =>
  elements.flatMap(({ kind, stem: own, lines }) => {
    if (kind !== 'transcript' || own !== stem || lines === null) return []
    return lines.flatMap((line) => {
      const prompt = asObject(line)?.['prompt']
      return typeof prompt === 'string' ? [prompt] : []
    })
  })

function secretsIn(text: string, { secrets }: Known): Finding[] {
  if (secrets.size === 0) return []
  const look = (raw: string, base: number): Finding[] =>
    windowed(raw, (stretch) => [...layersOf(stretch)].flatMap((layer) => occurrences(layer, secrets)), base)
  const found: Finding[] = []
  const isJson = eachJsonValue(text, (leaf, path) => {
    if (!leaf.isString) return
    const raw = text.slice(leaf.start, leaf.end)
    for (const one of isExact(path) ? inPatch(raw, leaf.start, secrets) : look(raw, leaf.start))
      found.push(one)
  })
  return isJson ? found : look(text, 0)
}

function occurrences({ text, toRaw }: Layer, secrets: ReadonlySet<string>): Finding[] {
  const found: Finding[] = []
  for (const secret of secrets)
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length))
      found.push({ rule: RUN_SECRET, start: toRaw(at), end: toRaw(at + secret.length) })
  return found
}

/** Where the bytes of a patch hold a secret: the units of its base64 around it. */
function inPatch(base64: string, base: number, secrets: ReadonlySet<string>): Finding[] {
  const bytes = patchText(base64)
  if (bytes === null) return []
  const found: Finding[] = []
  for (const secret of secrets) {
    const looked = bytesAsText(new TextEncoder().encode(secret))
    for (let at = bytes.indexOf(looked); at !== -1; at = bytes.indexOf(looked, at + looked.length))
      found.push({
        rule: RUN_SECRET_IN_PATCH,
        start: base + Math.floor(at / 3) * 4,
        end: base + Math.ceil((at + looked.length) / 3) * 4,
        stays: true,
      })
  }
  return found
}

const bytesAsText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

/** A character for each byte. Null: not written as a bundle writes it, so that no place in it can be located. */
function patchText(base64: string): string | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return null
  try {
    return atob(base64)
  } catch {
    return null
  }
}

/**
 * The bytes of a patch that a mark in its base64 is about.
 *
 * @param start first unit of the base64 that is marked; @param end behind the last one
 * @returns bytes that are certainly inside of what was found: a mark covers up to two more on each side
 */
export const bytesMarked = (start: number, end: number): { start: number; end: number } => ({
  start: (start / 4) * 3 + 2,
  end: (end / 4) * 3 - 2,
})

/** Bytes of a patch are never altered. */
export const isExact = (path: readonly string[]): boolean => path.at(-1) === 'base64'

const COMMAND = /"error"\s*:\s*"(?=Command failed with exit code -?\d+: )/g
const HEAD = /^Command failed with exit code -?\d+: /
const PROMPT = /"file"\s*:\s*"agents\/[^"]*\.prompt\.txt"\s*,\s*"text"\s*:\s*"/g

/** Looks at the text as it came, so that a record that is torn is no way around. */
function notCompared(text: string, { compared }: Known): Finding[] {
  const found: Finding[] = []
  const note = (start: number, head: RegExp | null): void => {
    const closed = stringEnd(text, start - 1)
    const end = text.charCodeAt(closed - 1) === QUOTE && closed > start ? closed - 1 : closed
    const raw = text.slice(start, end)
    const plain = decoded(raw)
    const from = start + (head?.exec(raw)?.[0].length ?? 0)
    if (from < end && (plain === null || !compared.has(plain)))
      found.push({ rule: NOT_COMPARED, start: from, end })
  }
  // A context pack is cleaned by the tool; nothing else holds an error of its own.
  if (!/"(?:logTail|reproduce)"\s*:/.test(text))
    for (const m of text.matchAll(COMMAND)) note(m.index + m[0].length, HEAD)
  const prompt = promptRange(text)
  if (prompt !== null) note(prompt.start + 1, null)
  else for (const m of text.matchAll(PROMPT)) note(m.index + m[0].length, null)
  return found
}

const QUOTE = 0x22

function promptRange(text: string): { start: number } | null {
  if (!text.includes('.prompt.txt')) return null
  try {
    if (isTooDeep(text, limits.jsonDepthMax) || hasMoreValues(text, limits.recordValuesMax)) return null
    return readElement(JSON.parse(text))?.kind === 'prompt' ? rangeOf(text, ['text']) : null
  } catch {
    return null
  }
}

function decoded(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return null
  }
}
