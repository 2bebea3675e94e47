import { randomUUID } from 'node:crypto'
import { Transcript } from '@/db/seed/transcript'
import { DECIDED_FAILURES } from '@/db/seed/decided-failures'
import { CART_PATCH, FACTS } from '@/e2e/support/fixes'
import { python } from '@/e2e/support/noetl/python-dialect'
import { seedRuns } from '@/e2e/support/noetl/seed'
import { links } from '@/lib/links'
import { recordedRun } from '@/lib/sample/recorded-run'
import { makeSigner, signChain } from '@/lib/judge/receipts/testing/signed-chain'
import { poison, poisonLines, withPayload } from './poison'

/** Who sends: a key for what agents leave behind, a signed-in person for the rest. */
export interface Sender {
  url: string
  token: string
  cookie: string
}

export interface Seeded {
  /** Executions that hold the payload, the transcript first. */
  executions: string[]
  fixes: string[]
  chainId: string
  ci: { provider: string; path: string; run: string }
}

/** Characters of a name that the API takes. */
const NAME_MAX = 100

/** Sends the payload in every field that a page shows: sessions, records, runs of an engine, receipts, fixes, names. */
export async function seedHostile(
  sender: Sender,
  payload: string,
  patches: readonly Uint8Array[] = [],
): Promise<Seeded> {
  const { url, token, cookie } = sender
  const id = randomUUID()
  const post = async <T>(
    path: string,
    body: BodyInit | object,
    headers: Record<string, string> = {},
  ): Promise<T> => {
    const plain = Object.getPrototypeOf(body) === Object.prototype
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(plain ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: plain ? JSON.stringify(body) : (body as BodyInit),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const asPerson = { cookie, origin: url, authorization: '' }
  const name = withPayload('', payload).slice(0, NAME_MAX).trim()
  const executions: string[] = []
  /** Headers carry no control characters. */
  const header = (text: string): string => encodeURIComponent(text.replace(/\p{Cc}/gu, ''))
  const ingest = async (kind: string, text: string, fileName?: string): Promise<void> => {
    const answer = await post<{ executions: { id: string }[] }>(links.api.ingest(kind), text, {
      'inquest-source': header(`${name} ${id.slice(0, 8)}`),
      ...(fileName === undefined ? {} : { 'inquest-file': header(fileName) }),
    })
    executions.push(...answer.executions.map((one) => one.id))
  }

  await ingest(
    'claude-transcript',
    poisonLines(transcript(id), payload),
    `-srv-${name.slice(0, 40)}/${id}.jsonl`,
  )
  const ci = { provider: 'github', path: `acme/${name}`, run: String(Date.now() % 1e9) }
  for (const run of Object.values(DECIDED_FAILURES).slice(0, 4)) {
    const { stream, record } = recordedRun({
      id: randomUUID(),
      ...run,
      stderr: 'Error: the oven is cold\n',
      branch: name,
      repository: ci.path,
      chain: { key: `${name} ${id}`, attempt: null },
      ci: {
        ...ci,
        attempt: 1,
        job: name,
        branch: name,
        commit: 'f'.repeat(40),
        url: payload.slice(0, 500),
        repository: ci.path,
      },
    })
    if (stream !== null) await ingest('claude-stream', poisonLines(stream, payload))
    const [start, ...rest] = record.split('\n')
    const { labels, ci: named, chain, ...head } = JSON.parse(start!) as Record<string, unknown>
    const poisoned = poison(head, payload) as object
    await ingest(
      'record',
      [JSON.stringify({ ...poisoned, labels, ci: named, chain }), poisonLines(rest.join('\n'), payload)].join(
        '\n',
      ),
    )
  }
  const runs = seedRuns()
  for (const run of runs) {
    const question = { runs, query: new URLSearchParams('page_size=500'), losses: {} }
    await ingest(
      'noetl',
      JSON.stringify(poison(JSON.parse(python.one('detail', run, question)!.body), payload)),
    )
  }
  const chainId = `hostile-${id}`
  for (const text of await signChain(
    [1, 2].map((n) => ({
      id: `urn:receipt:${randomUUID()}`,
      chain: { chain_id: chainId },
      issuer: { session_id: id },
      action: {
        type: name,
        tool_name: name,
        target: { system: name, resource: payload },
        timestamp: `2026-06-15T10:00:0${n}Z`,
      },
      outcome: { status: 'failure', error: withPayload('It failed', payload) },
      subject: { correlation_id: `call-${n}` },
    })),
    await makeSigner(),
  ))
    await ingest('receipts', text)

  const fixes: string[] = []
  const facts = poison(FACTS, payload.slice(0, 300)) as object
  for (const patch of [hostilePatch(payload), ...patches]) {
    const form = new FormData()
    form.set('patch', new Blob([patch as Uint8Array<ArrayBuffer>]))
    form.set(
      'proposal',
      JSON.stringify({
        ...facts,
        task: `${fixes.length} ${name}`,
        explanation: withPayload('Because.', payload),
        fileName: name,
      }),
    )
    const { fix } = await post<{ fix: { id: string; sha256: string } }>(
      links.api.executionFixes(executions[0]!),
      form,
    )
    fixes.push(fix.id)
    if (fixes.length === 1)
      await post(
        links.api.ofFix(fix.id, 'comments'),
        { sha256: fix.sha256, text: withPayload('No.', payload) },
        asPerson,
      )
  }
  await post(links.api.keys(), { name, scopes: ['ingest'] })
  await post(links.api.people(), { email: `${id.slice(0, 8)}@example.test`, name, role: 'viewer' }, asPerson)
  await post(links.api.connections(), { name, baseUrl: 'http://127.0.0.1:9/' }, asPerson)
  return { executions, fixes, chainId, ci }
}

const transcript = (sessionId: string): string =>
  new Transcript({ sessionId, branch: 'hostile' })
    .user('Make the tests pass.')
    .says('I will look.')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nAssertionError: expected 1 to be 2' })
    .call(
      'Edit',
      { file_path: '/srv/a.ts', old_string: 'a', new_string: 'b' },
      { fails: '<tool_use_error>Not found.</tool_use_error>' },
    )
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nAssertionError: expected 1 to be 2' })
    .apiError('Overloaded', 529).text

/** The text as content and, as far as a patch allows it, as the name of a file. */
function hostilePatch(payload: string): Uint8Array {
  const line = payload.replaceAll('\n', ' ')
  const quoted = JSON.stringify(`b/${line.slice(0, 200)}.ts`)
  return new TextEncoder().encode(
    `${CART_PATCH}diff --git "a${quoted.slice(2)} ${quoted}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ ${quoted}\n@@ -0,0 +1,2 @@\n+// ${withPayload('', line)}\n+${line}\n`,
  )
}
