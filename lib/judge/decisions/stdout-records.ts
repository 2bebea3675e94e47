import { isTooDeep } from '../../text/json-depth'
import { limits } from '../../limits'
import { textOf } from './python-display'
import { readJson, readJsonExactly } from './python-json'
import { SPACE, strip } from './python-text'
import { isRecord, isTruthy, losesSpelling, PeerRaises, type JsonRecord } from './python-values'
import { tellsExhaustion, type Session, type ToolUse } from './session'
import { collectTokens } from './token-usage'
import { CLI_SUBTYPES, WRITE_TOOLS } from './vocabulary'

/** A record, and the text it was read from: numbers lose their spelling on the way. */
interface ReadRecord {
  record: JsonRecord
  text: string
}

/** Absolute paths in a shell command: behind its start, a blank, `=` or a quote. */
const SHELL_PATHS = new RegExp(`(?:^|[='"]|${SPACE})(/[A-Za-z0-9._/~@+:-]{4,})`, 'g')

/** What an entry of a list takes beside its characters. */
const OBJECT_CHARS = 32

/** Folds the records of a run's output; the last result record wins, even when an earlier one was better. */
export class StdoutRecords {
  /** First thing that the source of the rules would have raised, in words. */
  raises: string | null = null
  readonly paths: { tool: string; path: string }[] = []
  private result: ReadRecord | null = null
  private readonly messages: string[] = []
  private charsHeld = 0
  private readonly toolUses: ToolUse[] = []
  private readonly tokens = collectTokens()
  private exhaustedFlag = false

  get hasResult(): boolean {
    return this.result !== null
  }

  /** What the agent said and called is more than we hold: the rest of it was dropped. */
  get tooLong(): boolean {
    return this.charsHeld > limits.stdoutHeldMax
  }

  /** @returns false when the line is no JSON */
  line(text: string): boolean {
    if (text === '') return true
    const record = readJson(text)
    if (record === undefined) return false
    if (this.refuses(text) || !isRecord(record)) return true
    this.guarded(() => {
      if (record['type'] === 'result') this.takeResult({ record, text })
      else if (record['type'] === 'assistant') this.takeAssistant({ record, text })
    })
    return true
  }

  /** For output of several lines that is one document: a result record, or nothing. */
  document(text: string): void {
    const record = readJson(text)
    if (record === undefined || this.refuses(text)) return
    if (isRecord(record) && record['type'] === 'result') this.result = { record, text }
  }

  /** @param raw the whole output, which is the result if no record has any */
  session(raw: string): Session {
    const usageFields = {
      tokenUsage: this.tokens.usage(),
      assistantMessages: this.messages,
      toolUses: this.toolUses,
      exhaustedFlag: this.exhaustedFlag,
    }
    if (this.result === null) {
      const subtype = this.exhaustedFlag ? 'context_exhaustion' : 'unparseable'
      return { subtype, isError: true, result: raw, sessionId: '', errors: [], ...usageFields }
    }
    const read = this.result
    const { subtype, is_error: isError } = read.record
    const session: Session = {
      subtype: (CLI_SUBTYPES as readonly unknown[]).includes(subtype) ? (subtype as string) : 'unknown',
      isError: isError === undefined ? false : isError,
      result: '',
      sessionId: '',
      errors: [],
      ...usageFields,
    }
    this.guarded(() => (session.result = resultText(read)))
    this.guarded(
      () =>
        (session.sessionId = isTruthy(read.record['session_id']) ? textOf(exactly(read, 'session_id')) : ''),
    )
    this.guarded(() => (session.errors = errorsOf(read)))
    return session
  }

