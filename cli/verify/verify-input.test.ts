import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { signChain, type Draft } from '@/lib/judge/receipts/testing/signed-chain'
import { startWriter, type ReceiptWriter } from '../testing/receipt-writer'
import {
  drafts,
  lines,
  list,
  setUpVerify,
  short,
  verifyPiped,
  type VerifyReport,
} from '../testing/set-up-verify'
import { eachLine } from './line-source'

const { owner, plain, open, put, verify, folder, withKey, named } = await setUpVerify()
const ended: Draft = { chain: { terminal: true } }
let writer: ReceiptWriter | null = null
afterEach(async () => {
  await writer?.kill()
  writer = null
})

describe('the order of an input', () => {
  test('of lines and documents is never changed', async () => {
    expect((await withKey(lines(plain.toReversed()))).chains[0]).toMatchObject({
      state: 'broken',
      turnedRound: false,
    })
    expect((await withKey(`{"receipts":${list(plain.toReversed())}}`)).chains[0]).toMatchObject({
      state: 'broken',
      turnedRound: false,
    })
  })

  test('of a list is turned round where its newest receipt is first, and that is said', async () => {
    const both = [...(await named('a', 3)), ...(await named('b', 3))].toReversed()
    expect((await withKey(list(both))).chains).toMatchObject([
      { chainId: 'b', state: 'valid', turnedRound: true, partial: false },
      { chainId: 'a', state: 'valid', turnedRound: true },
    ])
    expect((await verify(put(list(plain.toReversed())), '--key', owner.pem)).out).toContain(
      'was reversed before verification',
    )
  })

  test('of a list with one receipt elsewhere stays, for it is evidence', async () => {
    const [a, b, c, d] = plain.toReversed() as [string, string, string, string]
    for (const order of [
      [a, c, b, d],
      [d, a, b, c],
      [a, b, b, c, d],
    ]) {
      expect((await withKey(list(order))).chains[0]).toMatchObject({ state: 'broken', turnedRound: false })
    }
  })

  test('a list without the head is a part, and what is there is told', async () => {
    const document = await withKey(list(plain.slice(1).toReversed()))
    expect([short(document), document.chains[0]!.partial, document.chains[0]!.startsAbove]).toEqual([
      [1, ['c', 'broken', 'hash_link_broken', 0]],
      true,
      2,
    ])
    const { out } = await verify(put(list(plain.slice(1).toReversed())), '--key', owner.pem)
    expect(out).toContain(
      'Part of a chain, without its start: it begins with number 2. The receipts present are consistent',
    )
    const tampered = plain.slice(1).with(1, plain[2]!.replace('"low"', '"high"')).toReversed()
    expect((await verify(put(list(tampered)), '--key', owner.pem)).out).toContain(
      'The receipts present are not consistent either',
    )
  })

  test('in a database is that of the numbers', async () => {
    writer = await startWriter(put('', 'x/receipts.db'), 'wal')
    const insert = (text: string, i: number): string =>
      `insert into receipts values ('urn:${i}', 'c', 'success', '${text.replaceAll("'", "''")}');`
    await writer.run(plain.toReversed().map(insert).join(' '))
    const file = join(folder(), 'x/receipts.db')
    // Its owner still has it open, and its newest rows are in its log.
    const run = await verify(file, '--key', owner.pem)
    expect([run.code, run.out.split('\n')[0]]).toEqual([0, 'c: valid, complete'])
    expect(run.out, 'each column id is another').toMatch(/Row 1: id says differently from the receipt/)
    await writer.run("update receipts set receipt_json = '{' where rowid = 2")
    const broken = JSON.parse((await verify(file, '--json', '--key', owner.pem)).out) as VerifyReport
    expect(
      broken.chains.map(({ chainId, state, reason, firstBad }) => [chainId, state, reason, firstBad?.place]),
    ).toEqual([['c', 'broken', 'hash_link_broken', 1]])
  })
})

