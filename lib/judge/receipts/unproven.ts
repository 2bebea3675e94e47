/** States of a verdict in which nothing is proven of a chain, though nothing shows that it was changed: the right key is not here. */
export const UNPROVEN_STATES = ['no_key', 'key_unusable', 'other_key'] as const
export type UnprovenState = (typeof UNPROVEN_STATES)[number]
