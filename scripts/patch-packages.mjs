/**
 * Applies `patches/NAME@VERSION.patch` to the installed packages, for repairs that their makers have not released yet. Runs when the project
 * is installed (`prepare`), before anything is bundled. A package of another version, or a patch that fits no more, ends the installation:
 * look whether the release holds the repair, then make the patch anew or delete it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyPatch, parsePatch, reversePatch } from 'diff'

const root = fileURLToPath(new URL('..', import.meta.url))

for (const name of readdirSync(join(root, 'patches'))) {
  const [, of, version] = /^(.+)@([^@]+)\.patch$/.exec(name) ?? []
  if (of === undefined) continue
  const folder = join(root, 'node_modules', of)
  const installed = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  if (installed !== version)
    throw new Error(`patches/${name} is for version ${version}, but ${installed} is installed`)
  for (const patch of parsePatch(readFileSync(join(root, 'patches', name), 'utf8'))) {
    // The first two parts are `b/` and the name of the package.
    const file = join(folder, ...patch.newFileName.split('/').slice(2))
    const text = readFileSync(file, 'utf8')
    if (applyPatch(text, reversePatch(patch)) !== false) continue
    const patched = applyPatch(text, patch)
    if (patched === false) throw new Error(`patches/${name} does not fit ${file}`)
    writeFileSync(file, patched)
  }
}
