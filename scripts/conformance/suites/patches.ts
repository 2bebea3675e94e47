import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { numstat } from '@/lib/judge/fixes/testing/numstat'
import type { Patch } from '@/lib/judge/patches/patch'
import { isSafe, readFlags } from '@/lib/judge/patches/read-flags'
import { readPatch } from '@/lib/judge/patches/read-patch'
import { signalFlags } from '@/lib/judge/patches/signals'
import type { Tree } from '@/lib/judge/patches/tree'
import { createSha256 } from '@/lib/bytes/sha256'
import { differenceOf } from '../difference'
import { applyPatch, type PatchApplied } from '../reference/apply-patch'
import { fileChanges, type FileChange } from '../reference/file-changes'
import { isReferenceCase } from '../reference-cases'
import type { CaseResult, Suite } from '../suite'
import { readRecord, recordedName, type PatchRecord, type RecordedFile } from './patch-records'

type Compared = { expected: unknown; got: unknown }

interface ReadCase {
  record: PatchRecord
  bytes: Uint8Array
  tree: Tree | null
  patch: Patch
  applied: PatchApplied | null
}

/** Git's own words say a line for most errors; it does not count a "\ No newline" line that closes a hunk, so that line comes from the records alone. */
const lineOfError = (stderr: string): number | null => {
  const found = /\bline (\d+)/.exec(stderr)
  return found === null ? null : Number(found[1])
}

const parse = ({ record, bytes, patch }: ReadCase): Compared => {
  const line = patch.verdict === 'error' ? lineOfError(record.git.numstat.stderr) : null
  return {
    expected: { parse: record.expected.parse, sha256: record.patch.sha256, line },
    got: { parse: patch.verdict, sha256: sha256(bytes), line: line === null ? null : patch.problem?.line },
  }
}

const counts = ({ record, bytes, patch }: ReadCase): Compared => {
  const expected = (record.gitNumstat ?? []).map((one) => ({
    added: one.added,
    deleted: one.deleted,
    name: recordedName(one),
  }))
  const got = numstat(bytes, patch)
  return {
    expected: { count: record.gitNumstatCount ?? expected.length, lines: expected },
    got: {
      count: got.length,
      lines: record.gitNumstatCount === undefined ? got : got.slice(0, expected.length),
    },
  }
}

/** What a sidecar says of a file, without what neither the patch nor its pre-image can tell. */
function recordedChange(one: RecordedFile, got: FileChange | undefined): object {
  return {
    status: one.status,
    similarity: one.similarity ?? null,
    binary: one.binary,
    added: one.additions,
    deleted: one.deletions,
    oldName: one.old === undefined ? null : recordedName(one.old),
    newName: one.new === undefined ? null : recordedName(one.new),
    ...(got?.oldMode !== null && { oldMode: one.oldMode ?? null }),
    ...(got?.newMode !== null && { newMode: one.newMode ?? null }),
    ...(got?.oldBlob !== null && { oldBlob: one.oldBlob?.slice(0, got?.oldBlob.length) ?? null }),
    ...(got?.newBlob !== null && { newBlob: one.newBlob?.slice(0, got?.newBlob.length) ?? null }),
  }
}

/** The list is of the trees that the patch was made from, so names made without prefixes are read without taking one off. */
const files = ({ record, bytes, patch, applied }: ReadCase): Compared => {
  const hasNoPrefix = patch.sections.some(({ stated }) => stated.sameWithPrefix)
  const got = hasNoPrefix
    ? fileChanges(readPatch(bytes, 0).sections)
    : fileChanges(patch.sections, applied?.applies === true ? applied.sections : [])
  const told = got.map(({ hunkCount, ...rest }) =>
    Object.fromEntries(
      Object.entries(rest).filter(
        ([key, value]) => value !== null || !/Mode|Blob/.test(key) || hunkCount < 0,
      ),
    ),
  )
  return { expected: record.files!.map((one, i) => recordedChange(one, got[i])), got: told }
}

