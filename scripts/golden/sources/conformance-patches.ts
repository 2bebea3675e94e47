import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFix } from '@/lib/judge/fixes/read-fix'
import { readFlags } from '@/lib/judge/patches/read-flags'
import { readPatch } from '@/lib/judge/patches/read-patch'
import { FLAGS, weightOf } from '@/lib/model/flags'
import { NOTHING_KNOWN } from '@/lib/judge/patches/signals'
import { createSha256 } from '@/lib/bytes/sha256'
import { applyPatch } from '../../conformance/reference/apply-patch'
import { readRecord } from '../../conformance/suites/patch-records'
import { noConclusions, type Conclusions } from '../product-rows'
import { hasShared, sharedFolder, type Source } from './source'

const folder = join(sharedFolder, 'conformance/patches')

interface Listed {
  id: string
  file: string
}

const listed = (): Listed[] =>
  (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { records: Listed[] }).records

/** A patch as a fix is read, and where the files before it are known also as it would be applied to them. */
async function addPatch(found: Conclusions, { file }: Listed): Promise<void> {
  const { bytes, tree } = readRecord(folder, file)
  const patch = readPatch(bytes)
  const applied = tree === null ? null : applyPatch(bytes, patch, tree)
  const { summary, flags } = await readFix(bytes, NOTHING_KNOWN)
  const { files, hunks, additions, deletions, verdict, safe } = summary
  const of = [file]
  found.patch.push({
    of,
    sha256: sha256(bytes),
    verdict,
    problemLine: patch.problem?.line ?? null,
    safe,
    applies: applied?.applies ?? null,
    files,
    hunks,
    additions,
    deletions,
    origin: null,
    state: null,
    evidence: null,
  })
  found.flag.push(...flags.slice(0, FLAGS_MAX).map((flag) => ({ of, ...flag })))
  if (tree === null) return
  const withBase = readFlags(bytes, patch, { base: { tree, applied: applied?.sections ?? [] } }).slice(
    0,
    FLAGS_MAX,
  )
  const base = [...of, 'with its base']
  found.flag.push(
    ...withBase.map((flag) => ({
      of: base,
      ...flag,
      family: FLAGS[flag.code].family,
      weight: weightOf(flag),
    })),
  )
}

/** One patch changes twenty thousand files, with a flag or two each. */
const FLAGS_MAX = 200

function sha256(bytes: Uint8Array): string {
  const hash = createSha256()
  hash.update(bytes)
  return hash.hex()
}

/** A source for each folder of the corpus: its patches are many and small. */
export const patchSources: readonly Source[] = hasShared
  ? ['fixtures', 'hostile', 'real'].map((group) => ({
      name: `conformance/patches/${group}`,
      conclude: async () => {
        const found = noConclusions()
        for (const one of listed()) if (one.file.startsWith(`${group}/`)) await addPatch(found, one)
        return found
      },
    }))
  : []
