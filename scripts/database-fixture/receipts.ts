import { renewVerdict } from '@/db/writes/derive/chain-verdicts'
import { links } from '@/lib/links'
import {
  type Draft,
  makeSigner,
  rotationTo,
  signChain,
  signReceipt,
  type Signer,
} from '@/lib/judge/receipts/testing/signed-chain'
import { type Loading, post, send, sessionId } from './loading'

const drafts = (chainId: string, n: number, more: (index: number) => Draft = () => ({})): Draft[] =>
  Array.from({ length: n }, (_, i) => ({
    id: `urn:${chainId}:${i + 1}`,
    issuer: { session_id: sessionId('0008', i) },
    chain: { chain_id: chainId },
    ...more(i),
  }))

/** Chains of every verdict that a verifier gives, beside those of the sample. */
export async function loadReceipts(loading: Loading): Promise<void> {
  const [signer, next, unknown] = [await makeSigner(), await makeSigner(), await makeSigner()]
  const key = (own: Signer, chainId: string | null, label: string, isCurrent = false) =>
    post(links.api.receiptKeys(), {
      cookie: loading.people.admin,
      body: { project: 'default', key: own.pem, label, isCurrent, ...(chainId === null ? {} : { chainId }) },
    })
  const chains: Record<string, string[]> = {
    'fixture/valid': await signChain(
      drafts('fixture/valid', 4, (i) =>
        i === 3 ? { chain: { chain_id: 'fixture/valid', terminal: true, status: 'complete' } } : {},
      ),
      signer,
    ),
    'fixture/no-key': await signChain(drafts('fixture/no-key', 2), unknown),
    'fixture/other-key': await signChain(drafts('fixture/other-key', 3), unknown),
    'fixture/changed': (await signChain(drafts('fixture/changed', 3), signer)).map((text, i) =>
      i === 1 ? text.replace('"risk_level":"low"', '"risk_level":"high"') : text,
    ),
    'fixture/gap': (await signChain(drafts('fixture/gap', 4), signer)).filter((_, i) => i !== 2),
    'fixture/rivals': await signChain(drafts('fixture/rivals', 2), signer),
    'fixture/rotated': await signChain(
      [
        ...drafts('fixture/rotated', 1),
        {
          ...drafts('fixture/rotated', 2)[1]!,
          subject: { key_rotation: rotationTo(signer, next) },
          action: { type: 'key_rotated' },
        },
        { ...drafts('fixture/rotated', 3)[2]!, signer: next },
      ],
      signer,
    ),
    'fixture/parts': await signChain(
      drafts(
        'fixture/parts',
        4,
        (i) =>
          [
            {
              outcome: { status: 'failure', error: 'File has been modified since read.' },
              action: { tool_name: 'Edit', type: 'filesystem.file.modify' },
              subject: { correlation_id: 'toolu_fixture_1' },
            },
            { action: { type: 'agent_receipts.events_dropped', emitter_metadata: { drop_count: 12 } } },
            {
              outcome: { status: 'pending' },
              action: { tool_name: 'Bash' },
              subject: { correlation_id: 'toolu_fixture_2' },
            },
            {
              subject: {
                delegation: { parent_chain_id: 'fixture/valid', parent_receipt_id: 'urn:fixture/valid:2' },
              },
            },
          ][i]!,
      ),
      signer,
    ),
  }
  for (const [chainId, texts] of Object.entries(chains)) {
    await send(loading, 'receipts', `${texts.join('\n')}\n`)
    if (chainId !== 'fixture/no-key')
      await key(signer, chainId, `key of ${chainId}`, chainId === 'fixture/valid')
  }
  await send(
    loading,
    'receipts',
    `${await signReceipt({ id: 'urn:rival', chain: { chain_id: 'fixture/rivals', sequence: 2 } }, signer)}\nno receipt\n`,
  )
  await key(next, null, 'key of all chains')
  // A key for all chains is tried on every chain of its project, so a chain without any key is in the other
  // one.
  const body = new TextEncoder().encode(
    `${(await signChain(drafts('fixture/keyless', 2), unknown)).join('\n')}\n`,
  ) as Uint8Array<ArrayBuffer>
  await post(`${links.api.ingest('receipts')}?project=warehouse`, { cookie: loading.people.admin, body })
  const known = await loading.db.sql<
    { projectId: string; id: string }[]
  >`select distinct project_id as "projectId", chain_id as id from receipts order by 1, 2`
  for (const { projectId, id } of known) await renewVerdict(loading.db, projectId, id)
}
