import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'
import { type Loading, send } from './loading'

const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value, null, 2))
const lines = (records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

export const RUN_PATCH = `diff --git a/src/total.ts b/src/total.ts
index 1111111..2222222 100644
--- a/src/total.ts
+++ b/src/total.ts
@@ -1,3 +1,3 @@
 export function total(prices: number[]): number {
-  return prices.length
+  return prices.reduce((sum, price) => sum + price, 0)
 }
`
const KEY = 'ab'.repeat(32)

interface Task {
  id: string
  status: string
  attempts?: number
  error?: string
  cacheHit?: boolean
}

function record(id: string, status: string, tasks: readonly Task[]): FolderFile {
  const startedAt = `${id.slice(0, 10)}T${id.slice(11, 13)}:${id.slice(14, 16)}:${id.slice(17, 19)}.${id.slice(20, 23)}Z`
  const at = (ms: number): string => new Date(Date.parse(startedAt) + ms).toISOString()
  const written = tasks.map((task, i) => ({
    startedAt: at(i * 100),
    finishedAt: at(i * 100 + 80),
    durationMs: 80,
    attempts: 1,
    cacheKey: KEY,
    cacheHit: false,
    metadata: {},
    ...task,
  }))
  const ended = status === 'running' ? {} : { finishedAt: at(1_000) }
  return {
    path: 'execution.json',
    bytes: bytesOf({
      schemaVersion: 1,
      id,
      pipelineName: 'shop',
      jobId: 'verify',
      cwd: '/workspace/shop',
      pid: 7,
      startedAt,
      status,
      mode: 'ci',
      tasks: written,
      sources: {},
      ...ended,
    }),
  }
}

/**
 * Runs of a pipeline tool, written for this fixture: each way a task can end, and one whose agent proposed a
 * patch.
 */
export async function loadPipelines(loading: Loading): Promise<void> {
  const run = (n: number): string => `2026-11-1${n}T10-00-00-000Z-0000000${n}`
  const take = (id: string, files: FolderFile[]) =>
    send(loading, 'async-pipeline', bundleRun(id, files), { 'inquest-source': 'pipeline' })
  const failed: Task = {
    id: 'test',
    status: 'failed',
    attempts: 2,
    error: 'Command failed with exit code 3: npm test -- --token hunter2-hunter2',
  }
  const log: FolderFile = {
    path: 'logs/test.log',
    bytes: bytesOf(
      '[attempt 1] Command failed with exit code 3: npm test -- --token [redacted]\n[attempt 2] Command failed with exit code 3: npm test -- --token [redacted]\n',
    ),
  }
  const context: FolderFile = {
    path: 'context/test.json',
    bytes: bytesOf({
      task: 'test',
      reproduce: 'async-pipeline run-task test',
      command: 'npm test -- --token [redacted]',
      claims: ['total.sum'],
      inputDiff: { added: [], changed: ['src/total.ts'], removed: [] },
      logTail: 'boom',
    }),
  }
  await take(run(1), [
    record(run(1), 'passed', [
      { id: 'lint', status: 'passed' },
      { id: 'pack', status: 'cached', attempts: 0, cacheHit: true },
    ]),
  ])
  await take(run(2), [
    record(run(2), 'failed', [{ id: 'lint', status: 'passed' }, failed]),
    log,
    context,
    { path: 'summary.md', bytes: bytesOf('# Pipeline: shop\n') },
  ])
  await take(run(3), [record(run(3), 'running', [{ id: 'lint', status: 'passed' }])])
  await take(run(4), [
    record(run(4), 'failed', [{ id: 'slow', status: 'failed', error: 'Task "slow" timed out after 200ms.' }]),
  ])
  await take(run(5), [
    record(run(5), 'failed', [
      {
        id: 'nope',
        status: 'failed',
        attempts: 0,
        error: 'Unknown agent profile "nope". Known profiles: mock.',
      },
    ]),
  ])
  const exchange = lines([
    {
      type: 'request',
      at: '2026-11-16T10:00:00.000Z',
      profile: 'mock',
      model: 'mock-1',
      prompt: 'Mend the total',
    },
    { type: 'response', at: '2026-11-16T10:00:01.000Z', code: 0, timedOut: false, stdout: RUN_PATCH },
  ])
  await take(run(6), [
    record(run(6), 'failed', [failed, { id: 'propose', status: 'passed' }]),
    log,
    context,
    { path: 'agents/propose.prompt.txt', bytes: bytesOf('Mend the total') },
    { path: 'agents/propose.jsonl', bytes: bytesOf(exchange) },
    { path: 'fixes/test.patch', bytes: bytesOf(RUN_PATCH) },
    { path: `cache/tasks/${KEY}/outputs/fix.patch`, bytes: bytesOf(RUN_PATCH) },
  ])
}
