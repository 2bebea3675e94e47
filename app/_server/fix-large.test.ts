import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as ofExecution from '@/app/api/v1/executions/[id]/fixes/route'
import * as filesRoute from '@/app/api/v1/fixes/[id]/files/route'
import * as patchRoute from '@/app/api/v1/fixes/[id]/patch/route'
import * as fixRoute from '@/app/api/v1/fixes/[id]/route'
import { Transcript } from '@/db/seed/transcript'
import { createPatchReader } from '@/db/threads/patch-reader'
import { ingestBody } from '@/db/writes/ingest'
import { fixDetail, fixFile, fixItem, proposedFix } from '@/lib/api/fix-schemas'
import { page, problemDocument } from '@/lib/api/schemas'
import { readFileRows } from '@/lib/views/fixes/diff-rows'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { ask, type Ask, openWorld, type World } from './test-support'
import type { FixItem } from '@/lib/model/fix'

const SHARED = Symbol.for('inquest.threads')

/** Large patches, and bodies that are none. */
const MB = 1_000_000
let world: World
let key: string
let execution: string
let serial = 0
const folder = mkdtempSync(path.join(tmpdir(), 'inquest-large-'))
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read', 'ingest', 'write'])
  await nextExecution()
})
afterEach(() => nextExecution())
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await world.close()
})

async function nextExecution(): Promise<void> {
  const sessionId = `0a0a0a0a-0000-4000-8000-0000000d${String((serial += 1)).padStart(4, '0')}`
  const { text } = new Transcript({ sessionId })
    .user('go')
    .call('Bash', { command: `make ${serial}` }, { fails: 'Exit code 2' })
  execution = (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
}

const LINE = '+const value = compute(input, "some text of a line");\n'
/** A patch of files of a megabyte each. */
function largePatch(bytes: number, name: string): Uint8Array<ArrayBuffer> {
  const lines = Math.floor(MB / LINE.length)
  const file = (n: number): Buffer =>
    Buffer.from(
      `diff --git a/${name}/${n} b/${name}/${n}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}/${n}\n@@ -0,0 +1,${lines} @@\n${LINE.repeat(lines)}`,
    )
  return Buffer.concat(
    Array.from({ length: Math.ceil(bytes / MB) }, (_, n) => file(n)),
  ) as Uint8Array<ArrayBuffer>
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const propose = (body: BodyInit, how: Ask = {}): Promise<Response> =>
  ask(ofExecution.POST, links.api.executionFixes(execution), {
    method: 'POST',
    key,
    params: { id: execution },
    body,
    ...how,
  })
const proposed = async (answer: Response): Promise<FixItem> => proposedFix.parse(await answer.json()).fix
const fixes = async (): Promise<FixItem[]> =>
  page(fixItem).parse(
    await (
      await ask(ofExecution.GET, links.api.executionFixes(execution), { key, params: { id: execution } })
    ).json(),
  ).items
const stored = async (): Promise<number> =>
  (await world.db.sql<{ n: number }[]>`select count(*)::int as n from patches`)[0]!.n
const download = async (id: string): Promise<string> => {
  const hash = createHash('sha256')
  const response = await ask(patchRoute.GET, links.api.ofFix(id, 'patch'), { key, params: { id } })
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex')
}
/** A body that comes piece by piece, without a length; it breaks off after so many bytes. */
function streamed(bytes: number, { breaks = false } = {}): ReadableStream<Uint8Array> {
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return breaks ? controller.error(new Error('the client went away')) : controller.close()
      const piece = Math.min(left, 65_536)
      left -= piece
      controller.enqueue(new Uint8Array(piece).fill(0x78))
    },
  })
}