describe('which chain a receipt is of', () => {
  test('several chains are told apart, however they are mixed', async () => {
    const [a, b] = [await named('a', 3), await named('b', 3)]
    const document = await withKey(lines([a[0]!, b[0]!, b[1]!, a[1]!, b[2]!, a[2]!]))
    expect(short(document)).toEqual([0, ['a', 'valid', null, -1], ['b', 'valid', null, -1]])
  })

  test('one that follows on a chain by its hash is held against it, whatever name it bears', async () => {
    const moved = await signChain(
      [{}, {}, { chain: { chain_id: 'elsewhere' } }, { chain: { chain_id: 'elsewhere' } }],
      owner,
    )
    for (const content of [lines(moved), list(moved)])
      expect(short(await withKey(content))).toEqual([1, ['c', 'broken', 'chain_id_mismatch', 2]])
  })

  test('what cannot say its chain is of the one around it', async () => {
    expect(short(await withKey(lines(plain.with(2, '{"torn'))))).toEqual([
      1,
      ['c', 'broken', 'malformed_receipt', 2],
    ])
    expect(short(await withKey(lines(['{"id":"urn:receipt:0"}', ...plain])))).toEqual([
      1,
      ['c', 'broken', 'malformed_receipt', 0],
    ])
  })

  test('a name that is no text is no name', async () => {
    for (const chain_id of [5, null, { a: 1 }, ['x']]) {
      expect(
        short(
          await withKey(
            lines(await signChain([{ chain: { chain_id } }, { chain: { terminal: true, chain_id } }], owner)),
          ),
        )[1],
      ).toMatchObject([
        null,
        expect.any(String),
        typeof chain_id === 'number' || chain_id === null ? null : 'chain_id_mismatch',
        expect.any(Number),
      ])
    }
  })

  test('calls are answered over chains of one session', async () => {
    const call = (chain_id: string, status: string, session_id = 's'): Draft => ({
      chain: { chain_id },
      outcome: { status },
      subject: { correlation_id: 'toolu_1' },
      issuer: { session_id },
    })
    const one = async (...given: Draft[]): Promise<number[]> => {
      const texts = (await Promise.all(given.map((draft) => signChain([draft], owner)))).flat()
      return (await withKey(lines(texts))).chains.map(({ counts }) => counts.unanswered)
    }
    expect(await one(call('a', 'pending'), call('b', 'failure'))).toEqual([0, 0])
    expect(await one(call('a', 'pending'), call('b', 'failure', 'another'))).toEqual([1, 0])
  })
})

