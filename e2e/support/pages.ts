import { randomUUID } from 'node:crypto'
import { links } from '../../lib/links'
import { DELIVERS, VIOLATES } from '../../lib/sample/recorded-run'
import { sendChain } from './decisions'
import type { seedWith } from './test'

type Seed = ReturnType<typeof seedWith>

/** An execution with something in every view: two chains, a long error, a sub-agent, a redaction, an odd line and marks of hostile text. */
export async function richExecution(seed: Seed): Promise<{ id: string; branch: string }> {
  const branch = `pages-${randomUUID().slice(0, 8)}`
  const transcript = seed
    .transcript({ branch })
    .user('Raise the version, run the tests and publish.\nThen tell me what changed.')
    .says('I will start with the tests.')
    .call('Read', { file_path: '/srv/shop/package.json' }, { ok: '{ "name": "shop" }' })
    .call(
      'Edit',
      { file_path: '/srv/shop/package.json', old_string: '1.0', new_string: '1.1' },
      { fails: '<tool_use_error>File has been modified since read. Read it again.</tool_use_error>' },
    )
    .call(
      'Edit',
      { file_path: '/srv/shop/package.json', old_string: '1.0.0', new_string: '1.1.0' },
      { ok: 'updated' },
    )
    .call(
      'Bash',
      { command: 'npm test' },
      {
        fails:
          'Exit code 1\n\u001b[31mFAIL\u001b[0m src/cart.test.ts\nAssertionError: expected 19.98 to be 19.99',
      },
      41,
    )
    .call(
      'Bash',
      { command: 'npm test' },
      {
        fails: `Exit code 1\nFAIL src/cart.test.ts\n${'  at step (src/cart.ts:14:3)\n'.repeat(12)}AssertionError: expected 19.98 to be 19.99`,
      },
      44,
    )
    .call(
      'Bash',
      {
        command:
          'curl -H "Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345" https://registry.example/publish',
      },
      { fails: 'Exit code 22\ncurl: (22) The requested URL returned error: 403' },
    )
  const id = await seed.execution(transcript)
  await sendChain(seed, { branch, key: branch, results: [VIOLATES, VIOLATES, DELIVERS, VIOLATES] })
  await seed.send(
    `${transcript.text}{"type":"a kind from later","sessionId":"${transcript.options.sessionId}"}\n{"torn": \n`,
  )
  return { id, branch }
}

/** Every page, as a reader with an admin's role finds it. */
export const pagesOf = ({ id, branch }: { id: string; branch: string }): [name: string, path: string][] => [
  ['start', links.home()],
  ['list', links.executions()],
  ['list filtered', links.executions(`q=${encodeURIComponent(`branch:${branch} outcome:failed`)}`)],
  ['list without a match', links.executions('q=nothing-matches-this')],
  ['list with a peek', links.executions(`q=branch:${branch}&peek=${id}`)],
  ['cause', links.execution(id)],
  ['calls', links.execution(id, 'calls')],
  ['timeline', links.execution(id, 'timeline')],
  ['raw', links.execution(id, 'raw')],
  ['parity', links.execution(id, 'parity')],
  ['where layers differ', links.parity()],
  ['fixes', links.fixes()],
  ['policies', links.policies({ q: `branch:${branch}` })],
  [
    'policies with an open cell',
    links.policies({ q: `branch:${branch}`, cell: 'policies.retriable.failed' }),
  ],
  ['policies without a match', links.policies({ q: 'nothing-matches-this' })],
  ['sources', links.settings('sources')],
  ['judgement', links.settings('judgement')],
  ['keys', links.settings('keys')],
  ['people', links.settings('people')],
  ['problem', links.problem('store-down')],
  ['not found', '/no/such/page'],
  ['waiting', links.anyId('00000000-0000-4000-8000-00000000face')],
]
