import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { byteText, type ByteText } from '@/lib/judge/patches/bytes'
import type { Tree, TreeFile } from '@/lib/judge/patches/tree'

/** A name in a sidecar: base 64 beside it when it is not UTF-8. */
interface RecordedName {
  path: string
  pathB64?: string
}

export interface RecordedFile {
  status: string
  similarity?: number
  old?: RecordedName
  new?: RecordedName
  oldMode?: string
  newMode?: string
  oldBlob?: string
  newBlob?: string
  binary: boolean
  additions: number | null
  deletions: number | null
}

/** A sidecar of the corpus, as far as it is compared. */
export interface PatchRecord {
  id: string
  patch: { file: string; encoding: string; sha256: string }
  pre: { file: string } | null
  expected: { parse: string; applies: boolean | null; safe: boolean | null; reasons: string[] | null }
  files: RecordedFile[] | null
  gitNumstat: (RecordedName & { added: number | null; deleted: number | null })[] | null
  gitNumstatCount?: number
  signals?: string[] | null
  git: {
    numstat: { exit: number; stderr: string }
    post?: (RecordedName & { mode: string; size?: number; sha256?: string; commit?: string })[]
    postCount?: number
  }
}

interface PreImage {
  files: (RecordedName & { mode: string; contentB64: string })[]
  gitlinks: (RecordedName & { commit: string })[]
}

export const recordedName = ({ path, pathB64 }: RecordedName): ByteText =>
  byteText(pathB64 === undefined ? new TextEncoder().encode(path) : Buffer.from(pathB64, 'base64'))

const unpacked = (path: string): Uint8Array =>
  new Uint8Array(path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path))

/** The sidecar, the patch and the files before it. @param folder of the manifest @param file as the manifest names it */
export function readRecord(
  folder: string,
  file: string,
): { record: PatchRecord; bytes: Uint8Array; tree: Tree | null } {
  const record = JSON.parse(
    readFileSync(join(folder, file.replace(/\.patch(\.gz)?$/, '.json')), 'utf8'),
  ) as PatchRecord
  const beside = join(folder, file, '..')
  return {
    record,
    bytes: unpacked(join(folder, file)),
    tree: record.pre === null ? null : readTree(join(beside, record.pre.file)),
  }
}

function readTree(path: string): Tree {
  const { files, gitlinks } = JSON.parse(Buffer.from(unpacked(path)).toString('utf8')) as PreImage
  return new Map<ByteText, TreeFile>([
    ...files.map(
      (one) =>
        [
          recordedName(one),
          {
            mode: Number.parseInt(one.mode, 8),
            content: new Uint8Array(Buffer.from(one.contentB64, 'base64')),
          },
        ] as const,
    ),
    ...gitlinks.map(
      (one) =>
        [recordedName(one), { mode: 0o160000, content: new Uint8Array(), commit: one.commit }] as const,
    ),
  ])
}
