import { withoutAnsi } from './visible'

/** A passage of a text by its UTF-16 offsets, end exclusive. */
export interface Passage {
  text: string
  start: number
  end: number
}

// What a line must look like to say why something broke, strongest first. Each adds once.
const SAYS_WHY: [RegExp, number][] = [
  [/^(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Failure|Fault)\b(?:\s*\[[^\]]*\])?\s*:\s*\S/, 9], // TypeError: …, erk.errors.PlanError: …
  [/^\[?(?:[A-Z]\w*(?:Error|Exception))\b/, 7],
  [/^(?:\S+\/)?[\w.@+-]+\.\w{1,6}[:(]\d+(?:[:,]\d+)?\)?:?\s+\S/, 9], // path:line:col: message, path(line,col): message
  [/^(?:fatal|panic|error(?:\[[^\]]*\])?|ERR!?)\s*:\s*[^\s|>]/i, 8], // `error: |-` begins a block of YAML
  [/^[\w./-]+:\s+(?:fatal|error|cannot|unable)\b/i, 6],
  [/^\s*--- FAIL:/, 4], // names a Go test; the reason is on the lines below
  [/^\s*(?:✗|✖|✘|❌|×|\[FAIL\]|FAIL:|FAILED\b|not ok\b)/, 7],
  [/^\s*E\s{2,}\S/, 7], // pytest
  [/^\s*!\s+\[(?:remote )?rejected\]/, 9], // git push: the lines around it only say that something failed
  [
    /\b(?:no such file|not found|does not exist|did not match|no matches found|cannot|can't|could not|couldn't|unable to|permission denied|access denied|refused|not permitted|too long|too large|out of memory|timed? ?out|undefined|not a function|not a directory|is a directory|ignored by|invalid|unexpected|unknown|missing|mismatch|conflict|expected|should(?: not)?|must(?: not)?)\b/i,
    4,
  ],
  [/\b(?:errors?|fail(?:ed|ure|s)?|exception|rejected|denied|fatal)\b/i, 3],
]

// Lines that carry such words and still say nothing: progress, summaries, stack frames, notices.
const SAYS_NOTHING: [RegExp, number][] = [
  [/^Exit code -?\d+\s*$/, -100],
  [/^\s*\[[\w:-]+\] (?:ERROR task failed|\$ )/, -12], // task runners: banner and echo of the command
  [/^\s*(?:\$|==>|>|\+{1,3}|#)\s/, -6],
  [/^\s*at\s+\S.*[:)]/, -12],
  [/^\s*File "[^"]*", line \d+/, -12],
  [/^\s*[~^|\s-]+$/, -50],
  [/\bnpm (?:warn|notice)\b/i, -10],
  [/^\s*(?:hint|note|help|usage|warning|warn|info|debug)\b[\s:]/i, -6],
  [/\b(?:INFO|DEBUG|WARN|WARNING)\b/, -8],
  [/^\s*(?:ok|PASS|\?|\[PASS\]|✓|✔)\s/, -10],
  [/\[no test files\]/, -12],
  [/^FAIL\s+\S+(?:\s+\[build failed\]|\s+[\d.]+s)?\s*$/, -2], // names a package, not a reason
  [/^FAIL$/, -8],
  [/^\s*(?:\d+ (?:issues?|checks?|errors?|problems?|failed)\b|Found \d+ errors?)/i, -3],
  [/^\s*\* [\w-]+: \d+\s*$/, -6],
  [/^Traceback \(most recent call last\)/, -20],
  [/^>?\s*(?:Build|Task|Command|Process) (?:error occurred|failed)\.?\s*$/i, -3],
  [/\b(?:0|no) (?:errors?|failures?|failed)\b|\bfailed_\w+=0\b/i, -8],
]

const WRAPPERS = /^<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>\s*)?$/

/**
 * What the CLI itself says around a reason: a refusal that carries the person's words, a hook's command line, an API error's JSON.
 * Each pattern's first group is the passage that says why.
 */
const KNOWN_FRAMES: RegExp[] = [
  /the user said:\s*\n([^\n]*\S)/,
  /^(The user doesn't want to proceed with this tool use\.)/,
  /^(?:PreToolUse|PostToolUse|UserPromptSubmit|Stop|SubagentStop)(?::[^\s]+)? hook (?:error|blocked[^:]*): (?:\[(?:[^\]]|\](?!:))*\]:\s*)?([^\n]*\S)/,
  /^InputValidationError: [^\n]*\n\s*([^\n]*\S)/m,
  /^API Error: (?:\d+ )?\{[\s\S]*?"message":\s*"((?:[^"\\]|\\.)+)"/,
]

