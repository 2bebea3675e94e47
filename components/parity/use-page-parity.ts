import { useQuery } from '@tanstack/react-query'
import { executionQueries } from '../execution-data/queries'
import { comparePageNow, type PageQuestion } from './compare-page'

/** What this page holds and shows of an execution, against what is stored: looked at each time a view opens, since what was on a page is gone with it. */
export const usePageParity = (version: number, question: PageQuestion) =>
  useQuery({
    queryKey: [
      ...executionQueries.root(),
      'page',
      question.executionId,
      version,
      question.documents.join(),
      question.row?.received ?? null,
      question.row?.start ?? null,
    ],
    queryFn: ({ client, signal }) => comparePageNow(client, question, signal),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
