import { expect, test } from 'vitest'
import { FETCH_FAILURES } from '../model/fetch-failures'
import type {
  AddressTroubles,
  FetchDetails,
  FetchedRunReasons,
  MirrorRootTroubles,
} from '../model/messages/connections'
import { TABLES_PROBLEMS } from '../model/tables-problems'
import {
  ADDRESS_TROUBLE_WORDS,
  FETCH_DETAIL_WORDS,
  FETCH_FAILURE_WORDS,
  FETCHED_RUN_WORDS,
  fetchFailureText,
  MIRROR_ROOT_WORDS,
  TABLES_WORDS,
  tablesWords,
} from './connections'
import { wordedSamples, type Samples } from './samples.support'

const NONE = [{}]
const DETAILS: Samples<FetchDetails> = {
  refused: NONE,
  host_not_found: NONE,
  connection_lost: NONE,
  no_tls: NONE,
  error_code: [{ code: 'EHOSTUNREACH' }],
  not_http: NONE,
  not_decompressed: NONE,
  unknown_encoding: NONE,
  web_page: NONE,
  too_deep: [{ levels: 100 }],
  too_large: [{ mebibytes: 64 }],
  too_slow: [{ seconds: 0.5 }],
  pages_too_slow: [{ seconds: 30 }],
  no_connection: [{ seconds: 5 }],
  status: [{ status: 503 }],
  outside_path: NONE,
  other_host: [{ origin: 'https://other.example' }],
  too_many_redirects: NONE,
  self_signed: NONE,
  unknown_authority: NONE,
  expired: NONE,
  other_name: NONE,
  other_server_secret: NONE,
  no_list: NONE,
  other_execution: NONE,
  status_of_other_execution: NONE,
  list_page_repeats: [{ page: 2 }],
  rows_page_repeats: [{ page: 3 }],
}
const RUN: Samples<FetchedRunReasons> = {
  not_noetl_id: NONE,
  no_such_execution: NONE,
  failed: [
    { kind: 'cut_off', detail: null, about: null },
    { kind: 'status', detail: { id: 'status', params: { status: 500 } }, about: null },
  ],
}
const ADDRESS: Samples<AddressTroubles> = {
  not_a_url: NONE,
  other_scheme: NONE,
  has_credentials: NONE,
  has_query: NONE,
}
const ROOTS: Samples<MirrorRootTroubles> = {
  not_absolute: [{ entry: 'shop=mirrors' }],
  named_twice: [{ project: null }, { project: 'shop' }],
}

test('every failure and every problem has words of its own', () => {
  expect(Object.keys(FETCH_FAILURE_WORDS)).toEqual([...FETCH_FAILURES])
  expect(Object.keys(TABLES_WORDS)).toEqual([...TABLES_PROBLEMS])
  for (const words of [Object.values(FETCH_FAILURE_WORDS), Object.values(TABLES_WORDS)])
    expect(new Set(words).size).toBe(words.length)
  expect(FETCH_FAILURE_WORDS).toMatchSnapshot()
  expect(TABLES_PROBLEMS.map(tablesWords)).toMatchSnapshot()
})

test('what is known of a failed question beside its kind', () =>
  expect(wordedSamples(FETCH_DETAIL_WORDS, DETAILS)).toMatchSnapshot())

test('a failure names its detail, and the execution that it is about', () => {
  const refused = { kind: 'down', detail: { id: 'refused', params: {} }, about: null } as const
  expect(fetchFailureText(refused)).toBe('No response from this address: connections are refused.')
  expect(fetchFailureText({ ...refused, detail: null })).toBe('No response from this address.')
  const about = (asked: 'execution' | 'status') =>
    fetchFailureText({ kind: 'cut_off', detail: null, about: { asked, executionId: '7' } })
  expect(about('execution')).toBe('Execution 7: The response was cut off.')
  expect(about('status')).toBe('The status of execution 7 could not be fetched. The response was cut off.')
})

test('why an execution could not be fetched now', () =>
  expect(wordedSamples(FETCHED_RUN_WORDS, RUN)).toMatchSnapshot())

test('what is wrong with an address, or with the setting of mirrors', () => {
  expect(wordedSamples(ADDRESS_TROUBLE_WORDS, ADDRESS)).toMatchSnapshot()
  expect(wordedSamples(MIRROR_ROOT_WORDS, ROOTS)).toMatchSnapshot()
})
