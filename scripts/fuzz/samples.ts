import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DECIDED_FAILURES } from '@/db/seed/decided-failures'
import { sessionLogRoot } from '@/db/seed/session-logs'
import { Transcript } from '@/db/seed/transcript'
import { CART_PATCH } from '@/e2e/support/fixes'
import { python } from '@/e2e/support/noetl/python-dialect'
import { rust } from '@/e2e/support/noetl/rust-dialect'
import { seedRuns } from '@/e2e/support/noetl/seed'
import { detectFormat } from '@/lib/formats/detect'
import { recordedRun } from '@/lib/sample/recorded-run'
import { sampleReceipts } from '@/lib/sample/receipts'
import { brokenLines, changedEdit, pipelineRun, repeatedPayments } from '../golden/sources/own-inputs'
import { INGEST_KINDS, type IngestKind } from '@/lib/model/ingest-kinds'

export type Samples = Record<IngestKind, Uint8Array[]> & { patch: Uint8Array[]; receipt: Uint8Array[] }

/** Larger ones would spend the time on their size and not on their shapes. */
const BYTES_MAX = 96 * 1024
const SHARED_OF_A_KIND_MAX = 24
const HEAD_BYTES = 64 * 1024

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const frame = (name: string, rest: object): string =>
  JSON.stringify({ session_id: 'fuzz-session', hook_event_name: name, cwd: '/srv/shop', ...rest })

/**
 * Bodies to be mutated, by the importer that reads them: the project's own seeds, and where they lie beside the
 * repository, recorded ones of others.
 */
export async function readSamples(
  sharedFolder = resolve(import.meta.dirname, '../../../shared'),
): Promise<Samples> {
  const runs = Object.values(DECIDED_FAILURES).map((run, i) => recordedRun({ id: `fuzz-run-${i}`, ...run }))
  const payments = (await repeatedPayments()).texts
  const samples: Samples = {
    'claude-transcript': [transcript(), brokenLines(), changedEdit()].map(bytesOf),
    'claude-stream': runs.flatMap(({ stream }) => (stream === null ? [] : [bytesOf(stream)])),
    record: runs.map(({ record }) => bytesOf(record)),
    'claude-hook': [
      frame('PostToolUseFailure', {
        tool_name: 'Edit',
        tool_input: { file_path: '/srv/a.ts' },
        error: 'not found',
      }),
      frame('PostToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'make' },
        tool_response: { stdout: 'ok' },
      }),
      frame('Stop', { transcript_path: '/home/dev/.claude/projects/a.jsonl' }),
    ].map(bytesOf),
    autoskillit: [...sessionLogRoot({ runs: 4 }).files.values()].map(bytesOf),
    receipts: [...(await sampleReceipts()).chains.map(({ text }) => text), payments.join('\n')].map(bytesOf),
    noetl: seedRuns().flatMap((run) =>
      [python, rust].map((dialect) =>
        bytesOf(
          dialect.one('detail', run, {
            runs: [run],
            query: new URLSearchParams('page_size=500'),
            losses: {},
          })!.body,
        ),
      ),
    ),
    'async-pipeline': pipelineRun().map(({ bytes }) => bytes),
    patch: [bytesOf(CART_PATCH)],
    receipt: payments.map(bytesOf),
  }
  for (const [kind, bytes] of sharedBodies(join(sharedFolder, 'samples')))
    if (samples[kind].length < SHARED_OF_A_KIND_MAX) samples[kind].push(bytes)
  for (const kind of INGEST_KINDS) samples[kind] = samples[kind].filter(({ length }) => length <= BYTES_MAX)
  return samples
}

const transcript = (): string =>
  new Transcript({ sessionId: 'f022f022-0000-4000-8000-000000000001' })
    .user('Make the tests pass.')
    .call('Bash', { command: 'npm test' }, { fails: 'Exit code 1\nAssertionError: expected 1 to be 2' })
    .apiError('Overloaded', 529)
    .interrupted().text

function* sharedBodies(folder: string): Generator<[IngestKind, Uint8Array]> {
  if (!existsSync(folder)) return
  const files = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  for (const file of files) {
    if (statSync(file).size > BYTES_MAX) continue
    const bytes = new Uint8Array(readFileSync(file))
    const found = detectFormat({ head: bytes.subarray(0, HEAD_BYTES), fileName: file.split('/').at(-1)! })
    if (found.status === 'supported') yield [found.kind, bytes]
  }
}
