import { limits } from '../limits'
import { createBackOff } from './back-off'
import { clientNetwork } from './client-network'

/** Whose password is tried, and the client's address. */
export interface SignInAttempt {
  account: string
  address: string
  /** The address has used up its attempts (`isCrowded`): this one counts for the account's own share of it. */
  crowded?: boolean
}

/** Slows password guessing down without locking anybody out. */
export interface SignInLimit {
  /** Whether an address has used up its attempts, as a proxy's address does when one of its clients guesses passwords. */
  isCrowded(address: string, nowMs: number): boolean
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
 *
 * In a crowded address each account keeps a share: one attempt without a wait, then waits of its own. So attempts on other accounts, made-up ones
 * included, keep nobody out, and each account is still guessed no faster than once in the longest wait. Shares have names of their own: a flood
 * of made-up accounts pushes out no other count.
 */
export function createSignInLimit(): SignInLimit {
  const rule = {
    firstDelayMs: limits.signInDelaySecondsMin * 1000,
    maxDelayMs: limits.signInDelaySecondsMax * 1000,
    namesMax: limits.signInNamesMax,
  }
  const pairs = createBackOff({ ...rule, free: limits.signInAttemptsFree })
  const accounts = createBackOff({ ...rule, free: limits.signInAttemptsPerAccount })
  const shares = createBackOff({ ...rule, free: 1 })
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
    isCrowded: (address, nowMs) => addresses.wait(clientNetwork(address), nowMs) > 0,
    take(attempt, nowMs) {
      const { account, network, pair } = namesOf(attempt)
      if (attempt.crowded) {
        const wait = Math.max(
          pairs.wait(pair, nowMs, limits.signInAttemptsFree - 1),
          shares.wait(pair, nowMs),
        )
        if (wait === 0) shares.count(pair, nowMs)
        return wait
      }
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
      shares.clear(pair)
      if (attempt.crowded) return
      // Not cleared: whoever has one account of their own could otherwise go on guessing those of others.
      accounts.uncount(account)
      addresses.uncount(network)
    },
    takeBack(attempt) {
      const { account, network, pair } = namesOf(attempt)
      if (attempt.crowded) return shares.uncount(pair)
      pairs.uncount(pair)
      accounts.uncount(account)
      addresses.uncount(network)
    },
  }
}
