import { limits } from '../../limits'
import type { MessageOf } from '../../model/message'
import type { UnreadReasons } from '../../model/messages/patches'
import type { FixReading } from './read-fix'

/** Why a patch is kept and not read: nobody came to it yet, reading it was ended because it took too long, or broke off. */
export type WhyUnread = 'not-yet' | 'over-time' | 'broke-off'

const REASONS: Record<WhyUnread, MessageOf<UnreadReasons>> = {
  'not-yet': { id: 'not_yet', params: {} },
  'over-time': { id: 'over_time', params: { seconds: limits.patchReadMsMax / 1000 } },
  'broke-off': { id: 'broke_off', params: {} },
}

/** Code of the flag that forbids to approve a patch which nobody has read. */
export const NOT_READ = 'not-read'

/** What is in the place of a reading: nothing is known of the patch, so nothing of it is shown, and it cannot be approved. */
export const unread = (why: WhyUnread): FixReading => ({
  summary: {
    verdict: 'unknown',
    problem: REASONS[why],
    files: 0,
    additions: 0,
    deletions: 0,
    hunks: 0,
    safe: false,
    blocking: [NOT_READ],
    warnings: [],
    signals: [],
    rules: why,
  },
  facts: null,
  files: [],
  secrets: null,
  flags: [
    {
      family: 'safety',
      code: NOT_READ,
      weight: 'blocking',
      detail: REASONS[why],
      file: null,
      lines: null,
    },
  ],
})
