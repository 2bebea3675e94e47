import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '@/db/client'
import { verifyReadChain } from '@/db/queries/verify-receipts'
import type { ReceiptChainItem } from '@/lib/api/receipt-schemas'
import {
  RECEIPT_FILE_FOOT,
  RECEIPT_FILE_FORMAT,
  receiptFileBlock,
  receiptFileHead,
  receiptLines,
  receiptFileName,
  type ReceiptFileParts,
} from '@/lib/judge/receipts/receipt-file'
import { logText } from '@/lib/words/server/log'
import { publicUrl } from './config'
import { log } from './log'

interface ReceiptFile {
  chains: readonly ReceiptChainItem[]
  projectIds: readonly string[]
  /** Of all chains of an execution; null: of one chain. */
  executionId: string | null
  signal: AbortSignal
}

/**
 * Chains of receipts as one file that verifies itself, made while it is sent: of the receipts no more than a page is held. What fails on the
 * way breaks the answer off, so that no reader takes the part for the whole.
 */
export async function receiptFileResponse(
  db: Db,
  { chains, projectIds, executionId, signal }: ReceiptFile,
): Promise<Response> {
  const parts = await fileParts()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  const write = (text: string): Promise<void> => writer.write(encoder.encode(text))
  const gone = new AbortController()
  // A reader who goes shows only in what is written next.
  const stop = AbortSignal.any([signal, gone.signal])
  writer.closed.catch((error: unknown) => gone.abort(error))
  const run = async (): Promise<void> => {
    await write(
      receiptFileHead(parts, {
        format: RECEIPT_FILE_FORMAT,
        exportedAt: new Date().toISOString(),
        server: publicUrl(),
        executionId,
      }),
    )
    for (const chain of chains) await writeChain(db, projectIds, chain, write, stop)
    await write(receiptFileBlock('end', { chains: chains.length }) + RECEIPT_FILE_FOOT)
    await writer.close()
  }
  run().catch((error: unknown) => {
    if (!stop.aborted) log.error({ err: error }, logText.receiptExportBroke)
    writer.abort(error).catch(() => {})
  })
  return new Response(readable, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `attachment; filename="${receiptFileName(executionId ?? chains[0]!.id)}"`,
      // Opened in place it would be a page of this origin; it has its own policy, and this one lets nothing of it run here.
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    },
  })
}

async function writeChain(
  db: Db,
  projectIds: readonly string[],
  chain: ReceiptChainItem,
  write: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { id, project, keys } = chain
  await write(receiptFileBlock('chain', { id, project, keys: keys.map(({ id: _, ...key }) => key) }))
  let receipts = 0
  const verdict = await verifyReadChain(db, projectIds, chain, {
    signal,
    onPage: async (page) => {
      receipts += page.length
      await write(
        receiptLines(
          page.map((bytes) =>
            Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
          ),
        ),
      )
    },
  })
  await write(receiptFileBlock('said', { at: new Date().toISOString(), receipts, verdict }))
}

let parts: Promise<ReceiptFileParts> | null = null

/** What `scripts/build-cli.mjs` made; asked for again after a failure. */
function fileParts(): Promise<ReceiptFileParts> {
  parts ??= readParts().catch((error: unknown) => {
    parts = null
    throw error
  })
  return parts
}

async function readParts(): Promise<ReceiptFileParts> {
  const [script, style] = await Promise.all(
    ['receipt-file.js', 'receipt-file.css'].map((name) =>
      readFile(join(process.cwd(), 'dist', name), 'utf8'),
    ),
  )
  return { script: script!, scriptHash: hashOf(script!), style: style!, styleHash: hashOf(style!) }
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`
