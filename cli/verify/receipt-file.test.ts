import { expect, test } from 'vitest'
import {
  RECEIPT_FILE_FOOT,
  RECEIPT_FILE_FORMAT,
  receiptFileBlock,
  receiptFileHead,
  receiptLines,
} from '@/lib/judge/receipts/receipt-file'
import { lines, setUpVerify, short, verifyPiped } from '../testing/set-up-verify'

const { owner, other, plain, put, reportOf, verify, withKey, named } = await setUpVerify()

const parts = { script: 'go()', scriptHash: 'sha256-a', style: 'p{}', styleHash: 'sha256-b' }
const chainBlocks = (id: string, texts: readonly string[], key = owner): string =>
  receiptFileBlock('chain', {
    id,
    project: 'default',
    keys: [
      {
        fingerprint: 'a lie',
        publicKey: key.multibase,
        label: 'k',
        chainId: null,
        isCurrent: false,
        addedAt: '2026-06-15T10:00:00.000Z',
      },
    ],
  }) +
  receiptLines(texts.slice(0, 2).map((text) => Buffer.from(text).toString('base64'))) +
  receiptLines(texts.slice(2).map((text) => Buffer.from(text).toString('base64')))
const fileOf = (...chains: string[]): string =>
  receiptFileHead(parts, {
    format: RECEIPT_FILE_FORMAT,
    exportedAt: '2026-06-15T10:00:00.000Z',
    server: 'http://127.0.0.1:4790',
    executionId: null,
  }) +
  chains.join('') +
  receiptFileBlock('end', { chains: chains.length }) +
  RECEIPT_FILE_FOOT

test('an exported file is read as the receipts that it holds, also through a pipe and with other ends of lines', async () => {
  const file = fileOf(chainBlocks('c', plain))
  expect(short(await withKey(file))).toEqual([0, ['c', 'valid', null, -1]])
  expect((await withKey(file)).input).toEqual({
    name: expect.any(String),
    kind: 'receipt-file',
    place: 'receipt',
  })
  expect(short(await withKey(file.replaceAll('\n', '\r\n')))).toEqual([0, ['c', 'valid', null, -1]])
  expect((await verifyPiped(file)).out).toMatch(
    /^c: signatures not checked; links and numbers are consistent, complete/,
  )
  expect(short(await withKey(fileOf(chainBlocks('c', plain), chainBlocks('d', await named('d')))))).toEqual([
    0,
    ['c', 'valid', null, -1],
    ['d', 'valid', null, -1],
  ])
})

test('the keys that came with it count only when that is asked for, each for its chain, and never beside a key that was given', async () => {
  const file = fileOf(chainBlocks('c', plain), chainBlocks('d', await named('d'), other))
  expect(short(await reportOf(file))).toEqual([
    2,
    ['c', 'signatures_not_checked', null, -1],
    ['d', 'signatures_not_checked', null, -1],
  ])
  expect(short(await reportOf(file, '--file-keys'))).toEqual([
    1,
    ['c', 'valid', null, -1],
    ['d', 'broken', 'signature_invalid', 0],
  ])
  const run = await verify(put(fileOf(chainBlocks('c', plain))), '--file-keys')
  expect([run.code, run.err]).toEqual([
    0,
    expect.stringContaining(`compare ${owner.key.fingerprint} with the issuer`),
  ])
  expect((await verify(put(file), '--file-keys', '--key', owner.multibase)).code).toBe(2)
  expect(short(await reportOf(lines(plain), '--file-keys'))).toEqual([
    2,
    ['c', 'signatures_not_checked', null, -1],
  ])
})

test('a changed byte is found at its receipt, and a file that is cut off or lacks a chain does not pass', async () => {
  const changed = plain.with(2, plain[2]!.replace('"low"', '"high"'))
  expect(short(await withKey(fileOf(chainBlocks('c', changed))))).toEqual([
    1,
    ['c', 'broken', 'signature_invalid', 2],
  ])
  const file = fileOf(chainBlocks('c', plain))
  expect(short(await withKey(file.replace(Buffer.from(plain[1]!).toString('base64'), 'not base64')))).toEqual(
    [1, ['c', 'broken', 'malformed_receipt', 1]],
  )
  const cut = await withKey(file.slice(0, file.indexOf('data-inquest="end"')))
  expect([short(cut), cut.problems]).toEqual([[2, ['c', 'valid', null, -1]], ['the file is truncated']])
  expect((await withKey(file.replace('{"chains":1}', '{"chains":2}'))).exit).toBe(2)
})
