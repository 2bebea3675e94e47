import { describe, expect, test } from 'vitest'
import type { ChainVerdict } from './chain-verdict'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { hashOf, receiptHash } from '../../formats/receipt/receipt-hash'
import { makeSigner, rotationTo, signChain, signReceipt, type Draft } from './testing/signed-chain'
import { verifyChain, type ChainKeys, type ChainOptions } from './verify-chain'

const [first, second, third] = await Promise.all([makeSigner(), makeSigner(), makeSigner()])
const drafts = (count: number, more: Draft = {}): Draft[] => Array.from({ length: count }, () => more)
const plain = await signChain(drafts(4), first)
const one: ChainKeys = { registered: [first.key] }
const verify = (texts: readonly string[], keys = one, options?: ChainOptions): Promise<ChainVerdict> =>
  verifyChain(texts.map(readReceipt), keys, options)
const short = ({ state, firstBadIndex, reason }: ChainVerdict) => [state, firstBadIndex, reason]
const codes = ({ hints }: ChainVerdict) => hints.map(({ code, index }) => `${code} ${index}`)
const edit = (texts: readonly string[], at: number, from: string, to: string): string[] =>
  texts.map((text, i) => (i === at ? text.replace(from, to) : text))
const forgeSignature = (text: string): string => text.replace(/"proofValue":"u../, '"proofValue":"u--')

describe('states', () => {
  test('a chain is valid as far as it goes', async () => {
    const verdict = await verify(plain)
    expect(verdict).toMatchObject({
      state: 'valid',
      valid: true,
      status: 'unknown',
      hints: [],
      warnings: [],
      headHash: receiptHash(readReceipt(plain[3]!)),
    })
  })

  test.each([
    ['no receipts are not a valid chain', {}, 'no_receipts', -1, null],
    ['nor when none were awaited', { length: 0 }, 'no_receipts', -1, null],
    ['and broken where some were', { length: 2 }, 'broken', 0, 'length_mismatch'],
  ])('%s', async (_, options, ...expected) => expect(short(await verify([], one, options))).toEqual(expected))

  test('a key that cannot be read is no break, and links are followed all the same', async () => {
    const verdict = await verify(plain, { registered: [] })
    expect(verdict).toMatchObject({ state: 'key_unusable', reason: 'key_unusable', hints: [] })
    expect(verdict.rows.map(({ signature, hashLink }) => [signature, hashLink])).toEqual(
      drafts(4).map(() => [false, true]),
    )
  })

  test('without a key whatever needs none still breaks a chain, and signatures do not', async () => {
    const withoutKey = async (texts: string[], options?: ChainOptions) => {
      const { state, firstBadIndex, reasonWithoutKey } = await verify(texts, { registered: [] }, options)
      return [state, firstBadIndex, reasonWithoutKey]
    }
    expect(await withoutKey(plain)).toEqual(['key_unusable', -1, null])
    expect(await withoutKey(plain.map(forgeSignature))).toEqual(['key_unusable', -1, null])
    expect(await withoutKey(plain.toSpliced(2, 1))).toEqual(['key_unusable', 2, 'hash_link_broken'])
    expect(await withoutKey(plain, { length: 5 })).toEqual(['key_unusable', 3, 'length_mismatch'])
    expect((await verify(plain.toSpliced(2, 1))).reasonWithoutKey, 'with a key the reason says it').toBeNull()
  })

  test('the end is what the last receipt says', async () => {
    const statusOf = async (chain: Draft['chain']) =>
      (await verify(await signChain([{}, { chain }], first))).status
    expect([
      await statusOf({ terminal: true }),
      await statusOf({ terminal: true, status: 'interrupted' }),
      await statusOf({ terminal: 'true' }),
    ]).toEqual(['complete', 'interrupted', 'unknown'])
  })
})

describe('breaks and what they mean', () => {
  const cases: [string, string[], (string | number)[], string[]][] = [
    [
      'a body that was changed',
      edit(plain, 1, '"low"', '"high"'),
      ['signature_invalid', 1],
      ['body_changed 1'],
    ],
    [
      'a proof that was changed',
      plain.map((text, i) => (i === 1 ? forgeSignature(text) : text)),
      ['signature_invalid', 1],
      ['proof_changed 1'],
    ],
    ['a receipt that is missing', plain.toSpliced(1, 1), ['hash_link_broken', 1], ['receipts_missing 1']],
    [
      'a receipt that stands twice',
      [plain[0]!, plain[1]!, ...plain.slice(1)],
      ['hash_link_broken', 2],
      ['duplicated 2'],
    ],
    [
      'receipts in another order',
      [plain[0]!, plain[2]!, plain[1]!, plain[3]!],
      ['hash_link_broken', 1],
      ['receipts_missing 1', 'reordered 2', 'receipts_missing 3'],
    ],
    ['a head that is missing', plain.slice(1), ['hash_link_broken', 0], ['head_missing 0']],
    ['a receipt that is none', plain.with(1, '{"x":1e400}'), ['malformed_receipt', 1], []],
  ]
  test.each(cases)('%s', async (_, texts, [reason, at], hints) => {
    const verdict = await verify(texts)
    expect([verdict.reason, verdict.firstBadIndex, codes(verdict)]).toEqual([reason, at, hints])
  })

  test('one wrong key is told from many broken receipts', async () => {
    const verdict = await verify(plain, { registered: [second.key] })
    expect([short(verdict), codes(verdict)]).toEqual([['broken', 0, 'signature_invalid'], ['wrong_key 0']])
  })

  test('how many are missing is counted', async () => {
    expect((await verify(plain.toSpliced(1, 2))).hints).toEqual([
      { code: 'receipts_missing', index: 1, count: 2 },
    ])
  })

  test('a receipt of another chain is named before an earlier break', async () => {
    const mixed = await signChain(
      [{}, {}, { chain: { chain_id: 'other' } }, { chain: { chain_id: 'third' } }],
      first,
    )
    expect(short(await verify(edit(mixed, 0, '"low"', '"high"')))).toEqual(
      ['broken', 2, 'signature_invalid'].with(2, 'chain_id_mismatch'),
    )
  })

  test('a receipt that is not whole belongs to no other chain', async () => {
    expect(short(await verify(plain.with(0, 'null')))).toEqual(['broken', 0, 'malformed_receipt'])
  })

  test('nothing follows on the end, and an earlier break comes first', async () => {
    const ended = await signChain([{}, { chain: { terminal: true } }, {}, {}], first)
    expect(short(await verify(ended))).toEqual(['broken', 2, 'receipt_after_terminal'])
    expect(short(await verify(edit(ended, 1, '"low"', '"high"')))).toEqual(['broken', 1, 'signature_invalid'])
  })

  test.each([[1.5], ['2'], [2 ** 53], [null], [3]])('%j is no second number', async (sequence) => {
    expect(short(await verify(await signChain([{}, { chain: { sequence } }], first)))).toEqual([
      'broken',
      1,
      'sequence_invalid',
    ])
  })

  test('a chain may start above 1, and that is said', async () => {
    expect(
      await verify(await signChain([{ chain: { sequence: 5 } }, { chain: { sequence: 6 } }], first)),
    ).toMatchObject({ state: 'valid', startsAbove: 5 })
    expect(short(await verify(await signChain([{ chain: { sequence: 0 } }], first)))).toEqual([
      'broken',
      0,
      'sequence_invalid',
    ])
  })
})

describe('of several reasons at one receipt the first of the list is named', () => {
  const all = [
    'malformed_receipt',
    'signature_invalid',
    'key_rotation_invalid',
    'hash_link_broken',
    'sequence_invalid',
  ] as const
  const broken: Record<(typeof all)[number], (text: string) => string> = {
    malformed_receipt: (text) => text.replace('"proof":{', '"proof":{"x":1e400,'),
    signature_invalid: forgeSignature,
    key_rotation_invalid: (text) => text,
    hash_link_broken: (text) => text,
    sequence_invalid: (text) => text,
  }

  test.each(all.map((reason, i) => [reason, all.slice(i)] as const))('%s', async (reason, faults) => {
    const draft: Draft = {
      chain: {
        ...(faults.includes('hash_link_broken') && { previous_receipt_hash: hashOf('') }),
        sequence: 7,
      },
      subject: faults.includes('key_rotation_invalid') ? { keyRotation: {} } : {},
    }
    const [head, text] = await signChain([{}, draft], first)
    expect(short(await verify([head!, faults.reduce((one, fault) => broken[fault](one), text!)]))).toEqual([
      'broken',
      1,
      reason,
    ])
  })
})

describe('witnesses', async () => {
  const body = { ok: [1, 'é'] }
  const responses = await signChain(
    [{ outcome: { response_hash: hashOf('{"ok":[1,"é"]}') } }, { outcome: { response_hash: hashOf('2') } }],
    first,
  )
  const head = receiptHash(readReceipt(plain[3]!))!
  const checkpoint = (sequence: number, receiptHash: string, chainId = 'c') => ({
    chainId,
    sequence,
    receiptHash,
    timestamp: '',
  })
  const cases: [string, string[], ChainOptions, unknown[]][] = [
    ['the length', plain, { length: 4, finalHash: head }, ['valid', -1, null]],
    ['another length', plain, { length: 5 }, ['broken', 3, 'length_mismatch']],
    ['another end', plain, { finalHash: hashOf('') }, ['broken', 3, 'final_hash_mismatch']],
    ['an end that is asked for', plain, { requireTerminal: true, length: 4 }, ['broken', 3, 'not_terminal']],
    ['a length before an end', plain, { requireTerminal: true, length: 9 }, ['broken', 3, 'length_mismatch']],
    ['responses', responses, { responseBodies: new Map([['urn:receipt:1', body]]) }, ['valid', -1, null]],
    [
      'another response',
      responses,
      {
        responseBodies: new Map<string, unknown>([
          ['urn:receipt:1', body],
          ['urn:receipt:2', 3],
        ]),
      },
      ['broken', 1, 'response_hash_mismatch'],
    ],
    [
      'a response that has no form',
      responses,
      { responseBodies: new Map([['urn:receipt:1', '\ud800']]) },
      ['broken', 0, 'response_hash_mismatch'],
    ],
    ['a checkpoint', plain, { checkpoints: [checkpoint(4, head)] }, ['valid', -1, null]],
    [
      'a checkpoint further on',
      plain.slice(0, 3),
      { checkpoints: [checkpoint(4, head)] },
      ['broken', 2, 'final_hash_mismatch'],
    ],
    [
      'a checkpoint with another receipt',
      plain,
      { checkpoints: [checkpoint(2, head)] },
      ['broken', 3, 'final_hash_mismatch'],
    ],
    [
      'a checkpoint of another chain',
      plain,
      { checkpoints: [checkpoint(9, head, 'other')] },
      ['valid', -1, null],
    ],
  ]
  test.each(cases)('%s', async (_, texts, options, expected) =>
    expect(short(await verify(texts, one, options))).toEqual(expected),
  )

  test('count only where nothing broke before', async () => {
    expect(
      short(
        await verify(edit(plain, 2, '"low"', '"high"'), one, {
          length: 9,
          checkpoints: [checkpoint(9, head)],
        }),
      ),
    ).toEqual(['broken', 2, 'signature_invalid'])
  })

  test('a response that was not handed in is said and breaks nothing', async () => {
    expect(await verify(responses)).toMatchObject({ state: 'valid', responsesNotGiven: 2 })
  })
})

describe('rotations', async () => {
  const rotated = await signChain(
    [
      {},
      { subject: { keyRotation: rotationTo(first, second) } },
      { signer: second },
      { signer: second, subject: { keyRotation: rotationTo(second, third) } },
      { signer: third },
    ],
    first,
  )

  test('the key that a good rotation names holds from the next receipt on', async () => {
    expect(await verify(rotated)).toMatchObject({ state: 'valid', activeFingerprint: third.key.fingerprint })
  })

  test('of several registered keys the one that fits the first receipt is the start', async () => {
    const registered = [third.key, second.key, first.key]
    expect(await verify(rotated, { registered, current: third.key })).toMatchObject({ state: 'valid' })
    expect((await verify(rotated, { registered: registered.slice(0, 2) })).reason).toBe('signature_invalid')
  })

  test('a lineage that does not end at the current key is forged', async () => {
    const verdict = await verify(rotated, { registered: [first.key], current: second.key })
    expect([short(verdict), codes(verdict)]).toEqual([
      ['broken', 3, 'key_rotation_invalid'],
      ['forged_lineage 3'],
    ])
    expect(
      await verify(plain, { registered: [first.key], current: second.key }),
      'without a rotation there is nothing to ask',
    ).toMatchObject({ state: 'valid' })
  })

  test.each([
    ['event_type', 'constants'],
    ['signed_with', 'constants'],
    ['old_algorithm', 'algorithm'],
    ['new_algorithm', 'algorithm'],
    ['old_key_fingerprint', 'old_fingerprint'],
    ['new_public_key', 'new_key'],
    ['new_key_fingerprint', 'new_fingerprint'],
  ])('%s is looked at', async (field, fault) => {
    for (const value of [undefined, 'x']) {
      const bad = await signChain(
        [{ subject: { keyRotation: { ...rotationTo(first, second), [field]: value } } }, { signer: second }],
        first,
      )
      const verdict = await verify(bad)
      expect([short(verdict), verdict.rows[0]!.rotationFault, codes(verdict)]).toEqual([
        ['broken', 0, 'key_rotation_invalid'],
        fault,
        ['rotation_not_accepted 1'],
      ])
    }
  })

  test('a rotation that the old key did not sign names no key', async () => {
    const stolen = await signChain(
      [{}, { signer: second, subject: { keyRotation: rotationTo(first, second) } }, { signer: second }],
      first,
    )
    expect((await verify(stolen)).rows.map(({ signature }) => signature)).toEqual([true, false, false])
  })
})

describe('warnings', () => {
  test.each<[string, Draft[], object[]]>([
    [
      'a key of several attempts',
      [
        { action: { idempotency_key: 'k' } },
        { action: { idempotency_key: '' } },
        { action: { idempotency_key: 'k' } },
        { action: { idempotency_key: '' } },
      ],
      [{ code: 'idempotency_key_repeated', key: 'k', indices: [0, 2] }],
    ],
    [
      'a call without its end',
      [{ outcome: { status: 'pending' } }, { outcome: { status: 'pending' } }],
      [{ code: 'incomplete_tool_roundtrip', index: 1 }],
    ],
    ['a chain that ended on purpose', [{ outcome: { status: 'pending' }, chain: { terminal: true } }], []],
    [
      'a terminal that was left open',
      [{ action: { type: 'system.pty.open' } }],
      [{ code: 'incomplete_session', opened: 1, closed: 0 }],
    ],
    [
      'two issuers',
      [{}, { issuer: { id: 'did:agent:b' } }],
      [{ code: 'several_issuers', issuers: ['did:agent:a', 'did:agent:b'] }],
    ],
    [
      'a status without an end',
      [{ chain: { status: 'complete' } }, { chain: { terminal: true, status: 'odd' } }],
      [
        { code: 'schema_violation', index: 0 },
        { code: 'schema_violation', index: 1 },
      ],
    ],
  ])('%s', async (_, given, warnings) => {
    const verdict = await verify(await signChain(given, first))
    expect([verdict.valid, verdict.warnings]).toEqual([true, warnings])
  })
})

describe('long chains', async () => {
  const receipt = readReceipt(await signReceipt({}, first))
  const check = async (): Promise<boolean> => true

  test('are read one by one, and never are more signatures under way than some', async () => {
    const seen = { given: 0, under: 0, most: 0, ahead: 0 }
    async function* receipts() {
      for (; seen.given < 2_000; seen.given++) yield receipt
    }
    const done: number[] = []
    const slow = async (): Promise<boolean> => {
      seen.most = Math.max(seen.most, ++seen.under)
      await new Promise((resolve) => setImmediate(resolve))
      seen.under--
      return true
    }
    const verdict = await verifyChain(receipts(), one, {
      check: slow,
      onProgress: (count) => done.push(count),
    })
    expect([
      verdict.rows.length,
      done.at(-1),
      seen.most <= 128,
      done.length > 10,
      done.every((count, i) => i === 0 || count >= done[i - 1]!),
    ]).toEqual([2_000, 2_000, true, true, true])
  })

  test('are given up when asked to', async () => {
    const stop = new AbortController()
    let given = 0
    function* receipts() {
      for (;;) {
        if (++given === 1_000) stop.abort(new Error('stopped'))
        yield receipt
      }
    }
    await expect(verifyChain(receipts(), one, { check, signal: stop.signal })).rejects.toThrow('stopped')
    expect(given).toBe(1_000)
  })

  test('what the platform cannot do is told, not taken for a bad signature', async () => {
    await expect(
      verify(plain, one, { check: () => Promise.reject(new Error('no Ed25519')) }),
    ).rejects.toThrow('no Ed25519')
  })
})
