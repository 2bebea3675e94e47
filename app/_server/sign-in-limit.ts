import { type BackOff, createBackOff } from '@/lib/auth/back-off'
import { clientNetwork } from '@/lib/auth/client-network'
import { createSignInLimit, type SignInLimit } from '@/lib/auth/sign-in-limit'
import { limits } from '@/lib/limits'
import { PEER_HEADER } from './config'
import { deviceCookie, knownDevice } from './known-device'
import { Refusal } from './respond'

const KEY = Symbol.for('inquest.sign-in-limit')
const holder = globalThis as { [KEY]?: { passwords: SignInLimit; links: BackOff } }

/** Kept in memory, once for all bundles of the process. */
const shared = (holder[KEY] ??= {
  passwords: createSignInLimit(),
  links: createBackOff({
    free: limits.signInAttemptsFree,
    firstDelayMs: limits.signInDelaySecondsMin * 1000,
    maxDelayMs: limits.signInDelaySecondsMax * 1000,
    namesMax: limits.signInNamesMax,
  }),
})

const addressOf = (headers: Headers): string => headers.get(PEER_HEADER) ?? ''

/**
 * Answers an attempt to sign in with a password, unless it has to wait. Every answer but a success and a failure of the server counts
 * as a wrong password.
 *
 * @throws Refusal with `Retry-After`
 */
export async function limitSignIn(
  account: string,
  headers: Headers,
  answer: () => Promise<Response>,
): Promise<Response> {
  // Under a name that is no address.
  const device = knownDevice(account, headers)
  const attempt = { account, address: device === null ? addressOf(headers) : `device ${device}` }
  refuseFor(shared.passwords.take(attempt, Date.now()))
  const response = await answer().catch((error: unknown) => {
    shared.passwords.takeBack(attempt)
    throw error
  })
  if (response.ok) {
    shared.passwords.succeed(attempt)
    if (device === null) response.headers.append('set-cookie', deviceCookie(account))
  } else if (response.status >= 500) shared.passwords.takeBack(attempt)
  return response
}

/** Counts a one-time link that does not open. @throws Refusal with `Retry-After` where the client has tried too many */
export function countWrongLink(headers: Headers): void {
  const network = clientNetwork(addressOf(headers))
  refuseFor(shared.links.wait(network, Date.now()))
  shared.links.count(network, Date.now())
}

function refuseFor(ms: number): void {
  if (ms > 0) throw tooManyAttempts(Math.ceil(ms / 1000))
}

/** 429 with `Retry-After`. */
export const tooManyAttempts = (seconds: number): Refusal =>
  new Refusal('too-many-requests', `Too many attempts. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  })
