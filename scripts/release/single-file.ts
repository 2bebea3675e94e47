import { readFileSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'

/** What the whole package does and one file cannot: there are no pages in it. */
const withoutServer: Plugin = {
  name: 'without-server',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@\/server\/up$/ }, () => ({ path: 'up', namespace: 'without-server' }))
    onLoad({ filter: /.*/, namespace: 'without-server' }, () => ({
      contents: `export function runUp() {
        console.error('inquest: this file is the command line alone; the server is a folder of its own (docs/install.md).')
        process.exit(2)
      }`,
    }))
  },
}

const LOADS_BESIDE = 'var Module=typeof Module!="undefined"?Module:{};'

/** SQLite looks for its program in a file beside it; here it is in the same one. */
const sqliteInside: Plugin = {
  name: 'sqlite-inside',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node-sqlite3-wasm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes(LOADS_BESIDE))
        throw new Error('node-sqlite3-wasm loads its program in another way now')
      const inside = 'var Module={wasmBinary:require("./node-sqlite3-wasm.wasm")};'
      return { contents: text.replace(LOADS_BESIDE, inside), loader: 'js' }
    })
  },
}

/**
 * Bundles the command line into one file that needs nothing beside it. The same sources give the same bytes, wherever they lie.
 *
 * @returns the files that it was made from, below `root`
 */
export async function buildSingleFile(root: string, outfile: string, version: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['cli/inquest.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    tsconfig: 'tsconfig.json',
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: '#!/usr/bin/env node' },
    define: { INQUEST_VERSION: JSON.stringify(version) },
    loader: { '.wasm': 'binary' },
    plugins: [withoutServer, sqliteInside],
    metafile: true,
  })
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('without-server:'))
}