/** The files that the sidecar lists after applying, each with its bytes. */
const post = ({ record, applied }: ReadCase): Compared => {
  const after = [...(applied?.tree ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
  if (record.git.post === undefined)
    return { expected: { count: record.git.postCount }, got: { count: after.length } }
  const expected = record.git.post.map(({ mode, size, sha256: digest, commit, ...name }) => ({
    name: recordedName(name),
    mode,
    size,
    sha256: digest,
    commit,
  }))
  const got = after.map(([name, { mode, content, commit }]) => ({
    name,
    mode: mode.toString(8),
    commit,
    ...(commit === undefined && { size: content.length, sha256: sha256(content) }),
  }))
  return { expected: expected.sort((a, b) => (a.name < b.name ? -1 : 1)), got }
}

function sha256(bytes: Uint8Array): string {
  const hash = createSha256()
  hash.update(bytes)
  return hash.hex()
}

/** Codes that a sidecar lists have to be reported. Others may be, but no blocking one where the record is safe. */
const safety = ({ record, bytes, patch, tree, applied }: ReadCase): Compared => {
  const flags = readFlags(bytes, patch, {
    base: tree === null ? null : { tree, applied: applied?.sections ?? [] },
  })
  const codes = new Set<string>(flags.map(({ code }) => code))
  const reasons = record.expected.reasons ?? []
  return {
    expected: { safe: record.expected.safe, reasons },
    got: { safe: isSafe(flags), reasons: reasons.filter((code) => codes.has(code)) },
  }
}

/** Labels that sidecars know; other signals are this project's own. */
const LABELS = [
  'only-tests',
  'test-file-deleted',
  'skip-added',
  'assertions-net-removed',
  'suppression-added',
  'snapshot-changed',
  'lockfile-changed',
  'ci-config-changed',
]

const signals = ({ record, bytes, patch }: ReadCase): Compared => {
  const codes = new Set<string>(signalFlags(bytes, patch).map(({ code }) => code))
  return { expected: [...record.signals!].sort(), got: LABELS.filter((code) => codes.has(code)).sort() }
}

/** What is compared for a record, by what its sidecar holds. */
function comparisons(one: ReadCase): [string, (one: ReadCase) => Compared][] {
  const { record, applied } = one
  return [
    ['parse', parse],
    ['numstat', counts],
    ...(record.files === null ? [] : [['files', files] as [string, typeof files]]),
    ...(record.expected.applies === null
      ? []
      : [
          ['applies', () => ({ expected: record.expected.applies, got: applied?.applies })] as [
            string,
            () => Compared,
          ],
        ]),
    ...(record.expected.safe === null ? [] : [['safety', safety] as [string, typeof safety]]),
    ...(record.signals == null ? [] : [['signals', signals] as [string, typeof signals]]),
    ...(record.git.post === undefined && record.git.postCount === undefined
      ? []
      : [['post', post] as [string, typeof post]]),
  ]
}

/** Flags are the product's; what they know of the files before comes from the simulated application. */
function referenceOf(what: string, { tree }: ReadCase): Pick<CaseResult, 'reference'> {
  if (what === 'safety' && tree !== null) return { reference: 'safety-with-base' }
  return isReferenceCase(what) ? { reference: what } : {}
}

const readManifest = (path: string): string[] =>
  (JSON.parse(readFileSync(path, 'utf8')) as { records: { file: string }[] }).records.map(({ file }) => file)

/** Patches with git's own verdicts, one case for each thing that a record says: `id#parse`, `id#numstat`, … */
export const patches: Suite = {
  name: 'patches',
  recognises: (path) => path.endsWith('patches/manifest.json'),
  async *run(path): AsyncIterable<CaseResult> {
    const folder = dirname(path)
    for (const file of readManifest(path)) {
      const { record, bytes, tree } = readRecord(folder, file)
      const patch = readPatch(bytes)
      const one: ReadCase = {
        record,
        bytes,
        tree,
        patch,
        applied: tree === null ? null : applyPatch(bytes, patch, tree),
      }
      for (const [what, compare] of comparisons(one))
        yield {
          id: `${record.id}#${what}`,
          difference: await differenceOf(async () => compare(one)),
          ...referenceOf(what, one),
        }
    }
  },
}
