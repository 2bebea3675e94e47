import { readFileRows, type FileRows } from '@/lib/fixes/diff-rows'
import type { ColourRange } from '@/lib/fixes/line-pieces'
import { coloursByLine, type Grammar, type SyntaxNode } from '@/lib/fixes/syntax'
import type { Problem } from '@/lib/problem'
import { asProblem, ProblemError, readProblem } from '../shared/get-json'
import { grammars } from './grammars'

/** Lines that stand together in a file; each with the place where its colours belong. */
export interface ColourText { lines: string[] }
export type DiffAsk =
  | { kind: 'rows'; address: string; firstLine: number }
  | { kind: 'colours'; grammar: Grammar; texts: ColourText[] }
export type DiffTold = { kind: 'rows'; rows: FileRows } | { kind: 'colours'; colours: ColourRange[][][] } | { kind: 'problem'; problem: Problem }

const tell = (told: DiffTold): void => self.postMessage(told)

async function readRows(address: string, firstLine: number): Promise<FileRows> {
  const response = await fetch(address)
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return readFileRows(new Uint8Array(await response.arrayBuffer()), firstLine)
}

async function colour(grammar: Grammar, texts: readonly ColourText[]): Promise<ColourRange[][][]> {
  const [{ refractor }, syntax] = await Promise.all([import('refractor/core'), grammars[grammar]()])
  refractor.register(syntax.default)
  return texts.map(({ lines }) => coloursByLine(refractor.highlight(lines.join('\n'), grammar) as SyntaxNode))
}

self.addEventListener('message', async ({ data }: MessageEvent<DiffAsk>) => {
  try {
    if (data.kind === 'rows') tell({ kind: 'rows', rows: await readRows(data.address, data.firstLine) })
    else tell({ kind: 'colours', colours: await colour(data.grammar, data.texts) })
  } catch (error) {
    tell({ kind: 'problem', problem: asProblem(error) })
  }
})
