import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBuild } from '../server/build'
import { buildCli } from './build-cli.mjs'
import { writeActionFolder } from './release/action-folder'
import { packFolder, writeChecksums } from './release/archive'
import { releaseNotes } from './release/release-notes'
import { writeSbom } from './release/sbom'
import { writeServerFolder } from './release/server-folder'
import { buildSingleFile } from './release/single-file'
import { readSourceState, whyNoRelease } from './release/source-state'

/**
 * `npm run release -- [--dry-run] [--out FOLDER]`: what people install of a version, in one folder. Nothing is uploaded. Without
 * `--dry-run` the commit must have the tag of its version. See docs/install.md.
 */
const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    out: { type: 'string' },
  },
})
const root = resolve(import.meta.dirname, '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const dryRun = values['dry-run']
const out = resolve(values.out ?? join(root, 'release', version))

function refuse(why: string): never {
  console.error(`release: ${why}`)
  process.exit(1)
}

const source = readSourceState(root)
const why = whyNoRelease(source, version)
if (why !== null && !dryRun) refuse(`${why}. Use --dry-run to build without it.`)
const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, dryRun)
if (notes === null) refuse(`CHANGELOG.md has no section for ${version}.`)
mkdirSync(out, { recursive: true })
if (readdirSync(out).length > 0) refuse(`${out} is not empty.`)

const say = (line: string): void => console.log(`release: ${line}`)
await buildCli()
await ensureBuild(root, { say, doing: () => {} }, new AbortController().signal)

const cli = `inquest-${version}.cjs`
await buildSingleFile(root, join(out, cli), version)
chmodSync(join(out, cli), 0o755)
writeActionFolder(root, join(out, `inquest-action-${version}`), version)
const platform = `${process.platform}-${process.arch}`
await writeServerFolder(root, join(out, `inquest-server-${version}-${platform}`), version)
for (const name of readdirSync(out).filter((one) => /^inquest-(?:action|server)-/.test(one)))
  packFolder(out, name, source.epoch)
writeFileSync(join(out, 'RELEASE-NOTES.md'), notes)
writeFileSync(join(out, `inquest-${version}.cdx.json`), writeSbom(root, source))
for (const line of await writeChecksums(out)) say(line)
say(`${dryRun ? 'dry run of ' : ''}version ${version}, commit ${source.commit}, in ${out}`)
if (why !== null) say(`not a release: ${why}`)
