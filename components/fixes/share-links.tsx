'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FixLink, MadeFixLink } from '@/lib/api/fix-schemas'
import { CLOSED_STATES } from '@/lib/model/fix-states'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { plural } from '../shared/format'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime, Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { inputClass } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { fixQueries } from './queries'
import type { FixDetail } from '@/lib/model/fix'

const DURATIONS = [
  { hours: 1, label: '1 hour' },
  { hours: 24, label: '24 hours' },
  { hours: 72, label: '3 days' },
  { hours: 168, label: '7 days' },
]
const ENDED: Record<Exclude<FixLink['state'], 'open'>, string> = {
  revoked: 'Revoked',
  expired: 'Expired',
  'fix-closed': 'Disabled: the fix was closed',
  'secret-found': 'Disabled: a secret was found',
}

/** Links by which people without an account download the patch. The address of one is shown once, when it is made. */
export function ShareLinks({ fix }: { fix: FixDetail }) {
  const client = useQueryClient()
  const list = useQuery(fixQueries.links(fix.id))
  const refresh = (): Promise<void> =>
    client.invalidateQueries({ queryKey: fixQueries.links(fix.id).queryKey })
  const creating = useMutation({
    mutationFn: (body: { hours: number; acknowledgeSecret: boolean }) =>
      sendJson<MadeFixLink>('POST', links.api.ofFix(fix.id, 'links'), body),
    onSuccess: refresh,
  })
  const revoking = useMutation({
    mutationFn: (id: string) => sendJson<FixLink>('DELETE', links.api.ofFixLink(fix.id, id)),
    onSuccess: refresh,
  })
  const all = list.data ?? []
  const made = creating.data && all.find(({ id }) => id === creating.data.id)
  const isClosed = (CLOSED_STATES as readonly string[]).includes(fix.state)
  if (isClosed && all.length === 0 && !list.isError) return null
  const problem = creating.error ?? revoking.error ?? list.error
  return (
    <section aria-labelledby="share-links" className="border-t border-line pt-2">
      {/* Folded until there is something to see: the diff below matters more. */}
      <details className="space-y-2" open={all.length > 0 || list.isError || undefined}>
        <summary>
          <h3 id="share-links" className="inline font-medium">
            Share links
          </h3>
        </summary>
        {!isClosed && <NewLink fix={fix} busy={creating.isPending} onCreate={creating.mutate} />}
        {creating.data && made?.state === 'open' && (
          <div role="status" className="space-y-1 rounded border border-mark-line bg-mark p-2">
            <p className="text-sm">Copy the link now. It won’t be shown again.</p>
            <code className="block font-mono text-sm wrap-anywhere">{creating.data.url}</code>
            <CopyButton
              text={creating.data.url}
              label="Copy download link"
              className="border border-line-strong bg-raised"
            >
              Copy download link
            </CopyButton>
          </div>
        )}
        {problem && <ProblemNotice compact problem={asProblem(problem)} />}
        {all.length > 0 && (
          <ul className="divide-y divide-line" aria-label="Share links">
            {all.map((link) => (
              <LinkRow
                key={link.id}
                link={link}
                busy={revoking.isPending}
                onRevoke={() => revoking.mutate(link.id)}
              />
            ))}
          </ul>
        )}
      </details>
    </section>
  )
}

function NewLink({
  fix,
  busy,
  onCreate,
}: {
  fix: FixDetail
  busy: boolean
  onCreate: (body: { hours: number; acknowledgeSecret: boolean }) => void
}) {
  const [hours, setHours] = useState(24)
  const [acknowledgeSecret, setAcknowledged] = useState(false)
  const isUnread = fix.secretLines === null
  const holdsSecret = isUnread || fix.reading.warnings.includes('content-secret')
  const why = busy
    ? 'Creating the link'
    : holdsSecret && !acknowledgeSecret
      ? 'Confirm the warning first'
      : null
  return (
    <div className="space-y-2">
      <p className="text-sm text-ink-2">Anyone with the link can download the patch without an account.</p>
      {holdsSecret && (
        <label className="flex items-start gap-2 text-sm text-warn">
          <input
            type="checkbox"
            className="mt-1"
            checked={acknowledgeSecret}
            onChange={(event) => setAcknowledged(event.target.checked)}
          />
          {isUnread
            ? 'This patch has not been checked for secrets. Share it anyway.'
            : 'This patch contains a secret. Share it anyway.'}
        </label>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          <span className="text-sm whitespace-nowrap">Expires after</span>
          <select
            value={hours}
            onChange={(event) => setHours(Number(event.target.value))}
            className={inputClass}
          >
            {DURATIONS.filter((one) => !holdsSecret || one.hours <= limits.shareLinkSecretHoursMax).map(
              (one) => (
                <option key={one.hours} value={one.hours}>
                  {one.label}
                </option>
              ),
            )}
          </select>
        </label>
        <Button why={why} onClick={() => onCreate({ hours, acknowledgeSecret })}>
          Create link
        </Button>
      </div>
    </div>
  )
}

function LinkRow({ link, busy, onRevoke }: { link: FixLink; busy: boolean; onRevoke: () => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5">
      <div className="min-w-0 text-sm">
        <p>
          {link.state === 'open' ? (
            <>
              Expires <ExactTime at={link.expiresAt} />
            </>
          ) : (
            ENDED[link.state]
          )}
          {link.state === 'revoked' && link.revokedBy !== null && (
            <>
              {' '}
              by <VisibleText text={link.revokedBy} />
            </>
          )}
        </p>
        <p className="text-ink-2">
          Created by <VisibleText text={link.createdBy} /> <Time at={link.createdAt} />
          {' · '}
          {plural(link.downloads, 'download')}
          {link.lastDownloadAt !== null && (
            <>
              , last <Time at={link.lastDownloadAt} />
            </>
          )}
        </p>
      </div>
      {link.state === 'open' && (
        <Button kind="danger" why={busy ? 'Revoking' : null} onClick={onRevoke}>
          Revoke
        </Button>
      )}
    </li>
  )
}
