import type { APIRequestContext } from '@playwright/test'
import { links } from '../../lib/links'
import { server, type seedWith } from './test'
import type { FixItem, FixProposal } from '../../lib/model/fix'

/** Proposes a patch as an agent's loop does: with a key, as a form. */
export async function propose(
  request: APIRequestContext,
  executionId: string,
  patch: string | Buffer,
  proposal: Partial<FixProposal> = {},
  transcript?: string,
): Promise<FixItem> {
  const { url, token } = server()
  const answer = await request.post(`${url}${links.api.executionFixes(executionId)}`, {
    headers: { authorization: `Bearer ${token}` },
    multipart: {
      patch: { name: 'change.patch', mimeType: 'application/octet-stream', buffer: Buffer.from(patch) },
      proposal: {
        name: 'proposal.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(proposal)),
      },
      ...(transcript !== undefined && {
        transcript: {
          name: 'agent.jsonl',
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(transcript),
        },
      }),
    },
  })
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
  return ((await answer.json()) as { fix: FixItem }).fix
}

/** A failed execution that a fix can be proposed for. */
export const failedExecution = (seed: ReturnType<typeof seedWith>): Promise<string> =>
  seed.execution(
    seed
      .transcript()
      .user('Make the tests of the cart pass.')
      .call(
        'Bash',
        { command: 'npm test' },
        { fails: 'Exit code 1\nFAIL src/cart.test.ts\nAssertionError: expected 19.98 to be 19.99' },
      ),
  )

const body = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')

export const CART_PATCH = body([
  'diff --git a/src/cart.ts b/src/cart.ts',
  'index 1111111..2222222 100644',
  '--- a/src/cart.ts',
  '+++ b/src/cart.ts',
  '@@ -1,7 +1,8 @@ export function total(items: Item[]) {',
  ' // Sums up what is in the cart.',
  ' export function total(items: Item[]): number {',
  '-  return items.reduce((sum, item) => sum + item.price, 0)',
  '+  const sum = items.reduce((all, item) => all + item.price, 0)',
  '+  return Math.round(sum * 100) / 100',
  ' }',
  ' ',
  '-export const isEmpty = (items: Item[]) => items.length == 0',
  '+export const isEmpty = (items: Item[]) => items.length === 0',
  ' ',
  '@@ -40,3 +41,3 @@ export class Cart {',
  '   private items: Item[] = []',
  '-\tconst limit = 10',
  '+  const limit = 10',
  '   add(item: Item) {',
  'diff --git a/src/cart.test.ts b/src/cart.test.ts',
  'index 3333333..4444444 100644',
  '--- a/src/cart.test.ts',
  '+++ b/src/cart.test.ts',
  '@@ -3,4 +3,3 @@',
  " test('total', () => {",
  '-  expect(total(items)).toBe(19.99)',
  '-  expect(items).toHaveLength(2)',
  '+  expect(total(items)).toBeCloseTo(19.99)',
  ' })',
  'diff --git a/run.sh b/run.sh',
  'old mode 100644',
  'new mode 100755',
  'diff --git a/docs/old.md b/docs/new.md',
  'similarity index 100%',
  'rename from docs/old.md',
  'rename to docs/new.md',
])

/** A change that no rule has anything against. */
export const PLAIN_PATCH = body([
  'diff --git a/src/cart.ts b/src/cart.ts',
  'index 1111111..2222222 100644',
  '--- a/src/cart.ts',
  '+++ b/src/cart.ts',
  '@@ -2,3 +2,3 @@',
  ' export function total(items: Item[]): number {',
  '-  return items.reduce((sum, item) => sum + item.price, 0)',
  '+  return round(items.reduce((sum, item) => sum + item.price, 0))',
  ' }',
])

export const FACTS: Partial<FixProposal> = {
  task: 'test',
  title: 'Round the total of the cart',
  explanation:
    'The sum of prices carries the error of binary fractions. Rounding to cents at the end mends it.',
  base: {
    repository: 'shop',
    commit: '0123456789abcdef0123456789abcdef01234567',
    tree: null,
    branch: 'main',
    dirty: false,
    dirtyDigest: null,
    subDir: null,
  },
  budget: {
    attempts: { limit: 1, used: 1 },
    wallClockMs: { limit: null, used: 41_000 },
    endedBy: 'completed',
  },
  verification: [
    {
      phase: 'reproduce-before',
      argv: ['npm', 'test'],
      exitCode: 1,
      startedAt: null,
      durationMs: 4_100,
      outputSha256: null,
      outputTail: 'AssertionError: expected 19.98 to be 19.99',
      workspaceId: null,
    },
    {
      phase: 'after-patch',
      argv: ['npm', 'test'],
      exitCode: 0,
      startedAt: null,
      durationMs: 4_300,
      outputSha256: null,
      outputTail: '12 passed',
      workspaceId: null,
    },
  ],
}
