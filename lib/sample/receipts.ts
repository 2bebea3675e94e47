import { hexToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../text/canonical-json'
import { parseMultibaseKey, type PublicKey } from '../judge/receipts/keys'
import { readReceipt } from '../formats/receipt/read-receipt'
import { receiptHash } from '../formats/receipt/receipt-hash'
import { createSha256 } from '../bytes/sha256'
import { base64url } from '../text/base64url'
import { sampleSessionId } from './session-writer'

interface Step {
  tool: string
  type: string
  at: string
  target?: string
  call?: string
  status?: 'success' | 'failure' | 'pending'
  error?: string
  prompt?: string
  lost?: number
  terminal?: true
}

export interface SampleChain {
  chainId: string
  /** Its receipts, one a line. */
  text: string
}

/** What the key of the sample is called wherever keys are listed: anyone can sign with it. */
export const SAMPLE_KEY_LABEL = 'Sample: a key that anyone has, for the chains of the sample only'

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const sha256 = (text: string): string => {
  const hash = createSha256()
  hash.update(bytesOf(text))
  return hash.hex()
}

/** What a PKCS #8 wrapping of an Ed25519 key begins with; the 32 bytes of its seed follow. */
const PKCS8_HEAD = hexToBytes('302e020100300506032b657004220420')

/** A key made of a sentence, so that the sample is the same bytes everywhere. It is no secret, and proves nothing about anyone. */
async function sampleKey(): Promise<{ key: PublicKey; sign: (text: string) => Promise<string> }> {
  const { subtle } = globalThis.crypto
  const pkcs8 = Uint8Array.from([
    ...PKCS8_HEAD,
    ...hexToBytes(sha256('the key of the sample of Inquest, which is no secret')),
  ])
  const own = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign'])
  const { x } = await subtle.exportKey('jwk', own)
  return {
    key: parseMultibaseKey(`u${x}`)!,
    sign: async (text) => `u${base64url(new Uint8Array(await subtle.sign('Ed25519', own, bytesOf(text))))}`,
  }
}

const DAEMON = 'did:agent-receipts-daemon:sample'

async function chainOf(
  chainId: string,
  session: number,
  steps: readonly Step[],
  sign: (text: string) => Promise<string>,
): Promise<string[]> {
  const lines: string[] = []
  for (const [index, step] of steps.entries()) {
    const { tool, type, at, target, call, status = 'success', error, prompt, lost, terminal } = step
    const before = lines.at(-1)
    const id = `5a3b1e00-0000-4000-9000-${String(session * 1_000 + index + 1).padStart(12, '0')}`
    const receipt = {
      '@context': ['https://www.w3.org/ns/credentials/v2', 'https://agentreceipts.ai/context/v2'],
      id: `urn:receipt:${id}`,
      type: ['VerifiableCredential', 'AgentReceipt'],
      version: '0.5.0',
      issuer: {
        id: DAEMON,
        type: 'AgentReceiptsDaemon',
        name: 'Sample agent',
        model: 'claude-sonnet-4-5',
        session_id: sampleSessionId(session),
      },
      issuanceDate: at,
      credentialSubject: {
        principal: { id: 'did:user:dev', type: 'HumanPrincipal' },
        action: {
          id: `act_${id}`,
          type,
          tool_name: tool,
          risk_level: type.endsWith('.read') ? 'low' : 'medium',
          timestamp: at,
          ...(target === undefined ? {} : { target: { system: 'filesystem', resource: target } }),
          ...(lost === undefined ? {} : { emitter_metadata: { drop_count: lost } }),
        },
        outcome: { status, ...(error === undefined ? {} : { error }) },
        ...(prompt === undefined ? {} : { intent: { prompt_preview: prompt } }),
        ...(call === undefined ? {} : { correlation_id: `toolu_sample${session}${call}` }),
        chain: {
          sequence: index + 1,
          previous_receipt_hash: before === undefined ? null : receiptHash(readReceipt(before)),
          chain_id: chainId,
          ...(terminal && { terminal, status: 'complete' }),
        },
      },
    }
    const proof = {
      type: 'Ed25519Signature2020',
      created: at,
      verificationMethod: `${DAEMON}#key-1`,
      proofPurpose: 'assertionMethod',
      proofValue: await sign(canonicalJson(receipt)),
    }
    lines.push(JSON.stringify({ ...receipt, proof }))
  }
  return lines
}

const edit = (at: string, call: string, target: string, more: Partial<Step> = {}): Step => ({
  tool: 'Edit',
  type: 'filesystem.file.modify',
  at,
  call,
  target,
  ...more,
})
const read = (at: string, call: string, target: string, more: Partial<Step> = {}): Step => ({
  tool: 'Read',
  type: 'filesystem.file.read',
  at,
  call,
  target,
  ...more,
})
const bash = (at: string, call: string, more: Partial<Step> = {}): Step => ({
  tool: 'Bash',
  type: 'system.command.execute',
  at,
  call,
  ...more,
})

/** An edit lost a race and was made again; a call that was asked for first, one that was denied, and events that the daemon never got. */
const lostUpdate: readonly Step[] = [
  read('2026-11-20T09:00:00Z', 'a', '/srv/storefront/package.json', {
    prompt: 'Raise the version of the tax table and publish the storefront',
  }),
  edit('2026-11-20T09:00:04Z', 'b', '/srv/storefront/package.json', {
    status: 'failure',
    error:
      'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
  }),
  read('2026-11-20T09:00:06Z', 'c', '/srv/storefront/package.json'),
  edit('2026-11-20T09:00:09Z', 'd', '/srv/storefront/package.json'),
  bash('2026-11-20T09:00:12Z', 'e', { status: 'pending' }),
  bash('2026-11-20T09:00:41Z', 'e'),
  { tool: 'events_dropped', type: 'agent_receipts.events_dropped', at: '2026-11-20T09:00:43Z', lost: 3 },
  bash('2026-11-20T09:00:44Z', 'f', {
    status: 'failure',
    error: 'blocked by policy: publishing to the registry needs an approval',
  }),
  read('2026-11-20T09:00:47Z', 'g', '/srv/storefront/docs/release.md', { terminal: true }),
]

const changed: readonly Step[] = [
  read('2026-11-20T13:30:00Z', 'a', '/srv/warehouse/stock.csv', { prompt: 'Correct the stock of shelf 14' }),
  edit('2026-11-20T13:30:05Z', 'b', '/srv/warehouse/stock.csv'),
  edit('2026-11-20T13:30:09Z', 'c', '/srv/warehouse/prices.csv'),
  bash('2026-11-20T13:30:15Z', 'd', {
    status: 'failure',
    error: 'Exit code 1\ncheck-stock: shelf 14 has no row for parcel 3061',
  }),
  read('2026-11-20T13:30:18Z', 'e', '/srv/warehouse/stock.csv'),
]

/**
 * Chains of receipts, one as it was written and one whose third receipt was changed by a byte after it was signed: what was `prices.csv` reads
 * `prices.csw`.
 */
export async function sampleReceipts(): Promise<{ key: PublicKey; chains: SampleChain[] }> {
  const { key, sign } = await sampleKey()
  const [whole, broken] = [
    { chainId: 'sample-2026-11-20', session: 13, steps: lostUpdate },
    { chainId: 'sample-2026-11-20/agent/changed', session: 14, steps: changed },
  ]
  const good = await chainOf(whole.chainId, whole.session, whole.steps, sign)
  const bad = (await chainOf(broken.chainId, broken.session, broken.steps, sign)).map((line) =>
    line.replace('/srv/warehouse/prices.csv', '/srv/warehouse/prices.csw'),
  )
  return {
    key,
    chains: [
      { chainId: whole.chainId, text: good.join('\n') },
      { chainId: broken.chainId, text: bad.join('\n') },
    ].map((chain) => ({ ...chain, text: `${chain.text}\n` })),
  }
}
