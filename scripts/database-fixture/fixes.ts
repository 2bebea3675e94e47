import { join } from 'node:path'
import { Transcript } from '@/db/seed/transcript'
import { makeRepository, numbered, scratchFolder } from '@/db/testing/repository'
import { checkFit } from '@/db/fixes/check-fit'
import { expireFixes } from '@/db/fixes/expire-fixes'
import { handOverPatches } from '@/db/fixes/hand-over-patches'
import { askJson } from '@/e2e/support/database-fixture/site'
import { readMirrorRoots } from '@/lib/connections/mirror-roots'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_ROOT_WORDS } from '@/lib/words/connections'
import { links } from '@/lib/links'
import { type Loading, post, refused, send, sessionId } from './loading'
import { RUN_PATCH } from './pipelines'

interface Fix {
  id: string
  version: number
  sha256: string
}

const withReadme = (line: string): string => `${RUN_PATCH}diff --git a/README.md b/README.md
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/README.md
@@ -0,0 +1 @@
+${line}
`
const BINARY =
  'diff --git a/old.bin b/old.bin\nindex 1111111..2222222 100644\nBinary files a/old.bin and b/old.bin differ\n'
const RAN = { phase: 'after-patch', argv: ['npm', 'test'], exitCode: 0 }
const FULL = {
  task: 'full',
  title: 'Sum the prices',
  explanation: 'The length was returned.',
  agent: { name: 'fixer', model: 'm-1', workspaceKind: 'checkout' },
  base: { commit: 'abc1234' },
  budget: {
    attempts: { limit: 3, used: 1 },
    wallClockMs: { limit: 300_000, used: 412 },
    endedBy: 'completed',
  },
  verification: [{ phase: 'reproduce-before', argv: ['npm', 'test'], exitCode: 1 }, RAN],
  reasons: [{ file: 'src/total.ts', line: 2, text: 'Was the length.' }],
}

/** Proposed patches in every state and of every origin, with what people and rules say of them. */
export async function loadFixes(loading: Loading): Promise<void> {
  const { people, keys, db } = loading
  const text = new Transcript({ sessionId: sessionId('0009', 1) })
    .user('Sum the prices')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 2' }).text
  const executionId = (await send(loading, 'claude-transcript', text)).executions[0]!.id
  const propose = async (
    patch: string | Uint8Array<ArrayBuffer>,
    proposal: object = {},
    transcript?: string,
  ): Promise<Fix> => {
    const form = new FormData()
    form.set('patch', new Blob([patch]), 'change.patch')
    form.set('proposal', JSON.stringify(proposal))
    if (transcript !== undefined) form.set('transcript', new Blob([transcript]), 'agent.jsonl')
    return (await post<{ fix: Fix }>(links.api.executionFixes(executionId), { key: keys.agent, body: form }))
      .fix
  }
  const reviewBody = (fix: Fix, body: object): object => ({
    version: fix.version,
    sha256: fix.sha256,
    ...body,
  })
  const review = (fix: Fix, body: object, cookie = people.reviewer) =>
    post(links.api.ofFix(fix.id, 'reviews'), { cookie, body: reviewBody(fix, body) })
  const comment = async (fix: Fix, body: object, cookie = people.reviewer): Promise<string> =>
    (
      await post<{ items: { id: string }[] }>(links.api.ofFix(fix.id, 'comments'), {
        cookie,
        body: { sha256: fix.sha256, ...body },
      })
    ).items.at(-1)!.id

  const full = await propose(withReadme('total'), FULL, '{"type":"request","prompt":"Sum the prices"}\n')
  await loadConversation({ full, comment, loading })
  const first = await propose(RUN_PATCH, { task: 'journey' })
  await review(first, { to: 'changes_requested', comment: 'Name the sum.' })
  const second = await propose(
    RUN_PATCH.replaceAll('sum, price', 'total, price').replace('sum +', 'total +'),
    { task: 'journey', supersedes: first.id },
  )
  await review(second, { to: 'approved', comment: 'Good.' })
  // Who decides on what has been decided leaves a mark.
  await refused(links.api.ofFix(second.id, 'reviews'), {
    cookie: people.secondReviewer,
    body: reviewBody(second, { to: 'rejected', comment: 'No.' }),
  })
  await review(
    { ...second, version: 2 },
    { to: 'applied', applied: { how: 'git apply', commit: 'abcdef1', exact: true } },
  )
  await review(
    await propose(withReadme('rejected'), { task: 'rejected', verification: [{ ...RAN, exitCode: 1 }] }),
    { to: 'rejected', comment: 'Not this way.' },
  )
  await review(
    await propose(withReadme("it.skip('total')"), {
      task: 'signal',
      origin: 'stdout-artifact',
      verification: [RAN],
    }),
    { to: 'approved', acknowledged: ['skip-added'], comment: 'On purpose.' },
  )
  await review(await propose(withReadme('later'), { task: 'to be changed' }), {
    to: 'changes_requested',
    comment: 'Say why.',
  })
  await propose(RUN_PATCH.replaceAll('src/total.ts', '../total.ts'), { task: 'blocked', origin: 'fixes-dir' })
  await propose(withReadme(`token: ghp_${'a1B2'.repeat(9)}`), { task: 'secret' })
  await propose(BINARY, { task: 'binary' })
  await propose(new Uint8Array([0, 255, 10, 13, 7]), { task: 'no patch' })
  await propose(withReadme('expired'), { task: 'expired', expiresAt: '2026-01-01T00:00:00Z' })
  await propose(withReadme('open'), { task: 'open', expiresAt: '2126-01-01T00:00:00Z' })
  await post(links.api.ofFix(full.id, 'links'), { cookie: people.reviewer, body: { hours: 2 } })
  while ((await expireFixes(db.sql)) > 0);
  await loadFit(loading, propose, review)
  await handOverPatches(db)
}

