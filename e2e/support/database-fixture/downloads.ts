import { BLOCK_END, blockStart, type ReceiptFileSaid } from '@/lib/judge/receipts/receipt-file'
import { links } from '@/lib/links'
import { sha256 } from './archive'
import type { Json, Probe, Reading } from './probe'
import { ask } from './site'

/** Files as a reader saves them: name, length and digest of what the handler of the address sends. */
export async function listDownloads({ sql, access }: Reading): Promise<Probe[]> {
  const cookie = access.cookies.admin!
  const fixes = await sql<{ id: string }[]>`select id from fixes order by id`
  const received = await sql<{ sha256: string }[]>`select distinct sha256 from received order by 1 limit 60`
  const chains = await sql<{ id: string }[]>`select distinct chain_id as id from receipts order by 1`
  const executions = await sql<{ id: string }[]>`select distinct execution_id as id from receipts order by 1`
  const file = (address: string): Probe => ({
    key: `download ${address}`,
    read: () => readFile(address, { cookie }),
  })
  const receiptFile = (address: string): Probe => ({
    key: `download ${address}`,
    read: () => readReceiptFile(address, cookie),
  })
  return [
    ...fixes.flatMap(({ id }) =>
      [
        links.fixPatch(id),
        links.fixDigest(id),
        links.fixTranscript(id),
        links.fixProvenance(id),
        links.fixBundle(id),
      ].map(file),
    ),
    ...received.map((one) => file(links.api.received(one.sha256))),
    ...chains.map(({ id }) => receiptFile(links.api.receiptFile(id))),
    ...executions.slice(0, 3).map(({ id }) => receiptFile(links.api.executionReceiptFile(id))),
    { key: 'download of all kept parts', read: () => readKept(sql) },
    { key: 'download shared patch', read: () => readFile(links.sharedPatch(access.sharedPatch), {}) },
  ]
}

async function readFile(address: string, how: { cookie?: string }): Promise<Json> {
  const response = await ask(address, how)
  // What is not there has no bytes to compare: its problem names the request.
  if (!response.ok) return { status: response.status }
  const bytes = new Uint8Array(await response.arrayBuffer())
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    name: response.headers.get('content-disposition'),
    length: bytes.length,
    sha256: sha256(bytes),
  }
}

/**
 * Of the kept parts only some are downloaded; the bytes of all are held against the digests that they are
 * known by.
 */
async function readKept(sql: Reading['sql']): Promise<Json> {
  const [row] = await sql<{ parts: number; bytes: number; damaged: number; list: string }[]>`
    select count(*)::int as parts, sum(length(bytes))::int as bytes, (count(*) filter (where encode(sha256(bytes), 'hex') <> sha256))::int as damaged,
      encode(sha256(string_agg(sha256, '' order by sha256)::bytea), 'hex') as list
    from received`
  return { ...row! }
}

/**
 * The file verifies itself by a program that each version brings anew: its data are compared, and not that
 * program.
 */
async function readReceiptFile(address: string, cookie: string): Promise<Json> {
  const response = await ask(address, { cookie })
  const html = await response.text()
  const blocks = (name: Parameters<typeof blockStart>[0]): string[] =>
    html
      .split(`${blockStart(name)}\n`)
      .slice(1)
      .map((piece) => piece.slice(0, piece.indexOf(`\n${BLOCK_END}\n`)))
  const digest = (name: Parameters<typeof blockStart>[0]): string => sha256(blocks(name).join('\n'))
  return {
    status: response.status,
    name: response.headers.get('content-disposition'),
    receipts: digest('receipts'),
    chain: digest('chain'),
    verdicts: blocks('said').map((block) => ({ ...(JSON.parse(block) as ReceiptFileSaid).verdict })),
  }
}
