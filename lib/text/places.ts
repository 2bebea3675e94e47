import { withoutAnsi } from './visible'

/** A place in source code that a message names. */
export interface SourcePlace {
  file: string
  line: number
}

const TEXT_CHARS_READ = 20_000
/** Code of others: a frame there shows where it failed, not where to fix it. */
const FOREIGN =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.venv|venv|vendor|internal)[\\/]|^node:|^<|[\\/]lib[\\/]python\d/
const PYTHON_FRAME = /^[ \t]{0,40}File "([^"\n]{1,500})", line (\d+)/gm
const JS_FRAME = /^[ \t]{0,40}at (?:[^\n(]{0,300}\()?([^\s()]{1,500}?):(\d+)(?::\d+)?\)?$/gm
const COMPILER =
  /(?:^|[\s(])((?:[\w@+~-]|\.{1,2}[\\/]|[\\/.](?=\w))+\.[A-Za-z]\w{0,5})(?::(\d+)(?::\d+)?|\((\d+)(?:,\d+)?\))(?=[:)\s,]|$)/m

const placeOf = (file: string | undefined, line: string | undefined): SourcePlace | null =>
  file === undefined || line === undefined ? null : { file, line: Number(line) }

/**
 * Where in the source a failure text says that it went wrong: the place that its decisive line names, else the innermost frame of a
 * traceback or
 * stack that is not code of others (the innermost at all when there is no other). `null` when it names no place.
 */
export function placeIn(text: string, decisive: string): SourcePlace | null {
  const line = COMPILER.exec(withoutAnsi(decisive.slice(0, 1_000)))
  if (line) return placeOf(line[1], line[2] ?? line[3])
  const plain = withoutAnsi(text.slice(0, TEXT_CHARS_READ))
  const python = [...plain.matchAll(PYTHON_FRAME)].map((m) => placeOf(m[1], m[2])!)
  if (python.length > 0) return python.findLast((p) => !FOREIGN.test(p.file)) ?? python.at(-1)!
  const frames = [...plain.matchAll(JS_FRAME)].map((m) => placeOf(m[1], m[2])!)
  return frames.find((p) => !FOREIGN.test(p.file)) ?? frames[0] ?? null
}
