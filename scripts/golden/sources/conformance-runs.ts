import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleOf, filesOfRun, outputsOfRun, recordedAsync, recordedRuns } from '@/db/testing/recorded-runs'
import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'
import { concludeBodies, type Body } from './ingest'
import { hasShared, type Source } from './source'

/** Digests of the tasks of a run, by which the cache keeps what they left. */
function cacheKeysOf(run: string): string[] {
  const record = filesOfRun(run).find(({ path }) => path === 'execution.json')!
  return (
    JSON.parse(new TextDecoder().decode(record.bytes)) as { tasks: { cacheKey?: string }[] }
  ).tasks.flatMap(({ cacheKey }) => cacheKey ?? [])
}

/** What the tasks of a run left. A lossy patch was recorded beside the cache. */
function leftBy(run: string): FolderFile[] {
  const keys = cacheKeysOf(run)
  if (keys.length > 0 && keys.every((key) => existsSync(join(recordedAsync, 'cache/tasks', key))))
    return outputsOfRun(run)
  if (!filesOfRun(run).some(({ path }) => path.includes('propose-lossy'))) return []
  return [
    {
      path: `cache/tasks/${keys[0]}/outputs/lossy.patch`,
      bytes: new Uint8Array(readFileSync(join(recordedAsync, '../outputs/lossy.patch'))),
    },
  ]
}

/**
 * The recorded runs of a pipeline in one project, since they are attempts of the same jobs, and then what
 * their tasks left.
 */
const recorded: Source = {
  name: 'conformance/run-records',
  conclude(db) {
    const kind = 'async-pipeline'
    const runs = recordedRuns()
    const outputs = runs.map((run) => ({ run, files: leftBy(run) })).filter(({ files }) => files.length > 0)
    const bodies: Body[] = [
      ...runs.map((run): Body => ({ name: run, kind, fileName: null, bytes: bundleOf(run) })),
      ...outputs.map(
        ({ run, files }): Body => ({
          name: `${run}, outputs`,
          kind,
          fileName: null,
          bytes: bundleRun(run, files),
        }),
      ),
    ]
    return concludeBodies(db, this.name, bodies, { checks: true })
  },
}

export const runSources: readonly Source[] = hasShared ? [recorded] : []
