import type { Span } from './span'

/** Ways in which a valid failure block differs from the format that agents are taught (`inquest skill failure-signal`). */
export const SIGNAL_BREACHES = ['fenced', 'quoted', 'repeated', 'no_reason'] as const

export type SignalBreach = (typeof SIGNAL_BREACHES)[number]

/** A breach; `blocks` of a repeated one says how many there are, `more`: at least so many. Rows of older versions have none. */
export interface SignalHint {
  breach: SignalBreach
  blocks?: { count: number; more: boolean }
}

/** A failure signal in a text of the agent. */
export interface SignalFact {
  /** First 2,000 characters; `null`: none given. */
  reason: string | null
  /** Breaches of the contract, each with the place of the block that it is about; absent when there are none. They change no verdict. */
  hints?: (SignalHint & { span: Span })[]
}
