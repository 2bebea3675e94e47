import type { FetchFailureKind } from '../model/fetch-failures'
import type {
  AddressTroubles,
  FetchDetails,
  FetchedRunReasons,
  FetchFailureFacts,
  MirrorRootTroubles,
} from '../model/messages/connections'
import type { TablesProblem } from '../model/tables-problems'
import { textOf, type Catalogue } from './catalogue'

/** How a question to a source failed; a detail may follow. */
export const FETCH_FAILURE_WORDS: Record<FetchFailureKind, string> = {
  down: 'No response from this address',
  timed_out: 'The server timed out',
  too_large: 'The response is too large',
  not_json: 'The response is not JSON',
  status: 'The server returned an error',
  redirected_elsewhere: 'The server redirected to another address, which was not followed',
  private_address: 'The address is private or on this machine, which this connection does not allow',
  certificate: 'Invalid server certificate',
  cut_off: 'The response was cut off',
  unauthorized: 'The server rejected the credential',
  not_stored: 'The response could not be stored',
  same_page: 'The server sent the same page twice',
}

/** What is known of a failed question beside its kind. */
export const FETCH_DETAIL_WORDS: Catalogue<FetchDetails> = {
  refused: () => 'connections are refused',
  host_not_found: () => 'host name not found',
  connection_lost: () => 'connection lost',
  no_tls: () => 'the server does not use TLS',
  error_code: ({ code }) => code,
  not_http: () => 'it is not HTTP',
  not_decompressed: () => 'it could not be decompressed',
  unknown_encoding: () => 'unknown encoding',
  web_page: () => 'it is a web page, such as a sign-in or proxy page',
  too_deep: ({ levels }) => `more than ${levels} levels deep`,
  too_large: ({ mebibytes }) => `more than ${mebibytes} MiB`,
  too_slow: ({ seconds }) => `more than ${seconds} s`,
  pages_too_slow: ({ seconds }) => `more than ${seconds} s for all its pages`,
  no_connection: ({ seconds }) => `no connection within ${seconds} s`,
  status: ({ status }) => `status ${status}`,
  outside_path: () => 'outside of the configured path',
  other_host: ({ origin }) => origin,
  too_many_redirects: () => 'again and again',
  self_signed: () => 'it signed itself',
  unknown_authority: () => 'signed by an unknown authority',
  expired: () => 'it has expired',
  other_name: () => 'issued for a different host name',
  other_server_secret: () => 'it was encrypted with a different server secret, so enter it again',
  no_list: () => 'not a list of executions, so this may be a different server',
  other_execution: () => 'a different execution was returned',
  status_of_other_execution: () => 'the status of a different execution was returned',
  list_page_repeats: ({ page }) =>
    `page ${page} of its execution list repeats earlier pages, so older executions were not fetched`,
  rows_page_repeats: ({ page }) => `page ${page} of its rows begins where the page before began`,
}

/** A failed question in one or two sentences. */
export function fetchFailureText({ kind, detail, about }: FetchFailureFacts): string {
  const what = FETCH_FAILURE_WORDS[kind]
  const text = detail === null ? `${what}.` : `${what}: ${textOf(FETCH_DETAIL_WORDS, detail)}.`
  if (about === null) return text
  return about.asked === 'status'
    ? `The status of execution ${about.executionId} could not be fetched. ${text}`
    : `Execution ${about.executionId}: ${text}`
}

/** Why an execution could not be fetched now. */
export const FETCHED_RUN_WORDS: Catalogue<FetchedRunReasons> = {
  not_noetl_id: () => 'Not a NoETL execution ID.',
  no_such_execution: () => 'The server has no such execution.',
  failed: fetchFailureText,
}

/** Why the tables of NoETL could not be read. Nothing else is shown: messages of a foreign server may contain anything. */
export const TABLES_WORDS: Record<TablesProblem, string> = {
  unreachable: 'Could not reach the NoETL database',
  certificate: 'The certificate of the NoETL database is invalid',
  not_encrypted: 'The NoETL database does not support TLS, which its address requires',
  not_allowed: 'This account can’t read the tables of the NoETL database',
  no_such_table: 'The database has no NoETL event table',
  timed_out: 'The NoETL database timed out',
  cancelled: 'Reading the NoETL tables was cancelled',
  private_address: 'The address of the NoETL database is not allowed by the connection',
  no_progress: 'The NoETL database returned the same rows twice',
  unexpected: 'The NoETL database returned an unexpected error',
}

/** A problem in a sentence for people. */
export const tablesWords = (problem: TablesProblem): string => `${TABLES_WORDS[problem]}.`

/** Why an address cannot be that of a server. */
export const ADDRESS_TROUBLE_WORDS: Catalogue<AddressTroubles> = {
  not_a_url: () => 'Not a valid URL. Example: https://noetl.example or http://127.0.0.1:8082.',
  other_scheme: () => 'Only http and https are supported.',
  has_credentials: () => 'Put credentials in the header, not in the address.',
  has_query: () => 'Remove everything from ? or # on.',
}

/** What is wrong with the setting of the folders for mirrors. */
export const MIRROR_ROOT_WORDS: Catalogue<MirrorRootTroubles> = {
  not_absolute: ({ entry }) =>
    `INQUEST_MIRRORS has "${entry}". Use an absolute path, as /srv/mirrors or project=/srv/mirrors.`,
  named_twice: ({ project }) => `INQUEST_MIRRORS names two folders for ${project ?? 'all projects'}.`,
}
