import type { ConnectionCheck } from '@/lib/api/connection-schemas'
import { textOf } from '@/lib/words/catalogue'
import { FETCHED_RUN_WORDS, fetchFailureText } from '@/lib/words/connections'
import type { OpenConnection } from '../queries/connections'
import { fetchRunNow } from './fetch-run-now'
import { noetlServer, type NoetlServerOptions } from './noetl-server'

/** Asks a connected server once, for its list and, where one is named, for an execution, and says what came. Nothing is stored. */
export async function checkConnection(
  connection: OpenConnection,
  run: string | undefined,
  options: NoetlServerOptions = {},
): Promise<ConnectionCheck> {
  const list = await noetlServer(connection, options).list(1, 0)
  if (!list.ok)
    return {
      ok: false,
      dialect: null,
      executions: null,
      failure: { kind: list.failure.kind, text: fetchFailureText(list.failure) },
      run: null,
    }
  const answer = { ok: true, dialect: list.dialect, executions: list.runs.length, failure: null }
  if (run === undefined) return { ...answer, run: null }
  const fetched = await fetchRunNow(connection, run, options)
  const none = { complete: null, characters: null, why: null }
  return {
    ...answer,
    run:
      'text' in fetched
        ? { ...none, state: 'read', complete: fetched.complete, characters: fetched.text.length }
        : { ...none, state: fetched.state, why: textOf(FETCHED_RUN_WORDS, fetched.reason) },
  }
}
