import type { ByteText } from './bytes'
import { isTestPath } from './file-kinds'
import { pathText } from './path-flags'

/** What a failure says of itself; null or missing is not known. */
export interface FailureWords {
  /** Its error, and what else is known of it without its type. */
  text: string | null
  /** What was run. */
  command?: string | null
  logTail?: string | null
  /** Claims of the registry that the log names. */
  claims?: readonly string[] | null
}

/** Names of files shorter than this are common words. */
const NAME_CHARS_MIN = 8
const WORD_CHARS_MAX = 4_000
/** Paths with blanks, which no word of a text is, that are looked for one by one. */
const BLANK_PATHS_MAX = 100

/** What runs a file whose name has neither folder nor ending. */
const INTERPRETER = /(?:^|\/)(?:sh|bash|zsh|ksh|dash|source|\.|node|tsx|bun|deno|python[\d.]*|ruby|perl|php)$/

/**
 * Says of a path whether it is of the check that failed: a test that error, log or claims name, or a word of the command that was run.
 * That a stack or a compiler names a source says only where the fault is.
 */
export function failingCheckFiles(failure: FailureWords): (path: ByteText) => boolean {
  const said = [failure.text, failure.logTail, failure.command, ...(failure.claims ?? [])]
    .filter((one) => one != null)
    .join('\n')
    .replaceAll('\\', '/')
  const named = new Map<string, string[]>()
  for (const word of wordsOf(said)) keep(named, word)
  const run = new Map<string, string[]>()
  for (const command of commandsOf(failure, said)) for (const word of scriptsOf(command)) keep(run, word)
  let blankPaths = 0
  return (path) => {
    const text = pathText(path) ?? path
    if (isAmong(run, text)) return true
    if (!isTestPath(path)) return false
    if (/\s/.test(text)) return blankPaths++ < BLANK_PATHS_MAX && said.includes(text)
    const name = baseName(text)
    return (
      isAmong(named, text) ||
      (name.length >= NAME_CHARS_MIN &&
        (named.get(name) ?? []).some(
          (word) => word === name || (baseName(word) === name && !word.includes('/')),
        ))
    )
  }
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function keep(words: Map<string, string[]>, word: string): void {
  const name = baseName(word)
  const known = words.get(name)
  if (known === undefined) words.set(name, [word])
  else if (!known.includes(word) && known.length < 50) known.push(word)
}

/** A word is the path itself, ends with it below some folder, or is the end of it. */
const isAmong = (words: ReadonlyMap<string, string[]>, path: string): boolean =>
  (words.get(baseName(path)) ?? []).some(
    (word) => word === path || word.endsWith(`/${path}`) || (word.includes('/') && path.endsWith(`/${word}`)),
  )

/** Words of a text that may be paths, without places behind them: `a.ts:3:5`, `a.ts(3,5)`. */
function* wordsOf(text: string): Generator<string, void> {
  for (const [found] of text.matchAll(/[^\s"'`<>:,;|=]+/g)) {
    if (found.length > WORD_CHARS_MAX) continue
    const place = found.search(/\(\d/)
    let [start, end] = [0, place === -1 ? found.length : place]
    while (start < end && '([{'.includes(found[start]!)) start++
    while (end > start && ')]}.!?'.includes(found[end - 1]!)) end--
    if (end > start) yield found.slice(found.startsWith('./', start) ? start + 2 : start, end)
  }
}

/** The command of a failure, and those that its words tell of: in an error of a pipeline, behind a prompt, in the head of a script of npm. */
function commandsOf({ command }: FailureWords, said: string): string[] {
  const matches = said.matchAll(
    /^.{0,200}\bfailed with exit code \d{1,4}: (.{1,4000})$|^\$ (.{1,4000})$|^> \S{1,200} \S{1,200}(?: .{0,400})?\n> (.{1,4000})$/gm,
  )
  return [
    ...(command == null ? [] : [command.replaceAll('\\', '/')]),
    ...[...matches].map(([, error, prompt, script]) => error ?? prompt ?? script ?? ''),
  ]
}

/** Words of a command that are files, as far as they look so. */
function scriptsOf(command: string): string[] {
  const words = command.split(/[\s;&|()]+/).map((word) =>
    word
      .replace(/^["']|["']$/g, '')
      .replace(/^\.\//, '')
      .replace(/:\d+(?::\d+)?$/, ''),
  )
  return words.filter(
    (word, i) =>
      word !== '' &&
      !word.startsWith('-') &&
      (/[./]/.test(word) ? /[^./]/.test(word) : INTERPRETER.test(words[i - 1] ?? '')),
  )
}
