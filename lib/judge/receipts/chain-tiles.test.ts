import { describe, expect, test } from 'vitest'
import { answeredCalls, type ChainTile, tileChain } from './chain-tiles'
import { didKeyOf } from './keys'
import { readReceipt } from '../../formats/receipt/read-receipt'
import { stripRows } from './strip-rows'
import { type Draft, makeSigner, rotationTo, signChain, type Signer } from './testing/signed-chain'
import { verdictDifferences } from './verdict-document'
import { type SignatureSupport, signatureSupport, verifyPages } from './verify-pages'
import type { ReceiptItem } from '../../model/receipt-chain'

const signer = await makeSigner()

const itemOf = (text: string, index: number): ReceiptItem => {
  const { facts } = readReceipt(text)
  return {
    key: `k${index}`,
    id: facts.id,
    sequence: typeof facts.chain.sequence === 'number' ? facts.chain.sequence : null,
    at: facts.action.timestamp,
    executionId: 'e',
    sessionId: facts.sessionId,
    correlationId: facts.correlationId,
    pointer: { received: '0'.repeat(64), byteStart: 0, byteEnd: text.length },
    text,
  }
}

const verify = (
  texts: readonly string[],
  {
    keys = [signer],
    ofChain = 'x',
    support = 'checked',
    rows = 2,
  }: { keys?: Signer[]; ofChain?: string | null; support?: SignatureSupport; rows?: number } = {},
) => {
  const items = texts.map(itemOf)
  return verifyPages({
    keys: keys.map(({ key }) => ({ publicKey: didKeyOf(key), isCurrent: false, chainId: ofChain })),
    support,
    readPage: async (cursor) => {
      const from = Number(cursor ?? 0)
      return {
        items: items.slice(from, from + rows),
        nextCursor: from + rows < items.length ? String(from + rows) : null,
      }
    },
  })
}
const marksOf = ({ marks: { signature, link, number } }: ChainTile): string =>
  [signature, link, number].map((mark) => ({ ok: '+', bad: '-', not_checked: '?' })[mark]).join('')
const call = (correlation: string, status: string, subject = {}): Draft => ({
  action: { tool_name: 'Edit' },
  outcome: { status },
  subject: { correlation_id: correlation, ...subject },
})

