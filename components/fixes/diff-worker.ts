import { readFileRows, type FileRows } from '@/lib/views/fixes/diff-rows'
import { type Interdiff, readInterdiff } from '@/lib/views/fixes/interdiff'
import type { ColourRange } from '@/lib/views/fixes/line-pieces'
import type { PatchPart } from '@/lib/views/fixes/patched-lines'
import { coloursByLine, type Grammar, type SyntaxNode } from '@/lib/views/fixes/syntax'
import type { Problem } from '@/lib/problem'
import { asProblem, ProblemError, readProblem } from '../shared/get-json'
import { grammars } from './grammars'

/** Lines that are together in a file; each with the place where its colours belong. */
export interface ColourText {
  lines: string[]
}
/** The section of a patch about one file: where its bytes are, and the number of its first line. */
export interface AskedPart {
  address: string
  firstLine: number
}
export type DiffAsk =
  | { kind: 'rows'; part: AskedPart }
  | { kind: 'interdiff'; before: AskedPart | null; after: AskedPart | null }
  | { kind: 'colours'; grammar: Grammar; texts: ColourText[] }
export type DiffMessage =
  | { kind: 'rows'; rows: FileRows }
  | { kind: 'interdiff'; rows: Interdiff }
  | { kind: 'colours'; colours: ColourRange[][][] }
  | { kind: 'problem'; problem: Problem }

const tell = (message: DiffMessage): void => self.postMessage(message)

async function readPart({ address, firstLine }: AskedPart): Promise<PatchPart> {
  const response = await fetch(address)
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return { bytes: new Uint8Array(await response.arrayBuffer()), firstLine }
}

async function readRows(asked: AskedPart): Promise<FileRows> {
  const { bytes, firstLine } = await readPart(asked)
  return readFileRows(bytes, firstLine)
}

async function colour(grammar: Grammar, texts: readonly ColourText[]): Promise<ColourRange[][][]> {
  const [{ refractor }, syntax] = await Promise.all([import('refractor/core'), grammars[grammar]()])
  refractor.register(syntax.default)
  return texts.map(({ lines }) => coloursByLine(refractor.highlight(lines.join('\n'), grammar) as SyntaxNode))
}

self.addEventListener('message', async ({ data }: MessageEvent<DiffAsk>) => {
  try {
    if (data.kind === 'rows') tell({ kind: 'rows', rows: await readRows(data.part) })
    else if (data.kind === 'interdiff') {
      const [before, after] = await Promise.all([
        data.before && readPart(data.before),
        data.after && readPart(data.after),
      ])
      tell({ kind: 'interdiff', rows: readInterdiff(before, after) })
    } else tell({ kind: 'colours', colours: await colour(data.grammar, data.texts) })
  } catch (error) {
    tell({ kind: 'problem', problem: asProblem(error) })
  }
})
