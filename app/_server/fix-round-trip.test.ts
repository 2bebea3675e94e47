import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as proposing from '@/app/api/v1/executions/[id]/fixes/route'
import * as downloading from '@/app/api/v1/fixes/[id]/patch/route'
import { Transcript } from '@/db/seed/transcript'
import { ingestBody } from '@/db/writes/ingest'
import { proposedFix } from '@/lib/api/fix-schemas'
import { links } from '@/lib/links'
import { bytesOf } from '@/lib/judge/patches/bytes'
import type { Tree } from '@/lib/judge/patches/tree'
import { readRecord } from '../../scripts/conformance/suites/patch-records'
import { ask, openWorld, type World } from './test-support'

/** Every recorded patch through the routes, and what comes out of them through git itself. */
const corpus = join(import.meta.dirname, '../../../shared/conformance/patches')
const { records } = JSON.parse(readFileSync(join(corpus, 'manifest.json'), 'utf8')) as {
  records: { id: string; file: string }[]
}

let world: World
let key: string
let execution: string
let scratch: string
beforeAll(async () => {
  world = await openWorld()
  key = await world.key(['read', 'ingest', 'write'])
  const { text } = new Transcript({ sessionId: '0a0a0a0a-0000-4000-8000-0000000000c1' })
    .user('go')
    .call('Bash', { command: 'make' }, { fails: 'Exit code 2' })
  execution = (
    await ingestBody(world.db, {
      projectId: world.project.id,
      source: null,
      kind: 'claude-transcript',
      bytes: Buffer.from(text),
    })
  ).executions[0]!.id
  scratch = mkdtempSync(join(tmpdir(), 'inquest-round-trip-'))
})
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true })
  await world.close()
})

/** Proposes the bytes and downloads them again. */
async function there(
  id: string,
  bytes: Uint8Array,
): Promise<{ downloaded: Uint8Array; verdict: string; files: number; headers: Headers }> {
  const sent = await ask(proposing.POST, links.api.executionFixes(execution, { task: id }), {
    method: 'POST',
    key,
    params: { id: execution },
    body: bytes as Uint8Array<ArrayBuffer>,
  })
  if (sent.status !== 201) throw new Error(`${sent.status} ${await sent.text()}`)
  const { fix } = proposedFix.parse(await sent.json())
  const response = await ask(downloading.GET, links.api.ofFix(fix.id, 'patch'), {
    key,
    params: { id: fix.id },
  })
  return {
    downloaded: new Uint8Array(await response.arrayBuffer()),
    verdict: fix.reading.verdict,
    files: fix.reading.files,
    headers: response.headers,
  }
}

const git = (repository: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'core.attributesFile=/dev/null', '-c', 'core.autocrlf=false', ...args], {
    cwd: repository,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, HOME: repository, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' },
  }).trim()

/** A repository with the files that the patch was made for. */
function repositoryWith(id: string, tree: Tree): string {
  const repository = join(scratch, id)
  mkdirSync(repository)
  git(repository, 'init', '-q')
  // Attributes of the recorded files are data here, as they were when the records were made.
  writeFileSync(
    join(repository, '.git/info/attributes'),
    '* -text -eol -ident -filter -working-tree-encoding\n',
  )
  for (const [name, { mode, content, commit }] of tree) {
    const path = Buffer.concat([Buffer.from(`${repository}/`), bytesOf(name)])
    const slash = path.lastIndexOf('/')
    mkdirSync(path.subarray(0, slash), { recursive: true })
    if (mode === 0o160000) {
      mkdirSync(path, { recursive: true })
      git(
        repository,
        'update-index',
        '--add',
        '--cacheinfo',
        `160000,${commit},${Buffer.from(bytesOf(name)).toString('utf8')}`,
      )
    } else if (mode === 0o120000) symlinkSync(Buffer.from(content), path)
    else {
      writeFileSync(path, content)
      chmodSync(path, mode === 0o100755 ? 0o755 : 0o644)
    }
  }
  git(repository, 'add', '-A', '-f')
  return repository
}

describe('every recorded patch', () => {
  expect(records.length).toBeGreaterThan(200)

  test.each(records)(
    '$id comes out as it went in, and git makes of it what it made of the original',
    async ({ id, file }) => {
      const { record, bytes, tree } = readRecord(corpus, file)
      if (bytes.length === 0) return void (await expect(there(id, bytes)).rejects.toThrow(/400.*is empty/))
      const { downloaded, verdict, files, headers } = await there(id, bytes)
      expect(createHash('sha256').update(downloaded).digest('hex')).toBe(record.patch.sha256)
      // What git cannot read with a leading folder taken off may be meant to be read without: then git reads it so.
      const asMade = record.expected.parse === 'error' && verdict === 'ok'
      writeFileSync(join(scratch, `${id}.patch`), downloaded)
      const paths = asMade
        ? git(scratch, 'apply', '--numstat', '-p0', join(scratch, `${id}.patch`)).split('\n').length
        : (record.gitNumstatCount ?? record.gitNumstat?.length)
      expect([verdict, files, headers.get('etag'), headers.get('content-length')]).toEqual([
        asMade ? 'ok' : record.expected.parse,
        verdict === 'ok' ? paths : 0,
        `"${record.patch.sha256}"`,
        String(bytes.length),
      ])
      const postTree = (record.git as { postTree?: string | null }).postTree
      if (tree === null || !postTree || record.expected.applies !== true) return
      const repository = repositoryWith(id, tree)
      git(repository, 'apply', '--index', '--whitespace=nowarn', join(scratch, `${id}.patch`))
      expect(git(repository, 'write-tree')).toBe(postTree)
    },
    60_000,
  )
})
