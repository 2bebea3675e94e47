/**
 * Bundles the command line, because Node 20 runs no TypeScript. `dist/inquest.cjs` is the program: every verb in one file.
 * Beside it stand `hook.cjs`, the part of it that runs at every step of an agent (reading the whole program would cost
 * more than the hook may take), `redact.cjs`, which a hook loads only for a frame that may hold a secret, `record.cjs`, which stands in
 * front of other people's commands, `record-end.cjs`, which it loads when the command has ended, `record-patterns.cjs`, before it when a pattern may fail the run, `secret-rules.cjs`, which all of them load
 * only for a text that may hold a secret, `up.mjs`, the start of the server, `ingest-thread.mjs`, the threads of it that take bodies in, and `patch-thread.mjs`, the one that reads patches; their packages stay where they are. `receipt-file.js` and
 * `receipt-file.css` are what an exported file of receipts runs and looks by. Runs when the project is installed (`prepare`).
 *
 * CommonJS on purpose: there a module of Node's own is loaded when the code that needs it runs.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sourceDigest } from './source-digest.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Says which sources the files were built from. */
const STAMP = `${root}dist/sources`

/** Modules that ask where they are (migrations, the project's folder) get the answer of their source file. */
const ownAddress = {
  name: 'own-address',
  setup(build) {
    build.onLoad({ filter: /[\\/](?:server|db)[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.')) return undefined
      const address = `new URL(${JSON.stringify(`../${relative(root, path).split('\\').join('/')}`)}, import.meta.url)`
      return {
        loader: 'ts',
        contents: text
          .replaceAll('import.meta.url', `${address}.href`)
          .replaceAll(
            'import.meta.dirname',
            `(await import('node:path')).dirname((await import('node:url')).fileURLToPath(${address}))`,
          )
          .replaceAll('import.meta.filename', `(await import('node:url')).fileURLToPath(${address})`),
      }
    })
  },
}

/** Leaves a module in a file of its own that is loaded when it is asked for. */
const apart = (module, file) => ({
  name: `apart-${file}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${module}$`) }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${file}`, external: true },
    )
  },
})

/** The same for a file of CommonJS in a program that starts at once: `require` reads it once, `import` also for the names that it exports. */
const requiredApart = (module, file) => ({
  name: `required-${file}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${module}$`) }, () => ({
      path: file,
      namespace: 'required-apart',
    }))
    build.onResolve({ filter: /.*/, namespace: 'required-apart' }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /.*/, namespace: 'required-apart' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(`./${path}`)})`,
    }))
  },
})

/** More than all the rest of the command line together, and nearly nothing that goes through it needs them. */
const secretRules = '@secretlint/secretlint-rule-preset-recommend'

/** Written beside its place and moved into it, so that a program that starts meanwhile finds the old one or the new one. */
async function bundle(esbuild, entry, target, options) {
  const outfile = `${root}dist/${target}`
  const draft = outfile.replace(/(\.[a-z]+)$/, `.${process.pid}$1`)
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: draft,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    tsconfig: 'tsconfig.json',
    legalComments: 'none',
    logLevel: 'warning',
    ...options,
  })
  renameSync(draft, outfile)
}

const SOURCES = {
  folders: ['cli', 'components', 'db', 'lib', 'server'],
  files: ['package-lock.json', 'scripts/build-cli.mjs', 'scripts/source-digest.mjs', 'tsconfig.json'],
}

/**
 * Builds all files anew when they were made from other sources, as after a pull without an install: an old start would meet new pages. A
 * folder of a release has nothing to build from.
 */
export async function buildStaleCli() {
  if (!existsSync(`${root}cli`)) return
  const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
  if ((await sourceDigest(root, SOURCES)) !== built) await buildCli()
}

/** Builds all files. */
export async function buildCli() {
  const digest = await sourceDigest(root, SOURCES)
  const esbuild = await import('esbuild')
  // Some packages' `main` finds its own parts in a way that no bundler can follow; their `module` is plain.
  const small = { format: 'cjs', mainFields: ['module', 'main'], minifyWhitespace: true, minifySyntax: true }
  // What these load later is CommonJS: `import` would read it twice, once more for the names that it exports.
  const quick = { ...small, supported: { 'dynamic-import': false } }
  const rules = apart(secretRules, 'secret-rules.cjs')
  await bundle(esbuild, secretRules, 'secret-rules.cjs', small)
  await bundle(esbuild, 'cli/inquest.ts', 'inquest.cjs', {
    ...small,
    external: ['node-sqlite3-wasm'],
    plugins: [apart('@/server/up', 'up.mjs'), requiredApart(secretRules, 'secret-rules.cjs')],
  })
  await bundle(esbuild, 'cli/hook/main.ts', 'hook.cjs', {
    ...quick,
    plugins: [apart('@/lib/text/redaction/redact', 'redact.cjs')],
  })
  await bundle(esbuild, 'lib/text/redaction/redact.ts', 'redact.cjs', { ...quick, plugins: [rules] })
  await bundle(esbuild, 'cli/record/main.ts', 'record.cjs', {
    ...quick,
    plugins: [
      apart('@/cli/record/conclude', 'record-end.cjs'),
      apart('@/cli/record/check-patterns', 'record-patterns.cjs'),
    ],
  })
  await bundle(esbuild, 'cli/record/check-patterns.ts', 'record-patterns.cjs', quick)
  await bundle(esbuild, 'cli/record/conclude.ts', 'record-end.cjs', { ...quick, plugins: [rules] })
  const server = { format: 'esm', packages: 'external', plugins: [ownAddress], logLevel: 'error' }
  await bundle(esbuild, 'server/up.ts', 'up.mjs', server)
  await bundle(esbuild, 'db/threads/ingest-thread.ts', 'ingest-thread.mjs', server)
  await bundle(esbuild, 'db/threads/patch-thread.ts', 'patch-thread.mjs', server)
  // Every exported file carries them, with the notice of what is bundled in.
  const inBrowser = { platform: 'browser', target: 'es2022', minify: true, charset: 'ascii' }
  await bundle(esbuild, 'components/receipt-file/main.ts', 'receipt-file.js', {
    ...inBrowser,
    format: 'iife',
    legalComments: 'inline',
  })
  await bundle(esbuild, 'components/receipt-file/style.css', 'receipt-file.css', inBrowser)
  writeFileSync(STAMP, digest)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await buildCli()
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('esbuild')) throw error
    // Installed without development packages: `bin/inquest.cjs` says what to do when there is no bundle.
    console.error(
      'inquest: the command line was not bundled, because esbuild is not installed (npm ci without --omit=dev brings it).',
    )
  }
}
