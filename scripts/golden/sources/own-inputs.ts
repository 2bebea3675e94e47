import { Transcript } from '@/db/seed/transcript'
import { bundleRun } from '@/lib/formats/async-pipeline/bundle'
import { secretSamples } from '@/lib/text/redaction/secret-samples.fixture'
import { didKeyOf, parseMultibaseKey } from '@/lib/judge/receipts/keys'
import { signChain, type Draft, type Signer } from '@/lib/judge/receipts/testing/signed-chain'

/** A session with a secret of every rule in what a command printed, and mail addresses around it. */
export function secretsSession(): string {
  const session = new Transcript({ sessionId: '5ec7e750-0000-4000-8000-000000000001' }).user(
    'Print the settings for ops@example.org',
  )
  for (const { rule, text } of secretSamples())
    session.call('Bash', { command: `print ${rule}` }, { ok: text })
  return session
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 2\nmail to root@example.net failed' })
    .says('It failed.').text
}

/** Records that are odd in each way that a line can be. */
export function brokenLines(): string {
  const lines = new Transcript({ sessionId: '0dd00dd0-0000-4000-8000-000000000001' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2\nmake: *** No rule to make target' })
    .call('Bash', { command: 'make' }, { ok: 'done' })
    .says('done').lines
  const nested = `${'['.repeat(600)}${']'.repeat(600)}`
  return [
    lines[0],
    'this is no JSON',
    '[1, 2]',
    `{"type":"user","uuid":"deep","x":${nested}}`,
    ...lines.slice(1),
    '{"type":"user","sessionId":17,"uuid":"wrong"}',
    '{"type":"newly-invented","uuid":"n1","sessionId":"0dd00dd0-0000-4000-8000-000000000001"}',
    '{"type":"user","torn',
  ].join('\n')
}

/** Its only failure went away with a changed call. */
export function changedEdit(): string {
  const edit = (text: string): Record<string, string> => ({
    file_path: '/srv/shop/src/cart.ts',
    old_string: text,
    new_string: 'const total = 0',
  })
  return new Transcript({ sessionId: 'c4a26ed1-0000-4000-8000-000000000001' })
    .user('Set the total to 0')
    .call('Edit', edit('const totl = 1'), {
      fails: '<tool_use_error>String to replace not found in file.</tool_use_error>',
    })
    .call('Edit', edit('const total = 1'), { ok: 'The file has been updated.' })
    .says('Done.').text
}

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** Two runs of one task of a pipeline, of which the first failed. */
export function pipelineRun(): { name: string; bytes: Uint8Array }[] {
  return [1, 2].map((n) => {
    const id = `2026-11-02T08-0${n}-00-000Z-0000000${n}`
    const failed = n === 1
    const at = (second: number): string => `2026-11-02T08:0${n}:0${second}.000Z`
    const task = {
      id: 'test',
      status: failed ? 'failed' : 'passed',
      attempts: 1,
      durationMs: 4_000,
      cacheKey: 'c'.repeat(64),
      cacheHit: false,
      startedAt: at(1),
      finishedAt: at(5),
      metadata: {},
      schemaVersion: 1,
      ...(failed && { exitCode: 1 }),
    }
    const record = {
      schemaVersion: 1,
      id,
      pipelineName: 'demo',
      jobId: 'verify',
      cwd: '/srv/demo',
      pid: 4242,
      startedAt: at(0),
      finishedAt: at(6),
      status: failed ? 'failed' : 'passed',
      mode: 'manual',
      tasks: [task],
      sources: {},
    }
    const log = {
      path: 'logs/test.log',
      bytes: new TextEncoder().encode(failed ? 'Error: 1 test failed\n' : 'ok\n'),
    }
    return { name: id, bytes: bundleRun(id, [{ path: 'execution.json', bytes: json(record) }, log]) }
  })
}

/** A key that is the same in every run, so that receipts are; it is no secret. */
async function fixedSigner(): Promise<Signer> {
  const { subtle } = globalThis.crypto
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const own = await subtle.importKey('pkcs8', Buffer.concat([head, Buffer.alloc(32, 7)]), 'Ed25519', true, [
    'sign',
  ])
  const { x } = await subtle.exportKey('jwk', own)
  const key = parseMultibaseKey(`u${x}`)!
  const sign = async (text: string): Promise<string> =>
    `u${Buffer.from(await subtle.sign('Ed25519', own, new TextEncoder().encode(text))).toString('base64url')}`
  return { key, pem: '', multibase: `u${x}`, sign }
}

/** Payments: one made again though its answer never came, one made twice, and one whose receipts disagree. */
export async function repeatedPayments(): Promise<{ publicKey: string; texts: string[] }> {
  const signer = await fixedSigner()
  const payment = (n: number, correlation: string, key: string | null, outcome: object): Draft => ({
    issuer: { session_id: '9ece1975-0000-4000-8000-000000000001' },
    outcome: { ...outcome },
    chain: { chain_id: 'golden-payments' },
    action: {
      id: `act_${n}`,
      type: 'financial.payment.send',
      tool_name: 'mcp__bank__send_payment',
      timestamp: `2026-06-01T00:00:0${n}Z`,
      target: { system: 'bank', resource: `account-${key ?? correlation}` },
      ...(key !== null && { idempotency_key: key }),
    },
    subject: { correlation_id: correlation },
  })
  const drafts = [
    payment(1, 'call-a', 'k1', { status: 'pending' }),
    payment(2, 'call-b', 'k1', { status: 'success' }),
    payment(3, 'call-c', 'k2', { status: 'success' }),
    payment(4, 'call-d', 'k2', { status: 'success' }),
    payment(5, 'call-e', null, { status: 'failure', error: 'declined' }),
    payment(6, 'call-e', null, { status: 'success' }),
  ]
  return { publicKey: didKeyOf(signer.key), texts: await signChain(drafts, signer) }
}

/** A patch that removes an assertion and skips a test. */
export const WEAKENING_PATCH = [
  'diff --git a/src/cart.test.ts b/src/cart.test.ts',
  'index 1111111..2222222 100644',
  '--- a/src/cart.test.ts',
  '+++ b/src/cart.test.ts',
  '@@ -1,4 +1,3 @@',
  " import { total } from './cart'",
  "-test('the total', () => {",
  '-  expect(total([])).toBe(0)',
  "+test.skip('the total', () => {",
  ' })',
  '',
].join('\n')
