import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { parsePublicKey } from '@/lib/judge/receipts/keys'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { verifyChain } from '@/lib/judge/receipts/verify-chain'
import { makeSigner, signChain, type Draft, type Signer } from '@/lib/judge/receipts/testing/signed-chain'
import { findBrowser } from '../scripts/ensure-browser'
import { Random } from './support/random'
import type { Bench, BenchResult, Cell } from './support/result'
import { proseOf } from './support/sessions'
import { median, noise, quantile, round } from './support/stats'

const SEED = 79
const BROWSER_RECEIPTS = 1_000
const BROWSER_BUDGET_MS = 500

/** A chain as a daemon writes it: about 1.4 kB a receipt, one in twenty a failure with its text. */
function chainOf(random: Random, length: number, signer: Signer): Promise<string[]> {
  const drafts = Array.from(
    { length },
    (_, i): Draft => ({
      id: `urn:receipt:${random.uuid()}`,
      issuer: { session_id: 'bench', name: 'agent-receipts-daemon', model: 'claude-sonnet-4-5' },
      subject: { correlation_id: `toolu_${i}` },
      action: {
        type: 'filesystem.file.modify',
        tool_name: 'Edit',
        target: {
          system: 'filesystem',
          resource: `/srv/work/src/${proseOf(random, 30).replaceAll(' ', '-')}.ts`,
        },
      },
      outcome: i % 20 === 19 ? { status: 'failure', error: proseOf(random, 256) } : { status: 'success' },
    }),
  )
  return signChain(drafts, signer)
}

/** Milliseconds to verify nothing but the signatures, over bytes that were made before: what no verifier can do without. */
async function bare(texts: readonly string[], signer: Signer): Promise<number> {
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', signer.key.raw, 'Ed25519', false, ['verify'])
  const prepared = texts.map((text) => {
    const receipt = readReceipt(text)
    const { proofValue } = receipt.facts.proof as { proofValue: string }
    return {
      signature: Buffer.from(proofValue.slice(1), 'base64url'),
      bytes: new TextEncoder().encode(receipt.signed!),
    }
  })
  const start = performance.now()
  const under: Promise<boolean>[] = []
  for (const { signature, bytes } of prepared) {
    under.push(subtle.verify('Ed25519', key, signature, bytes))
    if (under.length === 128) await Promise.all(under.splice(0))
  }
  await Promise.all(under)
  return performance.now() - start
}

async function whole(texts: readonly string[], signer: Signer): Promise<number> {
  const start = performance.now()
  const verdict = await verifyChain(receiptsOf(texts), { registered: [signer.key] })
  const ms = performance.now() - start
  if (verdict.state !== 'valid' || verdict.rows.length !== texts.length)
    throw new Error(`the chain of the bench is ${verdict.state}`)
  return ms
}

function* receiptsOf(texts: Iterable<string>): Generator<ReturnType<typeof readReceipt>> {
  for (const text of texts) yield readReceipt(text)
}

/** The same in a browser: the whole chain and bare signatures, round by round in one page. */
const PAGE_SCRIPT = `
  import { readReceipt } from '@/lib/judge/receipts/read-receipt'
  import { parsePublicKey } from '@/lib/judge/receipts/keys'
  import { verifyChain } from '@/lib/judge/receipts/verify-chain'
  globalThis.verify = async (texts, key) => {
    const parsed = parsePublicKey(key)
    const start = performance.now()
    const verdict = await verifyChain(texts.map(readReceipt), { registered: [parsed] })
    const whole = performance.now() - start
    const imported = await crypto.subtle.importKey('raw', parsed.raw, 'Ed25519', false, ['verify'])
    const prepared = texts.map((text) => {
      const receipt = readReceipt(text)
      const value = receipt.facts.proof.proofValue.slice(1).replaceAll('-', '+').replaceAll('_', '/')
      return { signature: Uint8Array.from(atob(value), (unit) => unit.charCodeAt(0)), bytes: new TextEncoder().encode(receipt.signed) }
    })
    const from = performance.now()
    await Promise.all(prepared.map(({ signature, bytes }) => crypto.subtle.verify('Ed25519', imported, signature, bytes)))
    return { whole, bare: performance.now() - from, state: verdict.state }
  }`

