import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { lines, setUpVerify, verifyPiped, type VerifyReport } from '../testing/set-up-verify'
import type { ChainReport } from './chain-report'

const { folder, put, verify, reportOf } = await setUpVerify()

const recorded = resolve(import.meta.dirname, '../../../shared/conformance/receipts')
interface Expected {
  valid: boolean
  first_bad_index: number
  reason: string | null
  chain_status: string
  incomplete_tool_roundtrip: boolean
  sequence_issue: string | null
}
const asRecorded = ({
  valid,
  firstBadIndex,
  reason,
  status,
  incompleteToolRoundtrip,
  sequenceIssue,
}: ChainReport): Expected => ({
  valid,
  first_bad_index: firstBadIndex,
  reason,
  chain_status: status,
  incomplete_tool_roundtrip: incompleteToolRoundtrip,
  sequence_issue: sequenceIssue,
})
const pick = ({
  valid,
  first_bad_index,
  reason,
  chain_status,
  incomplete_tool_roundtrip,
  sequence_issue,
}: Expected): Expected => ({
  valid,
  first_bad_index,
  reason,
  chain_status,
  incomplete_tool_roundtrip,
  sequence_issue,
})

// The recorded cases are not part of the repository.
describe.runIf(existsSync(recorded))('what was recorded', () => {
  interface Case {
    id: string
    public_key: string
    options: { require_terminal?: boolean; expected_length?: number; expected_final_hash?: string }
    expected: Expected
    receipts: unknown[]
  }
  const texts = existsSync(recorded)
    ? readFileSync(join(recorded, 'chains.sample.jsonl'), 'utf8').trim().split('\n')
    : []

  test.each(texts.map((text) => [(JSON.parse(text) as Case).id, text] as const))(
    '%s: the chain as a list, an object and lines',
    async (_, text) => {
      const { public_key, options, expected, receipts } = JSON.parse(text) as Case
      const args = ['--key', public_key, ...(options.require_terminal ? ['--require-terminal'] : [])]
      const exit = expected.valid ? 0 : expected.reason === 'not_terminal' ? 4 : 1
      // As received, with its odd spacing and numbers: the list and the object are cut out of the line.
      const asList = text.slice(text.indexOf('[', text.indexOf('"receipts"')), text.lastIndexOf(']') + 1)
      for (const [kind, content] of [
        ['list', asList],
        ['document', `{"receipts":${asList}}`],
        ['lines', lines(receipts.map((one) => JSON.stringify(one)))],
      ] as const) {
        // A chain of one has no second line that would make it lines.
        const document = await reportOf(content, ...args)
        if (receipts.length > 1) expect(document.input.kind).toBe(kind)
        expect([document.exit, document.chains.map(asRecorded)], kind).toEqual([exit, [pick(expected)]])
      }
    },
  )

  test.each(['sample', 'legacy'])('the %s database', async (name) => {
    const { chains } = JSON.parse(
      readFileSync(join(recorded, 'db', `receipts.${name}.expected.json`), 'utf8'),
    ) as {
      chains: Record<string, { public_key: string; length: number; failures: number; expected: Expected }>
    }
    const keys = [...new Set(Object.values(chains).map(({ public_key }) => public_key))].flatMap((key) => [
      '--key',
      key,
    ])
    const run = await verify(join(recorded, 'db', `receipts.${name}.db`), '--json', ...keys)
    const document = JSON.parse(run.out) as VerifyReport
    expect(document.input.kind).toBe('database')
    expect(
      Object.fromEntries(
        document.chains.map((chain) => [
          chain.chainId,
          [asRecorded(chain), chain.counts.receipts, chain.counts.failures],
        ]),
      ),
    ).toEqual(
      Object.fromEntries(
        Object.entries(chains).map(([id, { expected, length, failures }]) => [
          id,
          [pick(expected), length, failures],
        ]),
      ),
    )
    expect(run.code).toBe(name === 'sample' ? 1 : 0)
    if (name === 'sample')
      expect(document.chains.reduce((sum, { counts }) => sum + counts.eventsDropped, 0)).toBe(44)
  })

  test('a database that comes through a pipe', async () => {
    vi.stubEnv('TMPDIR', folder())
    const run = await verifyPiped(readFileSync(join(recorded, 'db/receipts.sample.db')), 'chain-s-b84e28')
    vi.unstubAllEnvs()
    expect(run).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^chain-s-b84e28: signatures not checked; links and numbers are consistent/),
    })
    expect(readdirSync(folder()), 'nothing is left of the copies').toEqual([])
  })

  test('a database that is cut off, and rows that say otherwise than their receipts', async () => {
    const cut = put(readFileSync(join(recorded, 'db/receipts.sample.db')).subarray(0, 50_000), 'cut.db')
    expect(await verify(cut)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/cut\.db: the database is damaged.*\n$/),
    })
    const run = await verify(join(recorded, 'db/receipts.sample.db'), '--chain', 'chain-s-b89def')
    expect(run.out).toContain('Row 23: receipt_hash says differently from the receipt, which was used')
  })
})