const passage = (text: string, start: number, end: number): Passage => {
  while (start < end && /\s/.test(text[start]!)) start++
  while (end > start && /\s/.test(text[end - 1]!)) end--
  return { text: text.slice(start, end), start, end }
}

const score = (line: string): number => {
  let sum = 0
  for (const [pattern, points] of SAYS_WHY) if (pattern.test(line)) sum += points
  for (const [pattern, points] of SAYS_NOTHING) if (pattern.test(line)) sum += points
  return sum
}

/** Whether a line says, by its words, that something went wrong. */
export const isErrorLike = (line: string): boolean => score(withoutAnsi(line.slice(0, LINE_CHARS_READ))) > 0

const firstLine = (text: string, from: number, to: number): Passage | null => {
  const all = passage(text, from, to)
  const feed = text.indexOf('\n', all.start)
  return all.text === '' ? null : passage(text, all.start, feed === -1 || feed > all.end ? all.end : feed)
}

/** "The following paths are ignored by …:" says nothing without the line below it. */
const withObject = (text: string, line: Passage, lines: Passage[]): Passage => {
  const next = line.text.endsWith(':') ? lines[lines.indexOf(line) + 1] : undefined
  return next && next.text.length <= 120 ? passage(text, line.start, next.end) : line
}

/** Only so much of a line is read and only so many lines are weighed: texts come from outside. */
const LINE_CHARS_READ = 500
const LINES_READ = 4_000

/**
 * The line of an error text that says *why*, not the banner above it: wrappers and "Exit code N" are skipped, stack frames, progress and
 * summaries weigh less than compiler messages, exceptions and refusals. Of equal lines the first wins, but after a traceback the
 * last one does, because that is where Python puts the reason. Offsets are of `text` as given, so that a pointer can land on it.
 * Total: any text that contains more than white space has a decisive line.
 *
 * @see docs/sources/cause.md
 */
export function decisiveLine(text: string): Passage | null {
  const wrapped = WRAPPERS.exec(text)
  const from = wrapped ? '<tool_use_error>'.length : 0
  const to = wrapped ? from + wrapped[1]!.length : text.length
  const inner = text.slice(from, to)
  for (const frame of KNOWN_FRAMES) {
    const match = frame.exec(inner.length > 64_000 ? inner.slice(0, 64_000) : inner)
    if (match?.[1]) {
      const start = from + match.index + match[0].lastIndexOf(match[1])
      return passage(text, start, start + match[1].length)
    }
  }
  if (wrapped) return firstLine(text, from, to)
  const lines: Passage[] = []
  for (let start = from; start <= to && lines.length < LINES_READ; ) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 || feed > to ? to : feed
    const line = passage(text, start, end)
    if (line.text !== '') lines.push(line)
    start = end + 1
  }
  let best: { line: Passage; points: number } | null = null
  let inTraceback = false
  for (const line of lines) {
    const plain = withoutAnsi(line.text.slice(0, LINE_CHARS_READ))
    if (/^Traceback \(most recent call last\)/.test(plain)) inTraceback = true
    const points = score(plain)
    const exception = inTraceback && SAYS_WHY[0]![0].test(plain)
    if (!best || points > best.points || (exception && points >= best.points)) best = { line, points }
  }
  if (!best) return null
  if (best.points > 0) return withObject(text, best.line, lines)
  return lines.find((l) => score(withoutAnsi(l.text.slice(0, LINE_CHARS_READ))) > -6) ?? best.line
}

// The escapes of JSON that stand for one UTF-16 unit.
const ESCAPE_LENGTH = (raw: string, at: number): number =>
  raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2

/**
 * Where a passage of a decoded JSON string is in the string as it is written, quotes excluded.
 *
 * @param raw   the literal with its quotes, as found in the bytes
 * @param start offset of the passage in the decoded string, UTF-16 units; `end` exclusive
 * @returns     UTF-16 offsets into `raw`
 */
export function inJsonString(raw: string, start: number, end: number): { start: number; end: number } {
  let at = 1
  let unit = 0
  let from = -1
  while (at < raw.length - 1 && unit < end) {
    if (unit === start) from = at
    at += ESCAPE_LENGTH(raw, at)
    unit++
  }
  return { start: from === -1 ? at : from, end: at }
}
