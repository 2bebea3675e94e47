import type { FetchFailureKind } from '../fetch-failures'
import type { MessageOf, NoParams } from '../message'

/** What is known of a failed question beside its kind. Of the source's own words it contains only the host of a redirect, as addresses spell it. */
export interface FetchDetails {
  refused: NoParams
  host_not_found: NoParams
  connection_lost: NoParams
  no_tls: NoParams
  /** The code of a system error. */
  error_code: { readonly code: string }
  not_http: NoParams
  not_decompressed: NoParams
  unknown_encoding: NoParams
  web_page: NoParams
  too_deep: { readonly levels: number }
  too_large: { readonly mebibytes: number }
  too_slow: { readonly seconds: number }
  pages_too_slow: { readonly seconds: number }
  no_connection: { readonly seconds: number }
  status: { readonly status: number }
  outside_path: NoParams
  /** Scheme and host. */
  other_host: { readonly origin: string }
  too_many_redirects: NoParams
  self_signed: NoParams
  unknown_authority: NoParams
  expired: NoParams
  other_name: NoParams
  other_server_secret: NoParams
  no_list: NoParams
  other_execution: NoParams
  status_of_other_execution: NoParams
  list_page_repeats: { readonly page: number }
  rows_page_repeats: { readonly page: number }
}

export type FetchDetail = MessageOf<FetchDetails>

/** Details that have no values. */
export type PlainFetchDetail = {
  [Id in keyof FetchDetails]: FetchDetails[Id] extends NoParams ? Id : never
}[keyof FetchDetails]

/** A failed question, as far as its sentence needs it. */
export interface FetchFailureFacts {
  readonly kind: FetchFailureKind
  readonly detail: FetchDetail | null
  /** The execution that it is about; null: about the server, or not known yet. */
  readonly about: { readonly asked: 'execution' | 'status'; readonly executionId: string } | null
}

/** Why an execution could not be fetched now. */
export interface FetchedRunReasons {
  not_noetl_id: NoParams
  no_such_execution: NoParams
  failed: FetchFailureFacts
}
export type FetchedRunReason = MessageOf<FetchedRunReasons>

/** Why an address cannot be that of a server. */
export interface AddressTroubles {
  not_a_url: NoParams
  other_scheme: NoParams
  has_credentials: NoParams
  has_query: NoParams
}
export type AddressTrouble = MessageOf<AddressTroubles>

/** What is wrong with the setting of the folders for mirrors. */
export interface MirrorRootTroubles {
  not_absolute: { readonly entry: string }
  /** Null: for all projects. */
  named_twice: { readonly project: string | null }
}
export type MirrorRootTrouble = MessageOf<MirrorRootTroubles>
