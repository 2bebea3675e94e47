import type { SignalBreach } from '../model/failure-signal'

const FIXED: Record<Exclude<SignalBreach, 'repeated'>, string> = {
  fenced: 'The failure block is in a code fence. It counts, but may be an example.',
  quoted: 'The failure block is quoted or in other markup. It counts, but may be an example.',
  no_reason: 'The failure block gives no reason.',
}

/** A breach of the contract by a failure block. `blocks`: how many there are, `more`: at least so many. */
export function signalHintText({
  breach,
  blocks,
}: {
  breach: SignalBreach
  blocks?: { count: number; more: boolean }
}): string {
  if (breach !== 'repeated') return FIXED[breach]
  const many = blocks === undefined ? 'several' : `${blocks.count}${blocks.more ? ' or more' : ''}`
  return `There are ${many} failure blocks. Only the first one counts.`
}