test('a patch of 50 MB is taken to the byte and read aside: other requests are answered meanwhile', async () => {
  // The thread hangs, as on a patch that takes long, until other requests were answered.
  const [begun, gate] = [path.join(folder, 'begun'), path.join(folder, 'gate')]
  const script = path.join(folder, 'hangs.mjs')
  const thread = pathToFileURL(path.resolve(import.meta.dirname, '../../dist/patch-thread.mjs')).href
  writeFileSync(
    script,
    `import { existsSync, writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(begun)}, '')\nwhile (!existsSync(${JSON.stringify(gate)}));\nawait import(${JSON.stringify(thread)})\n`,
  )
  const reader = createPatchReader({ url: world.db.url, script, limitMs: 300_000 })
  Object.assign(globalThis, { [SHARED]: { patches: reader } })
  try {
    const bytes = largePatch(50 * MB, 'large')
    const digest = sha256(bytes)
    let isAnswered = false
    const posting = propose(bytes).finally(() => (isAnswered = true))
    while (!existsSync(begun) && !isAnswered) await fixes()
    const meanwhile = await fixes()
    expect([isAnswered, meanwhile.map(({ sha256: told, reading }) => [told, reading.verdict])]).toEqual([
      false,
      [[digest, 'unknown']],
    ])
    expect(
      (await ask(fixRoute.GET, links.api.fix(meanwhile[0]!.id), { key, params: { id: meanwhile[0]!.id } }))
        .status,
    ).toBe(200)
    expect(isAnswered).toBe(false)
    writeFileSync(gate, '')
    const answer = await posting
    const fix = await proposed(answer)
    expect([answer.status, fix.sha256, fix.size, fix.reading.verdict, fix.reading.files]).toEqual([
      201,
      digest,
      bytes.length,
      'ok',
      50,
    ])
    expect(await download(fix.id)).toBe(digest)
    const detail = fixDetail.parse(
      await (await ask(fixRoute.GET, links.api.fix(fix.id), { key, params: { id: fix.id } })).json(),
    )
    expect([detail.files.length, detail.reading.additions, detail.secretLines]).toEqual([
      50,
      50 * Math.floor(MB / LINE.length),
      [],
    ])
    const files = page(fixFile).parse(
      await (
        await ask(filesRoute.GET, links.api.ofFix(fix.id, 'files'), { key, params: { id: fix.id } })
      ).json(),
    ).items
    const last = files.at(-1)!
    const part = await ask(
      patchRoute.GET,
      links.api.ofFix(fix.id, 'patch', { start: String(last.byteStart), end: String(last.byteEnd) }),
      { key, params: { id: fix.id } },
    )
    expect(readFileRows(new Uint8Array(await part.arrayBuffer()), last.line).hunks[0]!.rows.length).toBe(
      last.additions,
    )
  } finally {
    writeFileSync(gate, '')
    Object.assign(globalThis, { [SHARED]: undefined })
    await reader.close()
  }
})

test('two of 20 MB at once are both taken', async () => {
  const both = [largePatch(20 * MB, 'one'), largePatch(20 * MB, 'two')]
  const answers = await Promise.all(both.map((bytes) => propose(bytes)))
  const taken = await Promise.all(answers.map(proposed))
  expect(taken.map((fix) => [fix.sha256, fix.reading.files])).toEqual(
    both.map((bytes) => [sha256(bytes), 20]),
  )
  expect(await Promise.all(taken.map(({ id }) => download(id)))).toEqual(both.map(sha256))
})

describe('of what is no patch nothing is stored:', () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
  const cases: [string, () => BodyInit, Ask, number, string][] = [
    [
      'one byte too many, announced',
      () => 'x',
      { headers: { 'content-length': String(limits.patchBytesMax + 1) } },
      413,
      'too-large',
    ],
    [
      'one byte too many, that nobody announced',
      () => streamed(limits.patchBytesMax + 1),
      {},
      413,
      'too-large',
    ],
    [
      'one byte too many in a form',
      () => {
        const form = new FormData()
        form.set('patch', new Blob([new Uint8Array(limits.patchBytesMax + 1)]), 'fix.patch')
        return form
      },
      {},
      413,
      'too-large',
    ],
    [
      'a client that goes away in the middle',
      () => streamed(5 * MB, { breaks: true }),
      {},
      400,
      'bad-request',
    ],
    [
      'a client that sends less than it said',
      () => streamed(5 * MB),
      { headers: { 'content-length': String(6 * MB) } },
      400,
      'bad-request',
    ],
    [
      'a form that breaks off',
      () => '--x\r\ncontent-disposition: form-data; name="patch"; filename="p"\r\n\r\n--- a/f\n',
      { headers: multipart },
      400,
      'bad-request',
    ],
    [
      'a form without a boundary',
      () => 'x',
      { headers: { 'content-type': 'multipart/form-data' } },
      400,
      'bad-request',
    ],
    [
      'another kind of form',
      () => '--x\r\n\r\n--- a/f\n\r\n--x--\r\n',
      { headers: { 'content-type': 'multipart/mixed; boundary=x' } },
      400,
      'bad-request',
    ],
    [
      'JSON',
      () => '{}',
      { headers: { 'content-type': 'application/json; charset=utf-8' } },
      400,
      'bad-request',
    ],
    [
      'JSON by another name',
      () => '{}',
      { headers: { 'content-type': 'application/vnd.api+json' } },
      400,
      'bad-request',
    ],
    [
      'a coding that nobody knows',
      () => 'x',
      { headers: { 'content-encoding': 'rot13' } },
      400,
      'bad-encoding',
    ],
    ['a coding that it is not', () => 'x', { headers: { 'content-encoding': 'gzip' } }, 400, 'bad-encoding'],
  ]
  test.each(cases)('%s', async (_what, body, how, status, slug) => {
    const before = await stored()
    const answer = await propose(body(), how)
    expect([answer.status, problemDocument.parse(await answer.json()).type]).toEqual([
      status,
      `/problems/${slug}`,
    ])
    expect([await fixes(), await stored()]).toEqual([[], before])
  })
})

test('a patch of just the size that is allowed is taken, whatever kind of text it is called', async () => {
  const answer = await propose(streamed(limits.patchBytesMax), { headers: { 'content-type': 'text/x-diff' } })
  expect(await proposed(answer)).toMatchObject({ size: limits.patchBytesMax, reading: { verdict: 'error' } })
})
