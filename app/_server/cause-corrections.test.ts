import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as exportRoute from '@/app/api/v1/cause-corrections/export/route'
import * as listRoute from '@/app/api/v1/cause-corrections/route'
import * as correctionRoute from '@/app/api/v1/executions/[id]/cause-correction/route'
import * as executionRoute from '@/app/api/v1/executions/[id]/route'
import { ensureProject } from '@/db/projects'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { causeCorrection } from '@/lib/api/correction-document'
import { correctionList } from '@/lib/api/correction-schemas'
import { executionDetail, problemDocument } from '@/lib/api/schemas'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { ask, type Ask, openWorld, type World } from './test-support'

let world: World
let operator: string
let viewer: string
let execution: string
let serial = 0
beforeAll(async () => {
  world = await openWorld()
  operator = await world.cookie('operator')
  viewer = await world.cookie('viewer')
})
beforeEach(async () => {
  execution = await take(world.project.id)
})
afterAll(() => world.close())

const take = async (projectId: string): Promise<string> => {
  const sessionId = `0c0c0c0c-0000-4000-8000-${String((serial += 1)).padStart(12, '0')}`
  const { text } = new Transcript({ sessionId })
    .user('go')
    .call('Read', { file_path: '/srv/missing.ts' }, { fails: 'File does not exist.' })
    .call('Bash', { command: `make ${serial}` }, { fails: 'Exit code 2' })
  const bytes = Buffer.from(text)
  return (await ingestBody(world.db, { projectId, source: null, kind: 'claude-transcript', bytes }))
    .executions[0]!.id
}
const detail = async (id = execution) => {
  const answer = await ask(executionRoute.GET, links.api.execution(id), { params: { id }, cookie: viewer })
  return executionDetail.parse(await answer.json())
}
const firstCall = async (id = execution): Promise<string> =>
  (
    await world.db.sql<{ id: string }[]>`
    select call_id as id from calls where execution_id = ${id} order by ordinal limit 1`
  )[0]!.id
const correct = async (body: object, how: Ask = { cookie: operator }, id = execution): Promise<Response> => {
  const [row] = await world.db.sql`select cause_rule, cause_pointer from executions where id = ${id}`
  return ask(correctionRoute.POST, links.api.causeCorrection(id), {
    method: 'POST',
    params: { id },
    body: { judged: { rule: row?.cause_rule ?? null, pointer: row?.cause_pointer ?? null }, ...body },
    ...how,
  })
}
const undo = (how: Ask = { cookie: operator }, q: { correction?: string } = {}): Promise<Response> =>
  ask(correctionRoute.DELETE, links.api.causeCorrection(execution, q), {
    method: 'DELETE',
    params: { id: execution },
    ...how,
  })
const problem = async (answer: Promise<Response>): Promise<[number, string]> => {
  const response = await answer
  const { detail: said, title } = problemDocument.parse(await response.json())
  return [response.status, said ?? title]
}
const list = async (
  q: Parameters<typeof links.api.causeCorrections>[0] = {},
  how: Ask = { cookie: viewer },
) => {
  const answer = await ask(listRoute.GET, links.api.causeCorrections(q), how)
  if (answer.status !== 200) throw new Error(await answer.text())
  return correctionList.parse(await answer.json())
}

test('an operator or a key that writes corrects a cause, and the execution shows it to every reader', async () => {
  const call = await firstCall()
  const made = await correct({ call, reason: '<b>the file</b> was never there' })
  expect(made.status).toBe(201)
  const correction = causeCorrection.parse(await made.json())
  expect(correction).toMatchObject({
    call: { id: call },
    reason: '<b>the file</b> was never there',
    by: 'Someone',
  })
  expect((await correct({ call, reason: '<b>the file</b> was never there' })).status).toBe(200)
  expect((await detail()).correction).toEqual(correction)
  expect((await list()).items[0]).toEqual(correction)
  const undone = causeCorrection.parse(await (await undo({ key: await world.key(['write']) })).json())
  expect(undone).toMatchObject({ id: correction.id, undone: { by: 'test' } })
  expect((await detail()).correction).toBeNull()
  expect((await list({ state: 'undone' })).items[0]).toEqual(undone)
  expect((await correct({ call: null }, { key: await world.key(['write']) })).status).toBe(201)
})

test('who only reads or sends corrects nothing', async () => {
  for (const how of [{ cookie: viewer }, { key: await world.key(['read', 'ingest']) }]) {
    expect((await correct({ call: null }, how)).status).toBe(403)
    expect((await undo(how)).status).toBe(403)
  }
  expect(await problem(correct({ call: null }, { cookie: viewer }))).toEqual([
    403,
    'Correcting causes requires the role operator in the project.',
  ])
  expect(
    (await correct({ call: null }, { cookie: operator, headers: { origin: 'http://elsewhere.test' } }))
      .status,
  ).toBe(403)
  expect((await correct({ call: null }, {})).status).toBe(401)
})