describe('bad input', () => {
  const deep = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const at = (index: number, text: string): string[] => plain.with(index, text)
  test.each<[string, string[], unknown[]]>([
    [
      '100,000 levels',
      at(1, plain[1]!.replace('"version":', `"deep":${deep},"version":`)),
      ['malformed_receipt', 'depth'],
    ],
    [
      '1e400',
      at(1, plain[1]!.replace('"version":', '"n":1e400,"version":')),
      ['malformed_receipt', 'number'],
    ],
    [
      'half a surrogate pair',
      at(1, plain[1]!.replace('"version":', '"n":"\\ud800","version":')),
      ['malformed_receipt', 'surrogate'],
    ],
    ['a NUL that was put in', at(1, plain[1]!.replace('"low"', '"low\\u0000"')), ['signature_invalid', null]],
    [
      'a key that stands twice',
      at(1, plain[1]!.replace('"version":', '"id":"urn:receipt:9","version":')),
      ['signature_invalid', null],
    ],
    [
      'another __proto__',
      at(1, plain[1]!.replace('"version":', '"__proto__":{"a":1},"version":')),
      ['signature_invalid', null],
    ],
  ])('%s is told at its receipt', async (_, texts, [reason, malformed]) => {
    for (const content of [
      lines(texts),
      list(texts),
      `{"other":[{"receipts":[]}],"receipts":${list(texts)}}`,
    ]) {
      const { exit, chains } = await withKey(content)
      expect([
        exit,
        chains.length,
        chains[0]!.firstBadIndex,
        chains[0]!.reason,
        chains[0]!.firstBad?.malformed,
      ]).toEqual([1, 1, 1, reason, malformed])
    }
  })

  test('NUL escapes and marks that were signed are no break', async () => {
    const signed = await signChain(
      [{ outcome: { status: 'failure', error: 'a\u0000b\u2028\ufffd' } }, {}],
      owner,
    )
    expect((await withKey(lines(signed))).exit).toBe(0)
  })

  test('bytes that are not UTF-8 do not pass for the mark that stands for them', async () => {
    const text = lines(await signChain([{ outcome: { status: 'failure', error: 'a\ufffdb' } }, {}], owner))
    const bytes = Buffer.from(text)
    const mark = bytes.indexOf('\ufffd')
    const cut = Buffer.concat([bytes.subarray(0, mark + 2), bytes.subarray(mark + 3)])
    expect(cut.toString('utf8')).toBe(text)
    expect(short(await withKey(cut))).toEqual([1, ['c', 'broken', 'malformed_receipt', 0]])
  })

  test.each<[string, string | Uint8Array, string]>([
    ['a text', 'Receipts of today\n{"id":1}\n', 'is neither a receipts database nor JSON.'],
    [
      'a picture',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, ...Array.from({ length: 900 }, (_, i) => i % 7)]),
      'it is binary.',
    ],
    ['the head of a database', 'SQLite format 3\0', 'the database is damaged'],
    ['a list of nothing sound', '[{"a":1}{]', 'starts like a JSON list but is not one'],
  ])('%s', async (_, content, words) => {
    const run = await verify(put(content), '--key', owner.pem)
    expect([run.code, run.out, run.err.includes(words), run.err.split('\n').length]).toEqual([2, '', true, 2])
  })

  test('a folder, and no file at all', async () => {
    expect(await verify(folder())).toMatchObject({ code: 2, err: expect.stringContaining('is a folder') })
    expect(await verify(join(folder(), 'a\u001b[31mb'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/a␛\[31mb: file not found/),
    })
  })

  test('a list that ends within a receipt, and one that ends between two', async () => {
    const whole = list(plain)
    expect(short(await withKey(whole.slice(0, -60)))).toEqual([1, ['c', 'broken', 'malformed_receipt', 3]])
    expect(await withKey(list(open).slice(0, -3))).toMatchObject({
      exit: 2,
      problems: ['the list is not closed: receipts may be missing'],
      chains: [{ state: 'valid' }],
    })
    expect(await withKey(`${whole}{"more":1}`)).toMatchObject({
      exit: 2,
      problems: [expect.stringContaining('after the document')],
    })
  })

  test('one receipt, alone in its file, in one line or many', async () => {
    const [one] = await signChain([ended], owner)
    for (const content of [one!, `\ufeff${one}\n`, JSON.stringify(JSON.parse(one!), null, 2)])
      expect(short(await withKey(content)), content.slice(0, 9)).toEqual([0, ['c', 'valid', null, -1]])
  })

  test('behind a missing receipt the number is named beside the place', async () => {
    const run = await verify(
      put(lines((await signChain(drafts(6), owner)).toSpliced(2, 1))),
      '--key',
      owner.pem,
    )
    expect(run.out.split('\n')[0]).toMatch(/^c: BROKEN at receipt 3 of 5, number 4 \(line 3\): /)
  })

  test('hostile text is made visible', async () => {
    const id = 'x\n\u001b[2Jc: valid, complete\u202e'
    const run = await verify(
      put(
        lines(
          await signChain(
            [
              { id: 'urn:\u0007', chain: { chain_id: id } },
              { chain: { chain_id: id, previous_receipt_hash: null } },
            ],
            owner,
          ),
        ),
      ),
      '--key',
      owner.pem,
    )
    expect(run.out.split('\n')[0]).toBe(
      'x ␛[2Jc: valid, complete⟨U+202E⟩: BROKEN at receipt 2 of 2 (line 2): This receipt doesn’t link to the previous one (hash_link_broken); completeness unknown',
    )
    expect(run.out).not.toMatch(/[\u0007\u001b\u202e]/)
  })
})

