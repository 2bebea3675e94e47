import { setTimeout as sleep } from 'node:timers/promises'
import { type BackOff, createBackOff } from '@/lib/auth/back-off'
import { clientNetwork } from '@/lib/auth/client-network'
import { createSignInLimit, type SignInLimit } from '@/lib/auth/sign-in-limit'
import { limits } from '@/lib/limits'
import { peopleProblemText } from '@/lib/words/server/people'
import { PEER_HEADER } from './config'
import { deviceCookie, knownDevice } from './known-device'
import { signInUnhashed } from './password-check'
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
  const address = device === null ? addressOf(headers) : `device ${device}`
  const crowded = shared.passwords.isCrowded(address, Date.now())
  const attempt = { account, address, crowded }
  refuseFor(shared.passwords.take(attempt, Date.now()))
  const response = await (crowded ? answerLate(answer) : answer()).catch((error: unknown) => {
    shared.passwords.takeBack(attempt)
    throw error
  })
  if (response.ok) {
    shared.passwords.succeed(attempt)
    if (device === null) response.headers.append('set-cookie', deviceCookie(account))
  } else if (response.status >= 500) shared.passwords.takeBack(attempt)
  return response
}

/**
 * Answers a wrong password no sooner than after a while, whether the account exists or not. Nothing is hashed for one that does not: whoever
 * makes accounts up takes no time from the others.
 */
async function answerLate(answer: () => Promise<Response>): Promise<Response> {
  const late = sleep(limits.signInCrowdedSeconds * 1000)
  const response = await signInUnhashed(answer)
  if (response.status < 500 && !response.ok) await late
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
  new Refusal('too-many-requests', peopleProblemText.tooManyAttempts({ seconds }), {
    headers: { 'retry-after': String(seconds) },
  })
