import { strToU8, zipSync } from 'fflate'
import type { FixComment, FixDetail } from '@/lib/api/fix-schemas'
import { publicUrl } from './config'

interface BundleParts {
  fix: FixDetail
  comments: readonly FixComment[]
  patch: Uint8Array
  patchName: string
  transcript: Uint8Array | null
}

const MTIME = new Date('1980-01-01T00:00:00Z')

/** Everything that a reviewer needs to repeat each check without this server, as one archive: equal parts make equal bytes. */
export function fixBundle({ fix, comments, patch, patchName, transcript }: BundleParts): Uint8Array {
  const { mayReview: _may, whyNotReview: _why, mayBecome: _become, ...facts } = fix
  const provenance = { format: 'inquest-fix-1', server: publicUrl(), fix: facts, comments: comments.map(({ isMine: _mine, ...comment }) => comment) }
  const sums = [`${fix.sha256}  ${patchName}`, ...(transcript === null || fix.transcript === null ? [] : [`${fix.transcript.sha256}  transcript`])]
  return zipSync(
    {
      [patchName]: [patch, { level: 6 }],
      ...(transcript === null ? {} : { transcript: [transcript, { level: 6 }] }),
      'provenance.json': [strToU8(`${JSON.stringify(provenance, null, 2)}\n`), { level: 6 }],
      SHA256SUMS: [strToU8(`${sums.join('\n')}\n`), { level: 6 }],
    },
    { mtime: MTIME },
  )
}
