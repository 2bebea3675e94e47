import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startText } from '@/lib/words/server/start'
import { sourceDigest } from '../scripts/source-digest.mjs'
import { waitForLock } from './lock'
import { StartProblem } from './settings'
import { showProgress } from './show-progress'

const FOLDERS = ['app', 'components', 'db', 'lib', 'public']
const FILES = [
  'instrumentation.ts',
  'next.config.mjs',
  'package-lock.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

/** Digest of everything the pages are built from. */
export const pagesDigest = (root: string): Promise<string> =>
  sourceDigest(root, { folders: FOLDERS, files: FILES })

/** Who hears of the build: `say` lines of the log, `doing` what is being done now. */
interface Hearing {
  say: (line: string) => void
  doing: (words: string) => void
}

/** Builds the pages when there is no build, or it was made from other sources. */
export async function ensureBuild(root: string, { say, doing }: Hearing, signal: AbortSignal): Promise<void> {
  // A folder of a release has the pages, and nothing to make them from.
  if (!existsSync(path.join(root, 'app')) && existsSync(path.join(root, '.next', 'BUILD_ID'))) return
  const stamp = path.join(root, '.next', 'inquest-sources')
  const digest = await pagesDigest(root)
  const isFresh = async (): Promise<boolean> =>
    existsSync(path.join(root, '.next', 'BUILD_ID')) &&
    (await readFile(stamp, 'utf8').catch(() => '')) === digest
  if (await isFresh()) return
  doing('building the pages')
  const unlock = await waitForLock(path.join(root, '.next', 'inquest-build.lock'), (pid) =>
    say(startText.otherBuild({ pid })),
  )
  try {
    if (await isFresh()) return
    say(startText.building)
    const started = Date.now()
    while (!(await build(root, doing, signal))) await new Promise((resolve) => setTimeout(resolve, 1000))
    say(startText.built({ seconds: (Date.now() - started) / 1000 }))
    await writeFile(stamp, digest)
  } finally {
    await unlock()
  }
}

/** What the build says when it comes to its next stage, in its order, and our words for it. */
const STAGES: [RegExp, string][] = [
  [/Creating an optimized production build/, 'compiling'],
  [/Running TypeScript|Linting and checking/, 'checking types'],
  [/Collecting page data/, 'collecting the pages'],
  [/Generating static pages/, startText.makingFixedPages],
  [/Finalizing page optimization|Collecting build traces/, 'finishing'],
]

/** @returns false when someone else builds in the same folder by hand: then it is their turn first */
async function build(root: string, doing: Hearing['doing'], signal: AbortSignal): Promise<boolean> {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as NodeJS.ProcessEnv
  // The build asks no database; should it try to, it must not reach a real one.
  for (const name of ['DATABASE_URL', 'DATABASE_URL_DIRECT', 'PORT', 'HOST']) delete env[name]
  const child = spawn(
    process.execPath,
    [path.join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
    {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    },
  )
  let output = ''
  const progress = showProgress('building the pages')
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      const printed = chunk.toString()
      output = (output + printed).slice(-20_000)
      const stage = STAGES.findLast(([sign]) => sign.test(printed))
      if (!stage) return
      progress.stage(stage[1])
      doing(`building the pages: ${stage[1]}`)
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  }).finally(() => progress.end())
  if (code === 0) return true
  if (output.includes('Another next build process is already running')) return false
  throw new StartProblem(startText.buildFailed({ code, output }))
}
