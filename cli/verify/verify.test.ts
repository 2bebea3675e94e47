import { describe, expect, test } from 'vitest'
import { canonicalJson } from '@/lib/text/canonical-json'
import { didKeyOf } from '@/lib/judge/receipts/keys'
import { readReceipt } from '@/lib/formats/receipt/read-receipt'
import { receiptHash } from '@/lib/formats/receipt/receipt-hash'
import { rotationTo, signChain } from '@/lib/judge/receipts/testing/signed-chain'
import { drafts, lines, setUpVerify, short } from '../testing/set-up-verify'

const { owner, other, plain, open, put, verify, reportOf, withKey, named } = await setUpVerify()

describe('exit statuses', () => {
  test('0: every chain is valid', async () => {
    expect(short(await withKey(lines(plain)))).toEqual([0, ['c', 'valid', null, -1]])
    expect(short(await withKey(lines(open)))).toEqual([0, ['c', 'valid', null, -1]])
  })

  test('1: a chain is broken, also one of many', async () => {
    expect(short(await withKey(lines(plain.with(2, plain[2]!.replace('"low"', '"high"')))))).toEqual([
      1,
      ['c', 'broken', 'signature_invalid', 2],
    ])
    expect(short(await withKey(lines([...(await named('a')), ...(await named('b')).toReversed()])))).toEqual([
      1,
      ['a', 'valid', null, -1],
      ['b', 'broken', 'hash_link_broken', 0],
    ])
  })

  test('2: no key, and all that needs none holds', async () => {
    const document = await reportOf(lines(plain))
    expect([short(document), document.chains[0]!.valid, document.chains[0]!.badReceipts]).toEqual([
      [2, ['c', 'signatures_not_checked', null, -1]],
      false,
      0,
    ])
    const run = await verify(put(lines(plain)))
    expect(run.out).toMatch(/^c: signatures not checked; links and numbers are consistent, complete\n/)
    expect(run.err).toMatch(/signatures were not checked: no --key was given/)
  })

  test('1: without a key a link that is broken is told all the same', async () => {
    expect(short(await reportOf(lines(plain.toSpliced(1, 1))))).toEqual([
      1,
      ['c', 'broken', 'hash_link_broken', 1],
    ])
  })

  test('3: no receipts', async () => {
    for (const content of ['', '\n \n', '\ufeff', '[]', '{"receipts":[]}'])
      expect(short(await withKey(content)), content).toEqual([3, [null, 'no_receipts', null, -1]])
    expect(short(await withKey(lines(plain), '--chain', 'another'))).toEqual([
      3,
      ['another', 'no_receipts', null, -1],
    ])
    expect((await verify(put(''))).out).toMatch(/in: no receipts\n$/)
  })

  test('4: valid, and does not say that it ended, only where that is asked for', async () => {
    expect(short(await withKey(lines(open), '--require-terminal'))).toEqual([
      4,
      ['c', 'broken', 'not_terminal', 2],
    ])
    expect((await withKey(lines(plain), '--require-terminal')).exit).toBe(0)
    expect((await withKey(lines(open.with(0, plain[1]!)), '--require-terminal')).exit).toBe(1)
  })

  test.each([
    ['a key that is none', ['--key', 'uAAAA']],
    ['a key that is a name', ['--key', 'nowhere.pem']],
    ['a current key that is none', ['--current', 'did:key:z6Mk']],
    ['a hash that is none', ['--final-hash', 'abc']],
    ['checkpoints without a key', ['--checkpoints', '/dev/null']],
  ])('2: %s is no broken chain', async (_, args) => {
    const run = await verify(put(lines(plain)), ...args)
    expect([run.code, run.out, run.err.split('\n').length]).toEqual([2, '', 2])
  })
})

