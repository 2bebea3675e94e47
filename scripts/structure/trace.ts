import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { ENTER, instrument } from './instrument'
import { isTestCode } from './layers'

const TRACED = /^(lib|db)\//
const NOT_TRACED = /^db\/(seed|embedded)\b/

/**
 * Remembers when each module was entered first; calls outside the ingest itself, such as migrations, are
 * not kept.
 */
const banner = `const moduleTrace = { isOn: false, entered: [], seen: new Set() }
globalThis.${ENTER} = (n) => {
  if (moduleTrace.isOn && !moduleTrace.seen.has(n)) { moduleTrace.seen.add(n); moduleTrace.entered.push(n) }
}`

/**
 * Takes a small transcript in, for real: `ingestBody` on a PostgreSQL of its own. The program is bundled
 * with a call at the start of every function of `lib` and `db`, and run in a process of its own.
 *
 * @returns the modules of `lib` and `db` of which a function ran, in the order in which each was first
 * entered
 */
export async function traceIngest(root: string): Promise<string[]> {
  // Below node_modules, because packages are looked for from where the bundle lies.
  const folder = join(root, 'node_modules/.cache', `inquest-structure-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const paths: string[] = []
    const outfile = join(folder, 'traced-ingest.mjs')
    await build({
      absWorkingDir: root,
      entryPoints: ['scripts/structure/traced-ingest.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      packages: 'external',
      alias: { '@': root },
      banner: { js: banner },
      logLevel: 'error',
      plugins: [numberModules(root, paths)],
    })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      cwd: root,
      maxBuffer: 16_000_000,
    })
    return (JSON.parse(stdout) as number[]).map((n) => paths[n]!)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Instruments each module of `lib` and `db`, and keeps what a module asks about its own place as true as
 * before it was bundled.
 */
const numberModules = (root: string, paths: string[]): Plugin => ({
  name: 'number-modules',
  setup({ onLoad }) {
    onLoad({ filter: /[.]ts$/ }, ({ path }) => {
      const name = relative(root, path).replaceAll('\\', '/')
      const source = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
      if (!TRACED.test(name) || NOT_TRACED.test(name) || isTestCode(name))
        return { contents: source, loader: 'ts' }
      return { contents: instrument(source, path, paths.push(name) - 1), loader: 'ts' }
    })
  },
})
