import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import { openReceipts } from '../cli/receipts/read-database'
import { type Answer, answersOf, disagreements, type VectorFile } from './support/receipt-vectors'
import { root } from './support/server'
import { expect, test } from './support/test'

const recorded = join(root, '../shared/conformance/receipts')

async function readVectors(): Promise<VectorFile[]> {
  const files = readdirSync(recorded, { recursive: true, encoding: 'utf8' })
    .map((name) => join(recorded, name))
    .sort()
  const texts = files
    .filter((path) => /\.jsonl?$/.test(path))
    .map((path) => ({ name: relative(recorded, path), text: readFileSync(path, 'utf8') }))
  return [...texts, ...(await Promise.all(files.filter((path) => path.endsWith('.db')).map(readDatabase)))]
}

async function readDatabase(path: string): Promise<VectorFile> {
  const { chains } = JSON.parse(readFileSync(path.replace(/\.db$/, '.expected.json'), 'utf8')) as {
    chains: Record<string, { public_key: string }>
  }
  const database = await openReceipts(path)
  const rows = [...database.pages()].flat()
  database.close()
  return {
    name: relative(recorded, path),
    chains: Object.entries(chains).map(([id, { public_key: key }]) => ({
      id,
      key,
      receipts: rows
        .filter(({ columns }) => columns.chain_id === id)
        .map(({ receiptJson }) => Buffer.from(receiptJson ?? []).toString('base64')),
    })),
  }
}

/** The same code in a page of a safe origin that contains nothing. @param before runs in the page ahead of everything */
async function answersOfBrowser(page: Page, files: readonly VectorFile[], before = ''): Promise<Answer[]> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'e2e/support/receipt-vectors.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'vectors',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  })
  await page.route('https://vectors.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>vectors</title>' }),
  )
  await page.goto('https://vectors.example/')
  await page.addScriptTag({ content: `${before}\n${outputFiles[0]!.text}` })
  expect(await page.evaluate(() => 'process' in globalThis)).toBe(false)
  return page.evaluate(
    (given) =>
      (globalThis as unknown as { vectors: { answersOf: typeof answersOf } }).vectors.answersOf(given),
    files as VectorFile[],
  )
}

// The recorded cases are not part of the repository.
if (existsSync(recorded)) {
  test('a browser says of every recorded vector what Node says', async ({ page }) => {
    const files = await readVectors()
    const [node, browser] = [await answersOf(files), await answersOfBrowser(page, files)]
    const count = (kind: string): number => node.filter(([id]) => id.includes(kind)).length
    console.log(
      `${node.length} answers compared over ${files.length} files: ${count(' form')} forms and hashes, ${count(' receipt')} receipts, ${count(' signature ')} signatures, ${count(' chain')} verdicts, ${count('hook-frames')} hook runs`,
    )
    expect(new Set(node.map(([id]) => id)).size).toBe(node.length)
    expect(disagreements(node, browser)).toEqual([])
    // Something of every kind, of every file.
    for (const kind of [' form', ' key', ' receipt', ' rotation ', 'hook-frames', '.db '])
      expect(count(kind), kind).toBeGreaterThan(0)
    for (const { name } of files) expect(count(name), name).toBeGreaterThan(0)
    const signed = node
      .filter(([id]) => id.includes(' signature '))
      .map(([, json]) => (JSON.parse(json) as { valid: boolean }).valid)
    expect(signed.filter(Boolean).length).toBeGreaterThan(20)
    expect(signed.filter((valid) => !valid).length).toBeGreaterThan(20)
  })

  test('a single other word of the platform is found', async ({ page }) => {
    const files = (await readVectors()).filter(({ name }) => name.startsWith('vectors/'))
    const [verify, encode] = [
      'const own = crypto.subtle.verify.bind(crypto.subtle); let n = 0; crypto.subtle.verify = async (...a) => (n++ === 7) !== (await own(...a))',
      'const own = TextEncoder.prototype.encode; let n = 0; TextEncoder.prototype.encode = function (t) { const b = own.call(this, t); if (n++ === 40) b[0] ^= 1; return b }',
    ]
    const node = await answersOf(files)
    expect(disagreements(node, await answersOfBrowser(page, files))).toEqual([])
    for (const lie of [verify, encode])
      expect(disagreements(node, await answersOfBrowser(page, files, lie)), lie).toHaveLength(1)
  })
}