test('an execution of another project is not found, in the list neither', async () => {
  const other = await ensureProject(world.db.sql, { slug: 'other', name: 'Other' })
  const theirs = await take(other.id)
  expect((await correct({ call: null }, { cookie: operator }, theirs)).status).toBe(404)
  const key = await world.key(['write', 'read'], other)
  expect((await correct({ call: null }, { key }, theirs)).status).toBe(201)
  expect((await correct({ call: null }, { key })).status).toBe(404)
  expect((await undo({ key })).status).toBe(404)
  expect((await list()).items.map(({ executionId }) => executionId)).not.toContain(theirs)
  expect((await list({}, { key })).items.map(({ executionId }) => executionId)).toEqual([theirs])
  expect(
    (await ask(listRoute.GET, links.api.causeCorrections({ project: 'other' }), { cookie: viewer })).status,
  ).toBe(404)
})

test('bad input is refused with what was expected', async () => {
  expect(await problem(correct({ call: 'no-such' }))).toEqual([400, 'call: the execution has no such call.'])
  expect(
    await problem(correct({ call: null, reason: 'x'.repeat(limits.correctionReasonCharsMax + 1) })),
  ).toEqual([400, 'reason: at most 2000 characters'])
  for (const body of [{}, { call: '' }, { call: 7 }, { call: null, more: 1 }, { call: null, judged: null }])
    expect((await correct(body)).status, JSON.stringify(body)).toBe(400)
  expect((await correct({ call: null, reason: 'y'.repeat(limits.correctionReasonCharsMax) })).status).toBe(
    201,
  )
  expect((await undo({ cookie: operator }, { correction: 'no-id' })).status).toBe(400)
  for (const id of ['no-id', '019a0000-0000-7000-8000-000000000000'])
    expect(
      (await correct({ call: null }, { cookie: operator }, id).catch(() => ({ status: 404 }))).status,
    ).toBe(404)
  const bad = (q: string) => ask(listRoute.GET, `${links.api.causeCorrections()}?${q}`, { cookie: viewer })
  for (const q of ['state=all', 'limit=0', 'cursor=x']) expect((await bad(q)).status, q).toBe(400)
})

test('a cause that changed, a correction that stands and one that is not there are told apart', async () => {
  expect(await problem(correct({ call: null, judged: { rule: 'another', pointer: null } }))).toEqual([
    409,
    'The cause has changed since you looked, so your correction was not saved. Reload the execution and check it again.',
  ])
  expect(await problem(undo())).toEqual([404, 'This execution has no correction to undo.'])
  const { id } = causeCorrection.parse(await (await correct({ call: null })).json())
  expect(await problem(correct({ call: await firstCall() }))).toEqual([
    409,
    'Someone already corrected this cause. Undo that correction first.',
  ])
  expect((await undo()).status).toBe(200)
  expect((await undo({ cookie: operator }, { correction: id })).status).toBe(200)
  await correct({ call: await firstCall() })
  expect((await undo({ cookie: operator }, { correction: id })).status).toBe(409)
})

test('counts of each rule come with the first page', async () => {
  await correct({ call: null })
  const { rule } = (await detail()).cause!
  const first = await list({ limit: '1' })
  expect(first.rules!.find((one) => one.rule === rule)!.corrected).toBeGreaterThan(0)
  expect(first.nextCursor).not.toBeNull()
  expect((await list({ limit: '1', cursor: first.nextCursor })).rules).toBeNull()
})

test('active corrections are exported a line each, of the projects of the reader', async () => {
  const lines = async (
    project: string | null = null,
  ): Promise<{ file: string; correction: { execution: string } }[]> => {
    const answer = await ask(exportRoute.GET, links.api.causeCorrectionsExport(project), { cookie: viewer })
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('cause-corrections.jsonl')
    return (await answer.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }
  const call = await firstCall()
  await correct({ call, reason: 'two\nlines' })
  const other = await take(world.project.id)
  await correct({ call: null }, { cookie: operator }, other)
  const of = (id: string, all: Awaited<ReturnType<typeof lines>>) =>
    all.filter(({ correction }) => correction.execution === id)
  const all = await lines('default')
  expect(of(execution, all)).toMatchObject([
    {
      file: expect.stringMatching(/^claude-code\/.+\.jsonl$/),
      readings: [{ first_to_see: [call], why: 'two\nlines' }, {}],
    },
  ])
  expect(of(other, all)).toMatchObject([{ readings: [{ first_to_see: [], calls: {} }, {}] }])
  await undo()
  expect(of(execution, await lines())).toEqual([])
  const theirs = await ensureProject(world.db.sql, { slug: 'theirs', name: 'Theirs' })
  const key = await world.key(['read'], theirs)
  expect(await (await ask(exportRoute.GET, links.api.causeCorrectionsExport(), { key })).text()).toBe('')
})
