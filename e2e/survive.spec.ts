import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext } from '@playwright/test'
import type { ExecutionItem } from '../lib/api/schemas'
import { links } from '../lib/links'
import { Transcript } from '../db/seed/transcript'
import { runCli, startCli } from './support/cli'
import type { Folder } from './support/folder'
import { type Inquest, postmasterPid, spawnInquest } from './support/server'
import { expect, ownTest as test } from './support/test'
import type { Page } from '../lib/model/page'

const SESSIONS = 30

/** Who says that they hold a data folder; the dead among them count for nothing. */
const claims = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'server.lock')).filter((name) => !name.startsWith('.'))

/** Some thirty sessions, large enough that an import takes a moment. */
function writeHistory(folder: Folder): void {
  for (let n = 0; n < SESSIONS; n++) {
    const transcript = new Transcript({ sessionId: randomUUID(), branch: `branch-${n % 3}` }).user(
      `Task ${n}`,
    )
    for (let call = 0; call < 150; call++) {
      transcript.call(
        'Bash',
        { command: `step ${call} ${'of the work '.repeat(40)}` },
        call % 20 === 7 ? { fails: `Exit code 1\nstep ${call} broke` } : { ok: 'ok '.repeat(150) },
      )
    }
    folder.put(`history/-srv-shop/${transcript.options.sessionId}.jsonl`, transcript.text)
  }
}

interface Stored {
  externalId: string
  outcome: string
  counts: ExecutionItem['counts']
  cause: string | undefined
}

/** All executions of a source, ids of our own aside. */
async function readAll(
  request: APIRequestContext,
  { url, token }: Inquest,
  source: string,
): Promise<Stored[]> {
  const items: ExecutionItem[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      q: `source:${source}`,
      limit: '200',
      ...(cursor === '' ? {} : { cursor }),
    })
    const answer = await request.get(url + links.api.executions(query.toString()), {
      headers: { authorization: `Bearer ${token}` },
    })
    const page = (await answer.json()) as Page<ExecutionItem>
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
    .map(({ externalId, outcome, counts, cause }) => ({ externalId, outcome, counts, cause: cause?.text }))
    .sort((a, b) => (a.externalId < b.externalId ? -1 : 1))
}

test('a server that is killed in the middle of an import loses nothing and doubles nothing', async ({
  request,
  own,
}) => {
  test.setTimeout(240_000)
  writeHistory(own.folder)
  const history = join(own.folder.path, 'history')
  const first = await own.start()
  const importing = startCli(['import', '--json', '--source', 'cut', history], first.stateDir)
  await expect
    .poll(() => importing.written().out.split('"status":"sent"').length - 1, {
      intervals: [10],
      timeout: 60_000,
    })
    .toBeGreaterThan(2)
  await first.kill()
  const cut = await importing.done
  expect(cut.code).toBe(3)
  expect(cut.out.split('"status":"sent"').length - 1, 'the kill came in the middle').toBeLessThan(SESSIONS)
  expect(claims(first.dataDir), 'a stale lock was left').toHaveLength(1)
  expect(postmasterPid(first.dataDir), 'the database went on running').not.toBeNull()

  const second = await own.start()
  const again = await runCli(['import', '--source', 'cut', history], second.stateDir)
  expect(again).toMatchObject({ code: 0 })
  const whole = await runCli(['import', '--source', 'whole', history], second.stateDir)
  expect(whole).toMatchObject({ code: 0 })
  const uninterrupted = await readAll(request, second, 'whole')
  expect(uninterrupted).toHaveLength(SESSIONS)
  expect(uninterrupted[0]!.counts).toMatchObject({ records: 301, calls: 150, failedCalls: 8 })
  expect(await readAll(request, second, 'cut')).toEqual(uninterrupted)
})

test('Ctrl-C ends the server in order: nothing runs on, and the next start needs no repair', async ({
  own,
}) => {
  const inquest = await own.start()
  expect(postmasterPid(inquest.dataDir)).not.toBeNull()
  expect(await inquest.stop()).toBe(0)
  expect(postmasterPid(inquest.dataDir)).toBeNull()
  expect(claims(inquest.dataDir)).toEqual([])
  expect(existsSync(join(inquest.stateDir, 'server.json'))).toBe(false)
  const run = await runCli(['import', own.folder.path], inquest.stateDir)
  expect(run.code).toBe(3)
  expect(run.err).toMatch(/no server|npm start|inquest up/i)
  const next = await own.start()
  expect(next.output()).not.toContain('left behind')
})

test('a lock that a dead process left is set aside', async ({ own }) => {
  const inquest = await own.start()
  await inquest.stop()
  // A pid that no process has: above what the kernel gives out.
  writeFileSync(
    join(inquest.dataDir, 'server.lock/00000000deadbeef'),
    JSON.stringify({ pid: 4_194_304 + 1, started: 'long ago', held: true }),
  )
  const next = await own.start()
  expect(claims(next.dataDir)).toHaveLength(1)
})

test('a second start on the same data is refused in a sentence, and the first one does not notice', async ({
  request,
  own,
}) => {
  const inquest = await own.start()
  const second = spawnInquest(own.folder.path)
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(
    `Inquest is already running on ${inquest.dataDir} (process ${inquest.child.pid}).`,
  )
  expect(second.output()).not.toMatch(/\n\s+at /)
  expect((await request.get(`${inquest.url}/readyz`)).status()).toBe(200)
  const answer = await request.get(inquest.url + links.api.executions(), {
    headers: { authorization: `Bearer ${inquest.token}` },
  })
  expect(answer.status()).toBe(200)
})

test('a port that is taken is told before anything else is done', async ({ own }) => {
  const inquest = await own.start()
  const second = spawnInquest(join(own.folder.path, 'other'), { PORT: new URL(inquest.url).port })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/Port \d+ on 127\.0\.0\.1 is in use/)
  expect(existsSync(join(own.folder.path, 'other/data/pg'))).toBe(false)
})