  private guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof PeerRaises)) throw error
      this.raises ??= error.message
    }
  }

  /** What is nested too deep is not looked into; the source of the rules gives up on it too, if later than we do. */
  private refuses(text: string): boolean {
    const deep = isTooDeep(text, limits.jsonDepthMax)
    if (deep) this.raises ??= `JSON that is nested deeper than ${limits.jsonDepthMax}`
    return deep
  }

  private takeResult(read: ReadRecord): void {
    this.result = read
    if (isRecord(read.record['usage'])) this.tokens.result(exactly(read, 'usage') as JsonRecord)
  }

  private takeAssistant(read: ReadRecord): void {
    const { message } = read.record
    if (!('message' in read.record)) return this.takeFlat(read.record)
    if (!isRecord(message)) return
    // What a message used is summed apart from what it said: one of them may fail without the other.
    this.guarded(() => {
      if (isRecord(message['usage']))
        this.tokens.message(
          holdsLongNumber(message['usage']) ? (exactly(read, 'message') as JsonRecord) : message,
        )
    })
    // What was called and said is not judged any more.
    if (this.tooLong) return
    const content = 'content' in message ? message['content'] : ''
    const text = Array.isArray(content)
      ? this.readBlocks(content)
      : strip(
          typeof content === 'string' ? content : textOf((exactly(read, 'message') as JsonRecord)['content']),
        )
    if (text !== '' && this.holds(text)) this.messages.push(text)
  }

  private readBlocks(content: unknown[]): string {
    const blocks = content.filter(isRecord)
    for (const block of blocks) if (block['type'] === 'tool_use') this.takeToolUse(block)
    const texts = blocks.map((block) => ('text' in block ? block['text'] : ''))
    if (!texts.every((text) => typeof text === 'string'))
      throw new PeerRaises('the text of a block is no text')
    return strip(texts.join('\n'))
  }

  private takeToolUse(block: JsonRecord): void {
    const name = 'name' in block ? block['name'] : ''
    if (typeof name === 'object' && name !== null)
      throw new PeerRaises('the name of a tool is a list or an object')
    const use: ToolUse = { name, id: 'id' in block ? block['id'] : '' }
    const input = isRecord(block['input']) ? block['input'] : {}
    if (typeof name === 'string' && WRITE_TOOLS.has(name)) {
      const filePath = input['file_path']
      if (isTruthy(filePath)) use.filePath = filePath
      if (typeof filePath === 'string' && filePath.startsWith('/') && this.holds(filePath))
        this.paths.push({ tool: name, path: filePath })
    } else if (name === 'Bash' && typeof input['command'] === 'string') {
      for (const [, path] of input['command'].matchAll(SHELL_PATHS)) {
        if (!this.holds(path)) break
        this.paths.push({ tool: name, path: path! })
      }
    }
    if (this.holds(use.name, use.id, use.filePath)) this.toolUses.push(use)
  }

  /** @returns false when there is no more room */
  private holds(...values: unknown[]): boolean {
    for (const value of values)
      this.charsHeld +=
        typeof value === 'string'
          ? value.length
          : typeof value === 'object'
            ? JSON.stringify(value).length
            : 0
    this.charsHeld += OBJECT_CHARS
    return !this.tooLong
  }

  /** Records without a message tell that a request was refused for its length. */
  private takeFlat(record: JsonRecord): void {
    const { output_tokens: output, content } = record
    if ((output !== 0 && output !== false) || !Array.isArray(content) || this.exhaustedFlag) return
    for (const block of content) {
      if (!isRecord(block) || block['type'] !== 'text') continue
      const text = 'text' in block ? block['text'] : ''
      if (typeof text !== 'string') throw new PeerRaises('the text of a block is no text')
      if (tellsExhaustion(text)) {
        this.exhaustedFlag = true
        return
      }
    }
  }
}

/** A field with its numbers as they were written. */
function exactly({ record, text }: ReadRecord, key: string): unknown {
  const value = record[key]
  if (typeof value === 'string') return value
  return losesSpelling(value) ? (readJsonExactly(text) as JsonRecord)[key] : value
}

const holdsLongNumber = (usage: JsonRecord): boolean =>
  Object.values(usage).some(
    (value) => typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value),
  )

function resultText(read: ReadRecord): string {
  if (!isTruthy(read.record['result'])) return ''
  const value = exactly(read, 'result')
  if (!Array.isArray(value)) return textOf(value)
  const texts = value.map((item: unknown) =>
    isRecord(item) ? ('text' in item ? item['text'] : '') : textOf(item),
  )
  if (!texts.every((text) => typeof text === 'string'))
    throw new PeerRaises('the text of a result item is no text')
  return texts.join('\n')
}

function errorsOf(read: ReadRecord): unknown[] {
  const { errors } = read.record
  if (!isTruthy(errors)) return []
  return Array.isArray(errors) ? errors : [textOf(exactly(read, 'errors'))]
}
