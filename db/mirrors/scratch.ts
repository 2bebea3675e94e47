import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asked } from './ask-git'
import type { FoundMirror } from './find-mirror'
import type { GitCall } from './run-git'

const PREFIX = 'inquest-fit-'
/** No check takes that long: what is older was left by a process that was killed. */
const LEFT_MS = 10 * 60_000

/**
 * Makes a repository of our own that contains nothing and borrows the objects of a mirror, and removes it whatever becomes of the work: its configuration is
 * ours, and whatever git writes lands here.
 *
 * @param work gets what to ask git with
 * @param signal ends git's commands when it aborts
 * @throws NotDone when git cannot be asked
 */
export async function withScratch<T>(
  mirror: FoundMirror,
  work: (call: GitCall) => Promise<T>,
  signal: AbortSignal,
  base = tmpdir(),
): Promise<T> {
  const inMirror = { gitDir: mirror.gitDir, folder: tmpdir(), signal }
  const format = (await asked(['rev-parse', '--show-object-format'], inMirror)).out.trim()
  const top = await mkdtemp(join(base, PREFIX))
  try {
    const scratch = {
      gitDir: join(top, 'git'),
      index: join(top, 'index'),
      folder: join(top, 'empty'),
      signal,
    }
    await mkdir(join(scratch.gitDir, 'objects', 'info'), { recursive: true })
    await Promise.all([mkdir(join(scratch.gitDir, 'refs')), mkdir(scratch.folder)])
    await Promise.all([
      writeFile(join(scratch.gitDir, 'HEAD'), 'ref: refs/heads/none\n'),
      writeFile(
        join(scratch.gitDir, 'config'),
        format === 'sha256'
          ? '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n'
          : '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
      ),
      writeFile(join(scratch.gitDir, 'objects', 'info', 'alternates'), `${mirror.objects}\n`),
    ])
    return await work(scratch)
  } finally {
    await rm(top, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Removes what processes left behind that were killed in the middle of a check. */
export async function sweepScratch(base = tmpdir(), now = Date.now()): Promise<number> {
  const left = (await readdir(base).catch(() => []))
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(base, name))
  let removed = 0
  for (const path of left) {
    const made = await stat(path).catch(() => null)
    if (made === null || now - made.mtimeMs < LEFT_MS) continue
    await rm(path, { recursive: true, force: true }).catch(() => {})
    removed++
  }
  return removed
}
