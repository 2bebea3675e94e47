import { limits } from '../limits'
import { createBackOff } from './back-off'
import { clientNetwork } from './client-network'

/** Whose password is tried, and the client's address. */
export interface SignInAttempt {
  account: string
  address: string
}

/** Slows password guessing down without locking anybody out. */
export interface SignInLimit {
  /** Counts an attempt as failed until it has succeeded, so that many at once do not all pass. @returns milliseconds to wait; 0: go on */
  take(attempt: SignInAttempt, nowMs: number): number
  /** The password was right: forgets what this address tried on this account. */
  succeed(attempt: SignInAttempt): void
  /** The password could not be checked: takes the attempt back. */
  takeBack(attempt: SignInAttempt): void
}

/**
 * Three back-offs together. What one address attempts on one account has its own, so an attack from elsewhere delays nobody; an address
 * has one over all accounts; and an account that is attacked from many addresses leaves each of them one attempt without a wait.
 */
export function createSignInLimit(): SignInLimit {
  const rule = {
    firstDelayMs: limits.signInDelaySecondsMin * 1000,
    maxDelayMs: limits.signInDelaySecondsMax * 1000,
    namesMax: limits.signInNamesMax,
  }
  const pairs = createBackOff({ ...rule, free: limits.signInAttemptsFree })
  const accounts = createBackOff({ ...rule, free: limits.signInAttemptsPerAccount })
  const addresses = createBackOff({
    ...rule,
    free: limits.signInAttemptsPerAddress,
    maxDelayMs: limits.signInAddressDelaySecondsMax * 1000,
  })
  const namesOf = ({ account, address }: SignInAttempt) => {
    const network = clientNetwork(address)
    return { account, network, pair: `${network} ${account}` }
  }
  return {
    take(attempt, nowMs) {
      const { account, network, pair } = namesOf(attempt)
      const extra = accounts.isOver(account, nowMs) ? limits.signInAttemptsFree - 1 : 0
      const wait = Math.max(pairs.wait(pair, nowMs, extra), addresses.wait(network, nowMs))
      if (wait > 0) return wait
      pairs.count(pair, nowMs)
      accounts.count(account, nowMs)
      addresses.count(network, nowMs)
      return 0
    },
    succeed(attempt) {
      const { account, network, pair } = namesOf(attempt)
      pairs.clear(pair)
      // Not cleared: whoever has one account of their own could otherwise go on guessing those of others.
      accounts.uncount(account)
      addresses.uncount(network)
    },
    takeBack(attempt) {
      const { account, network, pair } = namesOf(attempt)
      pairs.uncount(pair)
      accounts.uncount(account)
      addresses.uncount(network)
    },
  }
}
