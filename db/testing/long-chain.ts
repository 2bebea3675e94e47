import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { v7 } from 'uuid'
import { canonicalJson } from '@/lib/text/canonical-json'
import { hashOf } from '@/lib/formats/receipt/receipt-hash'
import type { Sql } from '../client'

export interface LongChain {
  pem: string
  /** Its receipts, made as they are asked for. */
  texts: () => Generator<string>
}

/** A signed chain of any length: by the platform's own signer, which is several times as quick as one that is awaited. */
export function longChain(chainId: string, count: number): LongChain {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  function* texts(): Generator<string> {
    let previous: string | null = null
    for (let sequence = 1; sequence <= count; sequence++) {
      const unsigned = {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id: `urn:receipt:${chainId}:${sequence}`,
        type: ['VerifiableCredential', 'AgentReceipt'],
        version: '0.5.0',
        issuer: { id: 'did:agent:long', session_id: `session of ${chainId}` },
        issuanceDate: '2026-06-01T00:00:00Z',
        credentialSubject: {
          principal: { id: 'did:user:u' },
          action: {
            id: `act_${sequence}`,
            type: 'filesystem.file.read',
            tool_name: 'Read',
            risk_level: 'low',
            timestamp: '2026-06-01T00:00:00Z',
            target: { system: 'filesystem', resource: `/srv/shop/src/part-${sequence}.ts` },
          },
          outcome:
            sequence % 50 === 0
              ? { status: 'failure', error: 'File does not exist.' }
              : { status: 'success' },
          chain: { sequence, previous_receipt_hash: previous, chain_id: chainId },
          correlation_id: `toolu_${sequence}`,
        },
      }
      const form = canonicalJson(unsigned)
      previous = hashOf(form)
      const proofValue = `u${sign(null, Buffer.from(form), privateKey).toString('base64url')}`
      yield JSON.stringify({
        ...unsigned,
        proof: {
          type: 'Ed25519Signature2020',
          created: '2026-06-01T00:00:00Z',
          verificationMethod: 'did:agent:long#key-1',
          proofPurpose: 'assertionMethod',
          proofValue,
        },
      })
    }
  }
  return { pem: String(publicKey.export({ type: 'spki', format: 'pem' })), texts }
}

const RECEIPTS_OF_PART = 1_000

/**
 * Lays receipts where their reading finds them, without the executions and events that taking them in also makes of them.
 *
 * @returns ids of their streams
 */
export async function layReceipts(
  sql: Sql,
  projectId: string,
  chainId: string,
  texts: Iterable<string>,
): Promise<string[]> {
  const executionId = v7()
  const streamIds: string[] = []
  let part: Buffer[] = []
  const store = async (): Promise<void> => {
    if (part.length === 0) return
    const [bytes, first] = [Buffer.concat(part), streamIds.length]
    const ends = part
      .map(({ length }) => length)
      .map(
        (
          (sum) => (length: number) =>
            (sum += length)
        )(0),
      )
    streamIds.push(...part.map(() => v7()))
    const [receivedId, digest] = [v7(), createHash('sha256').update(bytes).digest('hex')]
    await sql`insert into received (project_id, id, sha256, kept_length, bytes) values (${projectId}, ${receivedId}, ${digest}, ${bytes.length}, ${bytes})`
    await sql`
      insert into receipts (project_id, stream_id, chain_id, digest, sequence, receipt_id, status, execution_id, received_id, kept_start, kept_end)
      select ${projectId}, stream_id, ${chainId}, stream_id::text, ${first} + n, ${`urn:receipt:${chainId}:`} || (${first} + n), 'success', ${executionId}, ${receivedId}, kept_end - length, kept_end
      from unnest(${streamIds.slice(first)}::uuid[], ${ends}::int[], ${part.map(({ length }) => length)}::int[]) with ordinality r(stream_id, kept_end, length, n)`
    part = []
  }
  for (const text of texts) {
    part.push(Buffer.from(text))
    if (part.length === RECEIPTS_OF_PART) await store()
  }
  await store()
  return streamIds
}
