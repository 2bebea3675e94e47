import type { FixFit } from '@/lib/api/fit-schemas'
import { links } from '@/lib/links'
import { oneLine } from '@/lib/text/visible'
import { fixText } from '@/lib/words/cli/fix'
import { askServer, type Client } from '../http'

/** What the server knows of whether a patch still fits; null where it does not say, as an older one. */
export async function readFit(client: Client, id: string): Promise<FixFit | null> {
  try {
    return await askServer<FixFit>(client, { method: 'GET', path: links.api.ofFix(id, 'fit') })
  } catch {
    // The bytes are there: whether they fit is printed beside them, and git checks it again when they are applied.
    return null
  }
}

const STALE: Record<NonNullable<FixFit['stale']>, string> = {
  'head-moved': fixText.branchMoved,
  'branch-gone': fixText.branchDeleted,
  'mirror-changed': fixText.mirrorChanged,
  'mirror-gone': fixText.mirrorUnavailable,
}

/** One line about the branch; null when nothing was checked. */
export function fitLine({ head, branch, outcome, stale }: FixFit): string | null {
  if (head === null || outcome === 'not-checked') return null
  const where =
    head.commit === null
      ? `branch ${branch ?? 'unknown'}`
      : `branch ${branch ?? 'unknown'} at ${head.commit.slice(0, 12)}`
  const places = head.troubles
    .slice(0, 3)
    .map(({ name, hunk }) => `${name ?? 'the patch'}${hunk === null ? '' : ` hunk ${hunk}`}`)
  const more = head.troublesTotal > places.length ? ', …' : ''
  return oneLine(
    `${where}: ${head.outcome.replaceAll('-', ' ')}${places.length === 0 ? '' : ` (${places.join(', ')}${more})`}${stale === null ? '' : STALE[stale]}`,
  )
}
