'use client'

import { useMutation } from '@tanstack/react-query'
import { links } from '@/lib/links'
import { CopyButton } from '../shared/copy-button'
import { asProblem, sendJson } from '../shared/get-json'
import { ProblemNotice } from '../shared/problem-notice'
import { ExactTime } from '../shared/time'
import { Button } from '../shared/ui/button'

/** A link to the bytes for somebody without an account; whoever has it can read them until it ends. */
export function ShareLink({ id, holdsSecret }: { id: string; holdsSecret: boolean }) {
  const making = useMutation({
    mutationFn: () =>
      sendJson<{ url: string; expiresAt: string }>('POST', links.api.ofFix(id, 'links'), { hours: 72 }),
  })
  if (making.data)
    return (
      <div>
        <p className="flex items-start gap-1">
          <code className="min-w-0 flex-1 rounded-sm bg-sunken px-2 py-1 font-mono text-sm wrap-anywhere">
            {making.data.url}
          </code>
          <CopyButton text={making.data.url} label="Copy the link" />
        </p>
        <p className="text-sm text-ink-2">
          Downloads the patch without an account, until <ExactTime at={making.data.expiresAt} />.
        </p>
      </div>
    )
  return (
    <div>
      {holdsSecret && (
        <p className="text-sm text-warn">
          A line looks like a secret: whoever has the link reads it, and it cannot be taken back before its
          end.
        </p>
      )}
      <Button kind="quiet" onClick={() => making.mutate()} why={making.isPending ? 'It is being made' : null}>
        Link for somebody without an account
      </Button>
      {making.isError && <ProblemNotice compact problem={asProblem(making.error)} />}
    </div>
  )
}
