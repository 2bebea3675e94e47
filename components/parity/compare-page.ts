import { endWithSignal } from '../shared/end-with-signal'
import type { QueryClient } from '@tanstack/react-query'
import type { PageCompared } from '@/lib/judge/parity/rendered'
import { executionQueries } from '../execution-data/queries'
import { ProblemError } from '../shared/get-json'
import type { ComparePageAsk, HeldRow } from './compare-page-worker'
import { pageAtRest } from './page-at-rest'
import { PAGE_DOCUMENTS, type PageDocumentName } from './page-documents'
import { shownNodes } from './shown-nodes'

export interface PageQuestion {
  executionId: string
  documents: readonly PageDocumentName[]
  row?: HeldRow | null
  /** Where the tree of the row is. */
  tree?: () => Element | null
}

const ATTEMPTS = 3

/**
 * Holds what this page has, and what it shows, against what is stored now. A page that changed meanwhile is looked at again.
 *
 * @throws ProblemError; what `signal` was aborted with
 */
export async function comparePageNow(
  client: QueryClient,
  { executionId, documents, row = null, tree }: PageQuestion,
  signal: AbortSignal,
): Promise<PageCompared> {
  for (let tried = 1; ; tried++) {
    await pageAtRest(client, executionId, documents, signal)
    const stamp = documentsStamp(client, executionId)
    const compared = await inWorker(
      {
        executionId,
        held: documentsHeld(client, executionId, documents),
        row,
        nodes: shownNodes(tree?.() ?? null),
        origin: window.location.origin,
      },
      signal,
    )
    if (
      compared.verdict !== 'different' ||
      tried === ATTEMPTS ||
      stamp === documentsStamp(client, executionId)
    )
      return compared
  }
}

const readsOf = (client: QueryClient, name: PageDocumentName, id: string) =>
  client.getQueryCache().findAll({ queryKey: [...executionQueries.root(), name, id] })

/** The newest of each document that the page holds as JSON text. What is known to be old, and is read again before it is shown, is none of them. */
function documentsHeld(
  client: QueryClient,
  id: string,
  names: readonly PageDocumentName[],
): Map<PageDocumentName, string> {
  const held = new Map<PageDocumentName, string>()
  for (const name of names) {
    const [newest] = readsOf(client, name, id)
      .filter(({ state }) => state.data !== undefined && !state.isInvalidated)
      .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    const data: unknown = newest?.state.data
    if (data === undefined) continue
    // Pages of a list that are still being read are no whole.
    if (name === 'events' && !(data as { complete: boolean }).complete) continue
    held.set(name, JSON.stringify(name === 'events' ? (data as { items: unknown }).items : data))
  }
  return held
}

/** Tells whether a document changed on the page, or is being read there. */
const documentsStamp = (client: QueryClient, id: string): string =>
  PAGE_DOCUMENTS.map((name) =>
    readsOf(client, name, id)
      .map(({ state }) => `${state.dataUpdatedAt} ${state.fetchStatus}`)
      .join(),
  ).join('; ')

function inWorker(ask: ComparePageAsk, signal: AbortSignal): Promise<PageCompared> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./compare-page-worker.ts', import.meta.url), { type: 'module' })
    const end = endWithSignal(worker, signal, reject)
    worker.onmessage = ({ data }: MessageEvent<PageCompared>) => {
      end()
      resolve(data)
    }
    worker.onerror = (event) => {
      end()
      const detail = event.message || 'Could not load the comparison'
      reject(
        new ProblemError({
          type: '/problems/internal',
          title: 'The comparison worker of this browser crashed',
          status: 0,
          detail,
        }),
      )
    }
    worker.postMessage(ask)
  })
}
