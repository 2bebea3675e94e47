import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { bundleRun, type FolderFile } from '@/lib/formats/async-pipeline/bundle'

/** The recorded `.async` folder. */
export const recordedAsync = join(process.cwd(), '../shared/conformance/run-records/dot-async')
export const SAMPLE_SECRET = 'sample-secret-value-1234'

function filesBelow(folder: string, root = folder): FolderFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((entry) => {
      const path = join(folder, entry)
      return statSync(path).isDirectory()
        ? filesBelow(path, root)
        : [{ path: relative(root, path).split('\\').join('/'), bytes: readFileSync(path) }]
    })
}

export const recordedRuns = (): string[] => readdirSync(join(recordedAsync, 'runs')).sort()
export const filesOfRun = (run: string): FolderFile[] => filesBelow(join(recordedAsync, 'runs', run))
export const bundleOf = (run: string): Uint8Array => bundleRun(run, filesOfRun(run))

/** What the tasks of a run left in the cache. */
export function outputsOfRun(run: string): FolderFile[] {
  const record = JSON.parse(readFileSync(join(recordedAsync, 'runs', run, 'execution.json'), 'utf8')) as {
    tasks: { cacheKey: string }[]
  }
  return record.tasks.flatMap(({ cacheKey }) =>
    filesBelow(join(recordedAsync, 'cache', 'tasks', cacheKey))
      .filter(({ path }) => path.startsWith('outputs'))
      .map((file) => ({ ...file, path: `cache/tasks/${cacheKey}/${file.path}` })),
  )
}
