import { exactJsonText, isObject, member, parseExactJson, type ExactJson } from '@/lib/text/exact-json'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'

const PAGE = String(limits.pageRowsMax)

interface PageDocument {
  /** Where it is read. A list continues where its answer says. */
  address: (id: string, cursor: string | null) => string
  isList?: true
}

/** What a page may hold of an execution, by the second word of its key: read by the same addresses as by the page. */
const DOCUMENTS = {
  detail: { address: links.api.execution },
  calls: { address: (id, cursor) => links.api.calls(id, { cursor, limit: PAGE }), isList: true },
  events: { address: (id, cursor) => links.api.events(id, { cursor, limit: PAGE }), isList: true },
  decision: { address: links.api.decision },
  diagnosis: { address: links.api.diagnosis },
  chains: { address: links.api.chains, isList: true },
  receiptChains: { address: links.api.executionReceiptChains, isList: true },
} as const satisfies Record<string, PageDocument>

export type PageDocumentName = keyof typeof DOCUMENTS
export const PAGE_DOCUMENTS = Object.keys(DOCUMENTS) as PageDocumentName[]

/**
 * Reads a document anew, with every digit.
 *
 * @param readText the body of an answer; throws when there is none
 */
export async function readDocument(
  name: PageDocumentName,
  id: string,
  readText: (address: string) => Promise<string>,
): Promise<ExactJson> {
  const { address, isList }: PageDocument = DOCUMENTS[name]
  if (!isList) return exact(await readText(address(id, null)))
  const rows: ExactJson[] = []
  for (let cursor: string | null = null; ; ) {
    const page: ExactJson = exact(await readText(address(id, cursor)))
    const items = member(page, 'items')
    if (!Array.isArray(items)) throw new Error('The response is not a list')
    for (const item of items) rows.push(item)
    const next = member(page, 'nextCursor')
    if (typeof next !== 'string') return rows
    cursor = next
  }
}

function exact(text: string): ExactJson {
  const read = parseExactJson(text)
  if (!read.ok) throw new Error('The response is not JSON')
  return read.value
}

/**
 * Documents as one, in the order of their names. When an execution was last compared is left out: the check that is being made changes it.
 */
export function modelText(documents: ReadonlyMap<string, ExactJson>): string {
  const members = [...documents].map(
    ([name, value]) =>
      [
        name,
        name === 'detail' && isObject(value)
          ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'parity'))
          : value,
      ] as const,
  )
  return exactJsonText(Object.fromEntries(members))
}