async function inBrowser(
  texts: readonly string[],
  signer: Signer,
  rounds: number,
): Promise<{ whole: number[]; bare: number[]; version: string }> {
  const executablePath = findBrowser()
  if (executablePath === null)
    throw new Error('no Chromium was found: install one, or set PLAYWRIGHT_CHROMIUM')
  const { outputFiles } = await build({
    stdin: { contents: PAGE_SCRIPT, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    alias: { '@': process.cwd() },
    logLevel: 'error',
  })
  // From the machine itself: only a page that is secure has the keys of the platform.
  const server = createServer((request, response) =>
    request.url === '/script.js'
      ? response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.contents)
      : response
          .setHeader('content-type', 'text/html')
          .end('<!doctype html><script src="/script.js"></script>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const times = { whole: [] as number[], bare: [] as number[], version: browser.version() }
    for (let i = 0; i < rounds; i++) {
      const one = await page.evaluate(
        ([list, key]) =>
          (
            globalThis as unknown as {
              verify(texts: string[], key: string): Promise<{ whole: number; bare: number; state: string }>
            }
          ).verify(list as string[], key as string),
        [texts as string[], signer.pem] as const,
      )
      if (one.state !== 'valid') throw new Error(`the chain of the bench is ${one.state} in the browser`)
      times.whole.push(one.whole)
      times.bare.push(one.bare)
    }
    return times
  } finally {
    await browser.close()
    server.close()
  }
}

/** Highest memory of the process above its start, while a chain of 100,000 is verified and its receipts are made one by one. */
async function memoryOf(texts: readonly string[], signer: Signer): Promise<number> {
  global.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  await verifyChain(
    receiptsOf(texts),
    { registered: [signer.key] },
    { onProgress: () => void (peak = Math.max(peak, process.memoryUsage().rss)) },
  )
  return (peak - before) / 1024 / 1024
}

/** What verifying a chain costs beside the signatures themselves. */
export const benchReceipts: Bench = async ({ log, small }): Promise<BenchResult> => {
  const random = new Random(SEED)
  const signer = await makeSigner()
  if (parsePublicKey(signer.pem) === null) throw new Error('the key of the bench cannot be read')
  const [length, rounds] = small ? [1_000, 3] : [10_000, 9]
  log(`signing ${length} receipts`)
  const texts = await chainOf(random, length, signer)
  const times = { bare: [] as number[], whole: [] as number[] }
  for (let i = 0; i < rounds; i++) {
    times.bare.push(await bare(texts, signer))
    times.whole.push(await whole(texts, signer))
  }
  log('in the browser')
  const inPage = await inBrowser(texts.slice(0, BROWSER_RECEIPTS), signer, small ? 3 : 15)
  const long = small ? texts : await (log('signing 100,000 receipts'), chainOf(random, 100_000, signer))
  const longMb = await memoryOf(long, signer)
  const perSecond = (count: number, ms: number): number => round(count / (ms / 1000), 0)
  const row = (where: string, count: number, mine: number[], theirs: number[]): Record<string, Cell> => ({
    where,
    receipts: count,
    'chain, receipts/s': perSecond(count, median(mine)),
    'bare verify/s': perSecond(count, median(theirs)),
    'chain/bare': round(median(theirs) / median(mine)),
    'chain ms, median': round(median(mine)),
    'chain ms, p95': round(quantile(mine, 0.95)),
    noise: round(noise(mine)),
  })
  return {
    name: 'receipts',
    what: 'verifying a whole chain from its received text (parsing, canonical form, hash, links, signatures), in receipts a second',
    reference: 'bare Ed25519 verify of WebCrypto over the same bytes, made before, in the same run',
    budget: `${BROWSER_RECEIPTS} receipts in Chromium in ≤ ${BROWSER_BUDGET_MS} ms`,
    met: small ? null : median(inPage.whole) <= BROWSER_BUDGET_MS,
    seed: SEED,
    rows: [
      row(`Node ${process.version}`, length, times.whole, times.bare),
      row(`Chromium ${inPage.version}`, BROWSER_RECEIPTS, inPage.whole, inPage.bare),
    ],
    details: [
      {
        'receipts in one chain': long.length,
        'their text, MB': round(long.reduce((sum, text) => sum + text.length, 0) / 1024 / 1024),
        'memory above the text, peak MB': round(longMb),
      },
    ],
    notes: ['chain/bare 1.00 would be a verifier that does nothing but ask for signatures'],
  }
}