test('standard input is read like a file', async () => {
  expect(await verifyPiped(lines(plain))).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^c: signatures not checked/),
  })
  expect(await verifyPiped('')).toMatchObject({ code: 3, out: 'standard input: no receipts\n' })
})

test('a long file of lines that end like those of Windows is read piece by piece', async () => {
  const many = await signChain(drafts(600), owner)
  const document = await withKey(many.join('\r\n\r\n'))
  expect([short(document), document.chains[0]!.counts.receipts]).toEqual([[0, ['c', 'valid', null, -1]], 600])
  const broken = await withKey(many.with(500, many[500]!.replace('"low"', '"high"')).join('\r\n\r\n'))
  expect([short(broken), broken.chains[0]!.firstBad!.place]).toEqual([
    [1, ['c', 'broken', 'signature_invalid', 500]],
    1_001,
  ])
})

test('an input that goes beyond what is looked at first is read to its end', async () => {
  const many = await signChain(drafts(20, { action: { note: 'x'.repeat(70_000) } }), owner)
  for (const content of [lines(many), list(many), `{"receipts":[${many.join(',')}]}\n`]) {
    expect(
      (await withKey(content)).chains.map(({ state, counts }) => [state, counts.receipts]),
      content.slice(0, 20),
    ).toEqual([['valid', 20]])
  }
})

test('an object with a list of receipts in its first line is no line of receipts', async () => {
  expect(short(await withKey(`{"receipts":[${plain.join(',')}]}\n`))).toEqual([0, ['c', 'valid', null, -1]])
  expect(await withKey(`{"receipts":[${plain.join(',')}]}\n{"more":1}\n`)).toMatchObject({
    exit: 2,
    problems: [expect.stringContaining('after the document')],
  })
})

test('a line above the limit ends the reading, and is told', async () => {
  const lengths = async (...texts: string[]): Promise<(number | null)[]> => {
    const reportOf: (number | null)[] = []
    for await (const line of eachLine(chunksOf(...texts), 5)) reportOf.push(line?.length ?? null)
    return reportOf
  }
  expect(await lengths('ab\ncd', 'e\n', '\nabcd', 'ef\ngh\n')).toEqual([2, 3, 0, null])
  expect(await lengths('ab\n', 'abcd', 'ef'), 'also one without an end').toEqual([2, null])
})

async function* chunksOf(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text)
}

test('a database that is damaged further on is told as far as it could be read', async () => {
  const many = await signChain(drafts(700), owner)
  writer = await startWriter(put('', 'x/receipts.db'), 'delete')
  await writer.run(
    many
      .map((text, i) => `insert into receipts values ('urn:receipt:${i + 1}', 'c', 'success', '${text}');`)
      .join(' '),
  )
  const bytes = readFileSync(join(folder(), 'x/receipts.db'))
  const at = bytes.indexOf('"id":"urn:receipt:650"')
  bytes.fill(0xff, at - 200, at + 3_000)
  const run = await verify(put(bytes, 'worn.db'), '--json', '--key', owner.pem)
  const document = JSON.parse(run.out) as VerifyReport
  expect([run.code, document.problems, document.chains[0]!.state]).toEqual([
    2,
    [expect.stringMatching(/damaged.*; \d+ rows could be read/)],
    'valid',
  ])
  expect(document.chains[0]!.counts.receipts).toBeGreaterThanOrEqual(400)
})

test('many chains side by side are each told', async () => {
  const chains = await Promise.all(Array.from({ length: 60 }, (_, i) => named(`chain ${i}`, 3)))
  const mixed = [0, 1, 2].flatMap((step) => chains.map((texts) => texts[step]!))
  const document = await withKey(lines(mixed.toSpliced(60 + 17, 1)))
  expect([
    document.exit,
    document.chains.length,
    document.chains.filter(({ state }) => state === 'broken').map(({ chainId }) => chainId),
  ]).toEqual([1, 60, ['chain 17']])
})
