import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Bundles that the steps of the action may start; the server's are not among them. */
const isOfAction = (file: string): boolean => file.endsWith('.cjs')

/** Whole packages that the bundles load at run time. */
const PACKAGES = ['node-sqlite3-wasm']

/** The action as a folder that runs from its own checkout: built, so that its first step has nothing to install. */
export function writeActionFolder(root: string, folder: string, version: string): void {
  const take = (path: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path), { recursive: true })
  }
  for (const path of ['action.yml', 'LICENSE', 'bin/inquest.cjs']) take(path)
  for (const file of readdirSync(join(root, 'dist')).filter(isOfAction)) take(`dist/${file}`)
  for (const name of PACKAGES) take(`node_modules/${name}`)
  writeFileSync(join(folder, 'package.json'), manifestOf('inquest-action', version))
}

/** Nobody can publish a folder of a release by mistake: it is private. */
export const manifestOf = (name: string, version: string): string =>
  `${JSON.stringify({ name, version, private: true, type: 'module', engines: { node: '>=20.19' } }, null, 2)}\n`