interface Conversation {
  full: Fix
  comment: (fix: Fix, body: object, cookie?: string) => Promise<string>
  loading: Loading
}

async function loadConversation({ full, comment, loading: { people } }: Conversation): Promise<void> {
  const thread = await comment(full, { text: 'Why?', file: 0, side: 'new', lineStart: 2, lineEnd: 3 })
  await comment(full, { thread, text: 'Because.' }, people.secondReviewer)
  await comment(full, { thread, kind: 'resolve' })
  await comment(full, { thread, kind: 'reopen' })
  const second = await comment(full, { text: 'On the whole.' })
  await comment(full, { thread: second, kind: 'withdraw', target: second })
  const { files } = await askJson<{ files: { sha256: string }[] }>(links.api.fix(full.id), {
    cookie: people.reviewer,
  })
  await post(links.api.ofFix(full.id, 'viewed'), {
    cookie: people.reviewer,
    body: { sha256: files[0]!.sha256, viewed: true },
  })
  const suggestion = {
    version: full.version,
    sha256: full.sha256,
    file: 0,
    start: 2,
    end: 2,
    lines: ['  return prices.reduce((a, b) => a + b, 0)'],
    reason: 'Shorter.',
  }
  await post(links.api.ofFix(full.id, 'suggestions'), { cookie: people.secondReviewer, body: suggestion })
}

type Propose = (patch: string | Uint8Array<ArrayBuffer>, proposal?: object) => Promise<Fix>

/** A mirror of a repository, patches that fit it and do not, and one that was reported as applied. */
async function loadFit(
  { db, projectId, people }: Loading,
  propose: Propose,
  review: (fix: Fix, body: object) => Promise<unknown>,
): Promise<void> {
  const folder = scratchFolder()
  process.env.INQUEST_MIRRORS = join(folder.path, 'mirrors')
  try {
    const shop = makeRepository(join(folder.path, 'mirrors/shop'))
    shop.put('a.txt', numbered(60))
    const base = shop.commit()
    await post(links.api.mirrors(), {
      cookie: people.admin,
      body: { project: 'default', repository: 'shop', path: 'shop' },
    })
    const change = (line: number): Uint8Array<ArrayBuffer> => {
      shop.put('a.txt', numbered(60, { [line]: 'changed' }))
      return new Uint8Array(shop.patch())
    }
    const named = { repository: 'shop', commit: base }
    const fits = await propose(change(5), { task: 'fits', base: named })
    const applied = await propose(change(40), { task: 'applied', base: named })
    const conflicts = await propose(RUN_PATCH, { task: 'does not fit', base: named })
    const missing = await propose(change(9), {
      task: 'base missing',
      base: { repository: 'shop', commit: 'f'.repeat(40) },
    })
    const unnamed = await propose(change(11), { task: 'base unknown', base: { repository: 'shop' } })
    await review(applied, { to: 'approved', comment: 'Good.' })
    shop.put('a.txt', numbered(60, { 40: 'changed' }))
    const commit = shop.commit()
    await review(
      { ...applied, version: 2 },
      { to: 'applied', applied: { how: 'git apply', commit, exact: true } },
    )
    const read = readMirrorRoots(process.env)
    if ('trouble' in read) throw new Error(textOf(MIRROR_ROOT_WORDS, read.trouble))
    for (const fix of [fits, applied, conflicts, missing, unnamed]) {
      await post(links.api.ofFix(fix.id, 'fit'), { cookie: people.operator })
      await checkFit(db.sql, {
        projectId,
        fixId: fix.id,
        roots: read.roots,
        signal: new AbortController().signal,
      })
    }
    // Asked for, and not answered yet.
    await post(links.api.ofFix((await propose(change(7), { task: 'not checked', base: named })).id, 'fit'), {
      cookie: people.operator,
    })
  } finally {
    delete process.env.INQUEST_MIRRORS
    folder.remove()
  }
}
