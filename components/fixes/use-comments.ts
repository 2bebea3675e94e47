'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NewComment } from '@/lib/api/fix-schemas'
import { threadsOf } from '@/lib/views/fixes/threads'
import { links } from '@/lib/links'
import { useLiveRefetch } from '../live/use-live-refetch'
import { asProblem, sendJson } from '../shared/get-json'
import { say } from '../shell/announcer'
import { fixQueries } from './queries'
import type { FixDetail } from '@/lib/model/fix'

export type SendComment = (comment: Partial<NewComment>) => void

/** What people say of a fix and of the versions before it, and the way to say something. */
export function useComments({ id, sha256 }: Pick<FixDetail, 'id' | 'sha256'>) {
  const client = useQueryClient()
  const comments = useQuery(fixQueries.comments(id))
  useLiveRefetch(comments.refetch, 1_000)
  const threads = useMemo(() => threadsOf(comments.data ?? []), [comments.data])
  const sending = useMutation({
    mutationFn: (comment: Partial<NewComment>) => {
      // An answer goes to the version that its thread was opened on, and is about the patch of that version.
      const thread = threads.find((one) => one.id === comment.thread)
      return sendJson('POST', links.api.ofFix(thread?.fix ?? id, 'comments'), {
        sha256: thread?.sha256 ?? sha256,
        ...comment,
      })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: fixQueries.comments(id).queryKey }),
    onError: (error) => say(asProblem(error).detail ?? asProblem(error).title),
  })
  return {
    threads,
    comments,
    busy: sending.isPending,
    problem: sending.error === null ? null : asProblem(sending.error),
    send: (comment: Partial<NewComment>) => sending.mutate(comment),
  }
}

/** Marks of files that the reader has viewed; a mark holds on to the bytes of the file. */
export function useViewed(id: string) {
  const client = useQueryClient()
  const { queryKey } = fixQueries.viewed(id)
  const marks = useQuery(fixQueries.viewed(id))
  const viewed = useMemo(() => new Set(marks.data ?? []), [marks.data])
  const marking = useMutation({
    mutationFn: (mark: { sha256: string; viewed: boolean }) =>
      sendJson('POST', links.api.ofFix(id, 'viewed'), mark),
    onMutate: async (mark) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (old: string[] | undefined) => [
        ...(old ?? []).filter((one) => one !== mark.sha256),
        ...(mark.viewed ? [mark.sha256] : []),
      ])
      return { before }
    },
    onError: (error, _mark, context) => {
      client.setQueryData(queryKey, context?.before)
      say(asProblem(error).detail ?? asProblem(error).title)
    },
  })
  return { viewed, mark: (sha256: string, isViewed: boolean) => marking.mutate({ sha256, viewed: isViewed }) }
}
