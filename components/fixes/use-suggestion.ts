'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import type { NewSuggestion } from '@/lib/api/fix-schemas'
import { isFixState, mayBecome } from '@/lib/model/fix-states'
import { links } from '@/lib/links'
import { asProblem, sendJson } from '../shared/get-json'
import { say } from '../shell/announcer'
import { fixQueries } from './queries'
import type { FixDetail, FixItem } from '@/lib/model/fix'

/** Why no change can be suggested to this fix now; null when one can. */
export const whyNoSuggestion = ({ state }: Pick<FixDetail, 'state'>, maySuggest: boolean): string | null =>
  !maySuggest
    ? 'Your role can’t propose fixes'
    : isFixState(state) && mayBecome(state, 'superseded')
      ? null
      : `The fix is ${state.replace('_', ' ')}, so it can’t be replaced`

/** Sends other lines for some of the patch; what comes of it is a fix of its own, which is gone to. */
export function useSuggestion({ id, version, sha256 }: Pick<FixDetail, 'id' | 'version' | 'sha256'>) {
  const router = useRouter()
  const client = useQueryClient()
  const sending = useMutation({
    mutationFn: (suggestion: Omit<NewSuggestion, 'version' | 'sha256'>) =>
      sendJson<{ fix: FixItem; isNew: boolean }>('POST', links.api.ofFix(id, 'suggestions'), {
        version,
        sha256,
        ...suggestion,
      }),
    onSuccess: ({ fix, isNew }) => {
      void client.invalidateQueries({ queryKey: fixQueries.root(), refetchType: 'none' })
      say(
        isNew
          ? `Your change is version ${fix.ordinal}`
          : `This patch is already version ${fix.ordinal} already`,
      )
      router.push(links.fix(fix.id))
    },
  })
  return {
    send: sending.mutate,
    busy: sending.isPending || sending.isSuccess,
    problem: sending.error === null ? null : asProblem(sending.error),
    reset: sending.reset,
  }
}
export type SuggestionState = ReturnType<typeof useSuggestion>
