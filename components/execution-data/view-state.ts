'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { type ExecutionView, findView, readView } from '@/lib/links'

/** What is selected on the page of an execution: the view, a call, a receipt, a place in the bytes. Reading it never fails. */
export function useViewState() {
  const [state, setState] = useQueryStates({
    view: parseAsString,
    call: parseAsString,
    at: parseAsString,
    receipt: parseAsString,
    row: parseAsString,
  })
  return {
    view: readView(state.view),
    /** A view nobody knows: the page falls back to the first one and says so. */
    unknownView: state.view !== null && findView(state.view) === null ? state.view : null,
    call: state.call,
    at: state.at,
    /** By the key that tells receipts of one id apart. */
    receipt: state.receipt,
    /** Row of the event log, by its id: which of several agents that failed. */
    row: state.row,
    setView: (view: ExecutionView, history: 'push' | 'replace' = 'push') =>
      void setState({ view: view === 'cause' ? null : view }, { history }),
    setCall: (call: string | null) => void setState({ call }, { history: 'replace' }),
    setAt: (at: string | null) => void setState({ at }, { history: 'replace' }),
    setReceipt: (receipt: string | null) => void setState({ receipt }, { history: 'replace' }),
    openBytes: (at: string, history: 'push' | 'replace' = 'push') =>
      void setState({ view: 'raw', at }, { history }),
  }
}
export type ViewState = ReturnType<typeof useViewState>
