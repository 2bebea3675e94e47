import type { NotCanonicalWhy } from '../text/canonical-json'

/** Why a text is no receipt that could be checked. `part`: one of the objects that a verifier reads is missing. */
export type MalformedWhy = 'not_json' | 'not_an_object' | 'part' | NotCanonicalWhy

/** What a receipt tells that no agent called for. `self_test` is a call of the source's own tool that checks itself. */
export type ReceiptEvent = 'events_dropped' | 'chain_interrupted' | 'key_rotation' | 'self_test'
