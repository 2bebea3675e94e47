import { withoutAnsi } from '../../text/visible'

/** How programs say that something is not there; the group is the thing. Asked in this order, each of the decisive line only. */
const MISSING: readonly RegExp[] = [
  /\bno such file or directory: ([^\s'"][^\n]*)$/i,
  /\bno matches found: (\S[^\n]*)$/i,
  /\bcommand not found: (\S+)$/i,
  /\bpathspec '([^']+)' did not match/i,
  /\bcannot (?:access|stat|open|find module) ['‘]([^'’]+)['’]/i,
  /\bNo module named '?([\w.]+)'?/,
  /\b(?:ENOENT|No such file or directory)\b[^'"\n]*['"]([^'"]+)['"]/i,
  /(?:^|: )([^:'"\n]+): No such file or directory\b/i,
  /(?:^|: )(?!\w*Error\b)([^\s:'"]+): (?:command )?not found\b/i,
]

/** The thing that a message says is not there, in its own words; `null` when it names none. */
export function missingIn(line: string): string | null {
  const plain = withoutAnsi(line.slice(0, 1_000)).trim()
  for (const pattern of MISSING) {
    const thing = pattern.exec(plain)?.[1]?.trim()
    if (thing !== undefined && thing !== '') return thing
  }
  return null
}

export const isRelative = (path: string): boolean => !/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(path)

const CHANGES_FOLDER = /(?:^|&&|;|\n|\|\|)\s*(?:cd|pushd)\s+(?:--\s+)?("[^"\n]+"|'[^'\n]+'|[^\s;&|)]+)/g

/**
 * The folder that a shell command changes to last, as it is written there; `null` when it changes none. What is in parentheses
 * changes the folder of its own shell only, and is not looked for.
 */
export function folderChange(command: string): string | null {
  let last: string | null = null
  for (const match of command.slice(0, 4_000).matchAll(CHANGES_FOLDER))
    last = match[1]!.replace(/^["']|["']$/g, '')
  return last
}

// A start of an interpreter or an editor that writes, or a redirection into a file; runners of tests only read.
const MAY_WRITE =
  /\b(?:sed\s+(?:-\S+\s+)*-\w*i|perl\s+(?:-\S+\s+)*-\w*i|python3?\s+(?!-m\s+(?:pytest|unittest))|node\s|ruby\s|tee\s|mv\s|cp\s|patch\s|git (?:apply|checkout|restore|mv)\b)|(?<![0-9&>=-])>{1,2}(?![&>=])\s*(?!\/dev\/)[\w"'./$~-]/
const COMMAND_CHARS_READ = 20_000

/** Whether a shell command names a file (by the end of its path) and may write to it. That it did is not known from this. */
export function mayHaveWritten(command: string, path: string): boolean {
  const text = command.slice(0, COMMAND_CHARS_READ)
  const tail = path
    .split(/[\\/]/)
    .filter((n) => n !== '')
    .slice(-2)
    .join('/')
  return tail.length > 4 && text.includes(tail) && MAY_WRITE.test(text)
}
