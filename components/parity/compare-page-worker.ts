import { parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import type { LayerInput } from '@/lib/judge/parity/layers'
import { comparePage, type PageCompared, type ShownNode } from '@/lib/judge/parity/rendered'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { asProblem, ProblemError, readProblem } from '../shared/get-json'
import { modelText, readDocument, type PageDocumentName } from './page-documents'

/** A row in the kept bytes, with its text as the page holds it. */
export interface HeldRow {
  received: string
  start: number
  end: number
  text: string
}

/** What a worker is asked. Addresses are read from the page's origin: a worker's own address may be none. */
export interface ComparePageAsk {
  executionId: string
  /** JSON text of each document that the page holds. */
  held: ReadonlyMap<PageDocumentName, string>
  row: HeldRow | null
  nodes: ShownNode[]
  origin: string
}

self.addEventListener('message', async ({ data }: MessageEvent<ComparePageAsk>) =>
  self.postMessage(await compare(data)),
)

async function compare({ executionId, held, row, nodes, origin }: ComparePageAsk): Promise<PageCompared> {
  const texts = [...held.values(), ...(row === null ? [] : [row.text])]
  if (texts.length === 0) return comparePage({ layer: 'persisted', text: null }, { text: null, nodes }, exact)
  const isTooLarge = texts.reduce((sum, { length }) => sum + length, 0) > limits.parityBytesMax
  // What is not compared is not read, either.
  if (isTooLarge)
    return comparePage(
      {
        layer: 'persisted',
        text: null,
        state: 'not_captured',
        reason: { id: 'page_too_large', params: {} },
      },
      { text: null, nodes: [], isTooLarge },
      exact,
    )
  const model = new Map<string, ExactJson>()
  for (const [name, text] of held) model.set(name, exact(text) ?? null)
  const heldRow = row === null ? undefined : exact(row.text)
  if (heldRow !== undefined) model.set('row', heldRow)
  return comparePage(await keptNow(), { text: modelText(model), nodes }, exact)

  async function keptNow(): Promise<LayerInput> {
    const readText = async (address: string): Promise<string> => {
      const response = await fetch(new URL(address, origin), {
        headers: { accept: 'application/json' },
        cache: 'no-store',
      })
      if (!response.ok) throw new ProblemError(await readProblem(response))
      return response.text()
    }
    try {
      const documents = new Map<string, ExactJson>()
      for (const name of held.keys()) documents.set(name, await readDocument(name, executionId, readText))
      if (heldRow !== undefined)
        documents.set('row', exact(await readText(links.api.received(row!.received, row!))) ?? null)
      return { layer: 'persisted', text: modelText(documents) }
    } catch (error) {
      const { title, detail } = asProblem(error)
      return { layer: 'persisted', text: null, state: 'unreadable', why: detail ?? title }
    }
  }
}

function exact(text: string): ExactJson | undefined {
  const read = parseExactJson(text)
  return read.ok ? read.value : undefined
}