describe('a chain as tiles', () => {
  test('is the same in pages of any size, and all marks of an untouched chain hold', async () => {
    const texts = await signChain([{}, {}, {}, {}, {}], signer)
    const whole = await verify(texts, { rows: 9 })
    for (const rows of [1, 2, 5]) expect(await verify(texts, { rows })).toEqual(whole)
    const { tiles, break: found } = tileChain(whole)
    expect([found, tiles.map(marksOf), tiles.some(({ unproven }) => unproven)]).toEqual([
      null,
      Array(5).fill('+++'),
      false,
    ])
  })

  test('breaks at the receipt whose body was changed, and proves nothing behind it', async () => {
    const texts = await signChain([{}, {}, { action: { tool_name: 'Edit' } }, {}, {}], signer)
    const { tiles, break: found } = tileChain(
      await verify(texts.map((text, i) => (i === 2 ? text.replace('"Edit"', '"Exit"') : text))),
    )
    expect(found).toEqual({
      index: 2,
      reason: 'signature_invalid',
      hints: [{ code: 'body_changed', index: 2 }],
    })
    expect(tiles.map(marksOf)).toEqual(['+++', '+++', '-++', '+-+', '+++'])
    expect(tiles.map(({ isBreak }) => isBreak)).toEqual([false, false, true, false, false])
    expect(tiles.map(({ unproven }) => unproven)).toEqual([false, false, false, true, true])
  })

  test('that a key for all chains has not signed is not broken, unless it is its own key, or does not hold in itself', async () => {
    const other = await makeSigner()
    for (const n of [1, 4]) {
      const texts = await signChain(
        Array.from({ length: n }, () => ({})),
        signer,
      )
      const chain = await verify(texts, { keys: [other], ofChain: null })
      expect([chain.verdict?.state, chain.verdict?.firstBadIndex]).toEqual(['other_key', -1])
      const { tiles, break: found } = tileChain(chain)
      expect([found, tiles.map(marksOf)]).toEqual([null, Array(n).fill('-++')])
      for (const broken of [
        await verify(texts, { keys: [other] }),
        ...(n === 1 ? [] : [await verify(texts.toSpliced(1, 1), { keys: [other], ofChain: null })]),
      ])
        expect([broken.verdict?.state, broken.verdict?.firstBadIndex]).toEqual(['broken', 0])
    }
    const mixed = await signChain([{}, {}, { action: { tool_name: 'Edit' } }], signer)
    expect(
      (await verify(mixed.with(2, mixed[2]!.replace('"Edit"', '"Exit"')), { ofChain: null })).verdict,
    ).toMatchObject({ state: 'broken', firstBadIndex: 2 })
  })

  test('without a key, and in a browser without Ed25519, links and numbers alone say where it breaks', async () => {
    const texts = (await signChain([{}, {}, {}, {}], signer)).toSpliced(1, 1)
    for (const given of [{ keys: [] }, { support: 'no_ed25519' as const }]) {
      const chain = await verify(texts, given)
      const { tiles, break: found } = tileChain(chain)
      expect([tiles.map(marksOf), found?.index, found?.reason]).toEqual([
        ['?++', '?--', '?++'],
        1,
        'hash_link_broken',
      ])
      expect(chain.verdict?.state).toBe(given.keys ? 'no_key' : undefined)
    }
  })

  test('an unchanged chain does not break for want of a key', async () => {
    expect(tileChain(await verify(await signChain([{}, {}], signer), { keys: [] })).break).toBeNull()
  })

  test('receipts for one place are rivals', async () => {
    const [one, two] = await signChain([{}, {}, {}], signer)
    const [, other] = await signChain([{}, { action: { tool_name: 'Other' } }], signer)
    expect(tileChain(await verify([one!, two!, other!])).tiles.map(({ rival }) => rival)).toEqual([
      false,
      true,
      true,
    ])
  })

  test('a pending call without a result in this or another chain of its session is unanswered', async () => {
    const chain = await verify(
      await signChain([call('a', 'pending'), call('b', 'pending'), call('a', 'success')], signer),
    )
    expect(tileChain(chain).tiles.map(({ unanswered }) => unanswered)).toEqual([false, true, false])
    expect(chain.briefs.map(({ answeredAt }) => answeredAt)).toEqual([2, -1, null])
    const other = await verify(await signChain([call('b', 'failure')], signer))
    expect(tileChain(chain, new Set(answeredCalls(other))).tiles.some(({ unanswered }) => unanswered)).toBe(
      false,
    )
    const elsewhere = await verify(
      await signChain([{ ...call('b', 'failure'), issuer: { session_id: 'another' } }], signer),
    )
    expect(tileChain(chain, new Set(answeredCalls(elsewhere))).tiles[1]!.unanswered).toBe(true)
  })

  test('what another session of the chain calls by the same id answers nothing', async () => {
    const of = (session_id: string, status: string): Draft => ({
      ...call('a', status),
      issuer: { session_id },
    })
    expect(
      tileChain(
        await verify(await signChain([of('s', 'pending'), of('t', 'success'), of('t', 'pending')], signer)),
      ).tiles.map(({ unanswered }) => unanswered),
    ).toEqual([true, false, false])
  })

  test('a failed call and the retry that followed know each other', async () => {
    const at = { target: { system: 'filesystem', resource: '/a' }, tool_name: 'Edit' }
    const { briefs } = await verify(
      await signChain(
        [
          {
            action: at,
            outcome: { status: 'failure', error: 'It was\nmodified' },
            subject: { correlation_id: '1' },
          },
          { subject: { correlation_id: '2' } },
          { action: at, subject: { correlation_id: '3' } },
        ],
        signer,
      ),
    )
    expect(
      briefs.map(({ repeat: attempt }) => attempt && `${attempt.nth} of ${attempt.of} ${attempt.rule}`),
    ).toEqual(['1 of 2 same_target', null, '2 of 2 same_target'])
    expect(briefs.map(({ line }) => line)).toEqual(['It was', null, 'filesystem /a'])
  })

  test('events are none of the calls, and a self test is told by its status', async () => {
    const types = [
      'agent_receipts.events_dropped',
      'agent_receipts.chain_interrupted',
      'doctor.agent-receipts-doctor.roundtrip',
    ]
    const { tiles } = tileChain(
      await verify(
        await signChain(
          types.map((type) => ({ action: { type } })),
          signer,
        ),
      ),
    )
    expect(tiles.map(({ look }) => look)).toEqual(['event', 'event', 'success'])
  })
})