describe('keys', () => {
  test('are given as PEM, as multibase, as did:key and in a file, and the one that fits is the start', async () => {
    const file = put(owner.pem, 'key.pem')
    for (const key of [owner.pem, owner.multibase, didKeyOf(owner.key), file]) {
      expect((await reportOf(lines(plain), '--key', other.multibase, '--key', key)).exit, key).toBe(0)
    }
    expect(short(await reportOf(lines(plain), '--key', other.pem))).toEqual([
      1,
      ['c', 'broken', 'signature_invalid', 0],
    ])
  })

  test('a private one is named as such and not told', async () => {
    const text = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIsecret\n-----END PRIVATE KEY-----\n'
    for (const key of [text, put(text, 'key.pem')]) {
      const run = await verify(put(lines(plain)), '--key', key)
      expect([run.code, /private key/.test(run.err), run.err.includes('secret')]).toEqual([2, true, false])
    }
  })

  test('the last rotation ends at the current one', async () => {
    const rotated = lines(
      await signChain([{ subject: { keyRotation: rotationTo(owner, other) } }, { signer: other }], owner),
    )
    expect((await withKey(rotated, '--current', other.multibase)).exit).toBe(0)
    const forged = await withKey(rotated, '--current', owner.multibase)
    expect([short(forged), forged.chains[0]!.hints.map(({ code }) => code)]).toEqual([
      [1, ['c', 'broken', 'key_rotation_invalid', 0]],
      ['forged_lineage'],
    ])
  })
})

describe('witnesses', () => {
  const hash = receiptHash(readReceipt(plain[3]!))!
  const checkpoint = async (sequence: number, signer = owner, chainId = 'c'): Promise<string> => {
    const signed = {
      chain_id: chainId,
      sequence,
      receipt_hash: receiptHash(readReceipt(plain[sequence - 1]!))!,
      timestamp: '2026-06-01T00:00:00Z',
    }
    return JSON.stringify({
      ...signed,
      verification_method: 'x',
      signature: await signer.sign(canonicalJson(signed)),
    })
  }

  test('length and hash', async () => {
    expect((await withKey(lines(plain), '--length', '4', '--final-hash', hash)).exit).toBe(0)
    expect(short(await withKey(lines(open), '--length', '4'))).toEqual([
      1,
      ['c', 'broken', 'length_mismatch', 2],
    ])
    expect(short(await withKey(lines(open), '--final-hash', hash))).toEqual([
      1,
      ['c', 'broken', 'final_hash_mismatch', 2],
    ])
    expect(short(await withKey('', '--length', '4'))).toEqual([1, [null, 'broken', 'length_mismatch', 0]])
    expect(short(await reportOf(lines(open), '--length', '4')), 'without a key').toEqual([
      1,
      ['c', 'broken', 'length_mismatch', 2],
    ])
  })

  test('are of one chain', async () => {
    const two = lines([...(await named('a')), ...(await named('b', 3))])
    expect(await withKey(two, '--length', '2')).toMatchObject({
      exit: 2,
      error: expect.stringContaining('--chain'),
    })
    expect(short(await withKey(two, '--length', '3', '--chain', 'b'))).toEqual([0, ['b', 'valid', null, -1]])
  })

  test('checkpoints that a chain does not bear out', async () => {
    const file = put(lines([await checkpoint(2), await checkpoint(4)]), 'checkpoints.jsonl')
    expect((await withKey(lines(plain), '--checkpoints', file)).exit).toBe(0)
    const cut = await withKey(lines(open), '--checkpoints', file)
    expect([short(cut), cut.chains[0]!.hints]).toEqual([
      [1, ['c', 'broken', 'final_hash_mismatch', 2]],
      [{ code: 'checkpoint_ahead', index: 2, count: 4 }],
    ])
    expect(short(await withKey('', '--checkpoints', file))).toEqual([3, [null, 'no_receipts', null, -1]])
  })

  test('checkpoints that nobody of the keys signed do not count, and that is no pass', async () => {
    const file = put(`${lines([await checkpoint(2), await checkpoint(4, other)])}{"torn`, 'checkpoints.jsonl')
    expect(await withKey(lines(plain), '--checkpoints', file)).toMatchObject({
      exit: 2,
      checkpoints: { used: 1, unusable: 2 },
      problems: [expect.stringContaining('2 checkpoints')],
    })
    const away = put(await checkpoint(2, owner, 'gone'), 'away.jsonl')
    expect(await withKey(lines(plain), '--checkpoints', away)).toMatchObject({
      exit: 0,
      checkpoints: { absentChains: ['gone'] },
    })
  })
})

test('rows are told when they are asked for', async () => {
  expect((await withKey(lines(plain))).chains[0]).not.toHaveProperty('rows')
  expect(
    (await withKey(lines(plain), '--rows')).chains[0]!.rows!.map(({ signature, hashLink, sequence }) => [
      signature,
      hashLink,
      sequence,
    ]),
  ).toEqual(drafts(4).map(() => [true, true, true]))
})
