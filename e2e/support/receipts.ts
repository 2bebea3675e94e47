import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { links } from '../../lib/links'
import { type Draft, makeSigner, signChain, type Signer } from '../../lib/judge/receipts/testing/signed-chain'
import { server } from './test'

export interface SignedChain {
  chainId: string
  sessionId: string
  signer: Signer
  texts: string[]
}

/** A signed chain of one session, all of its own. */
export async function signedChain(drafts: readonly Draft[], signer?: Signer): Promise<SignedChain> {
  const own = signer ?? (await makeSigner())
  const [chainId, sessionId] = [`2026-06-15/agent/${randomUUID().slice(0, 8)}`, randomUUID()]
  const texts = await signChain(
    drafts.map(({ chain, issuer, ...draft }) => ({
      id: `urn:receipt:${randomUUID()}`,
      ...draft,
      chain: { chain_id: chainId, ...chain },
      issuer: { session_id: sessionId, ...issuer },
    })),
    own,
  )
  return { chainId, sessionId, signer: own, texts }
}

const edit = (outcome: Draft['outcome'], correlation: string, at: string): Draft => ({
  action: {
    type: 'filesystem.file.modify',
    tool_name: 'Edit',
    target: { system: 'filesystem', resource: '/srv/shop/package.json' },
    timestamp: at,
  },
  outcome,
  subject: { correlation_id: correlation },
})

export const LOST_UPDATE_ERROR =
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.'

/** An edit that lost a race, the read that followed, and the edit again with success. */
export const lostUpdate = (): Draft[] => [
  edit({ status: 'failure', error: LOST_UPDATE_ERROR }, 'toolu_edit_1', '2026-06-15T10:00:00Z'),
  {
    action: { type: 'filesystem.file.read', tool_name: 'Read', timestamp: '2026-06-15T10:00:02Z' },
    subject: { correlation_id: 'toolu_read' },
  },
  edit({ status: 'success' }, 'toolu_edit_2', '2026-06-15T10:00:04Z'),
]

/** Pushes receipts as their own senders do; answers the execution that they are of. */
export async function pushReceipts(
  request: APIRequestContext,
  { texts, chainId }: SignedChain,
): Promise<string> {
  const { url, token } = server()
  const authorization = `Bearer ${token}`
  for (const data of texts) {
    const answer = await request.post(`${url}/receipts`, {
      data,
      headers: { authorization, 'content-type': 'application/ld+json' },
    })
    if (answer.status() !== 201) throw new Error(`${answer.status()} ${await answer.text()}`)
  }
  const chain = await request.get(`${url}${links.api.receiptChain(chainId)}`, { headers: { authorization } })
  return ((await chain.json()) as { sessions: { executionId: string }[] }).sessions[0]!.executionId
}

export async function registerKey(
  request: APIRequestContext,
  { signer, chainId }: SignedChain,
  label = `key of ${chainId}`,
): Promise<void> {
  const { url, token } = server()
  const answer = await request.post(`${url}${links.api.receiptKeys()}`, {
    data: { key: signer.pem, label, chainId },
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
}

/** A chain with something of everything: a lost update, a gap of dropped events, another key, a pending call without answer, a break. */
export async function richChain(request: APIRequestContext): Promise<{ id: string; chainId: string }> {
  const chain = await signedChain([
    ...lostUpdate(),
    { action: { type: 'agent_receipts.events_dropped', emitter_metadata: { drop_count: 12 } } },
    {
      action: { tool_name: 'Bash', type: 'system.command.execute' },
      outcome: { status: 'pending' },
      subject: { correlation_id: 'toolu_never' },
    },
    {
      action: { tool_name: 'Bash' },
      outcome: { status: 'failure', error: 'Exit code 1\npassword=[REDACTED] was wrong […error truncated]' },
    },
    { action: { tool_name: 'WebFetch' } },
    { action: { tool_name: 'Write' }, issuer: { session_id: randomUUID() } },
    { action: { tool_name: 'Read' } },
  ])
  const texts = chain.texts.map((text, index) => (index === 6 ? text.replace('WebFetch', 'WebFetcH') : text))
  const id = await pushReceipts(request, { ...chain, texts })
  await registerKey(request, chain)
  return { id, chainId: chain.chainId }
}