describe('rows of a strip', () => {
  const drawn = (tiles: readonly ChainTile[], columns: number): string[] =>
    stripRows(tiles, columns).map((row) =>
      row.kind === 'tiles'
        ? row.tiles.map(({ index }) => index).join(' ')
        : `${row.line.kind}${'count' in row.line ? ` ${row.line.count}` : ''}`,
    )

  test('hold as many tiles as stand side by side, each once', async () => {
    expect(drawn(tileChain(await verify(await signChain([{}, {}, {}, {}, {}], signer))).tiles, 2)).toEqual([
      '0 1',
      '2 3',
      '4',
    ])
  })

  test('missing numbers, lost events, another key and a break stand between the tiles that they part', async () => {
    const next = await makeSigner()
    const texts = await signChain(
      [
        {},
        {},
        { action: { type: 'agent_receipts.events_dropped', emitter_metadata: { drop_count: 12 } } },
        { subject: { keyRotation: rotationTo(signer, next) } },
        { signer: next },
        { signer: next },
      ],
      signer,
    )
    expect(drawn(tileChain(await verify(texts)).tiles, 9)).toEqual([
      '0 1',
      'dropped 12',
      '2 3',
      'rotation',
      '4 5',
    ])
    expect(drawn(tileChain(await verify(texts.toSpliced(1, 1))).tiles, 9)).toEqual([
      '0',
      'missing 1',
      'dropped 12',
      '1',
      'unproven 3',
      '2',
      'rotation',
      '3 4',
    ])
  })
})

describe('two verdicts on a chain', () => {
  test('differ in what they say of it, and in nothing else', async () => {
    const here = (await verify(await signChain([{}, {}], signer))).verdict!
    expect(verdictDifferences(here, { ...here, activeFingerprint: 'another' })).toEqual([])
    expect(
      verdictDifferences(here, {
        ...here,
        state: 'broken',
        reason: 'hash_link_broken',
        firstBadIndex: 1,
        headHash: null,
        receipts: 3,
      }).map(({ fact, here: a, server }) => [fact, a, server]),
    ).toEqual([
      ['state', 'valid', 'broken'],
      ['reason', null, 'hash_link_broken'],
      ['firstBadIndex', -1, 1],
      ['headHash', expect.stringMatching(/^sha256:/), null],
      ['receipts', 2, 3],
    ])
  })
})

test('what a platform cannot do is told before anything is verified', async () => {
  const refusing = {
    subtle: { importKey: () => Promise.reject(new DOMException('', 'NotSupportedError')) },
  } as unknown as Crypto
  expect([
    await signatureSupport(),
    await signatureSupport(refusing),
    await signatureSupport({} as Crypto),
  ]).toEqual(['checked', 'no_ed25519', 'no_webcrypto'])
})

test('a page that cannot be read is no verdict', async () => {
  const texts = await signChain([{}, {}], signer)
  const readPage = async (cursor: string | null) => {
    if (cursor !== null) throw new Error('away')
    return { items: [itemOf(texts[0]!, 0)], nextCursor: '1' }
  }
  await expect(verifyPages({ keys: [], support: 'checked', readPage })).rejects.toThrow('away')
})
