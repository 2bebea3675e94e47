/** Ways in which a failure block that counts is not what the agent was told to send (`inquest skill failure-signal`). */
export const SIGNAL_BREACHES = ['fenced', 'quoted', 'repeated', 'no_reason'] as const

export type SignalBreach = (typeof SIGNAL_BREACHES)[number]
