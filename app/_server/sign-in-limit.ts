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

/** Answers where a password is checked, and says whether the password was wrong. */
interface PasswordCheck {
  answer: () => Promise<Response>
  /** Only asked of answers that are neither a success nor a failure of the server. */
  isWrong: (response: Response) => Promise<boolean> | boolean
}

/**
 * Answers an attempt to sign in with a password, unless it has to wait. Every answer but a success and a failure of the server counts
 * as a wrong password.
 *
 * In a crowded address nothing is hashed for an account that does not exist: whoever makes accounts up takes no time from the others.
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
  const response = await limitAttempts({ account, address }, (crowded) => ({
    answer: crowded ? () => signInUnhashed(answer) : answer,
    isWrong: () => true,
  }))
  if (response.ok && device === null) response.headers.append('set-cookie', deviceCookie(account))
  return response
}

/**
 * The same for somebody who is signed in and has to give the current password: whoever took the session of an account guesses its password no
 * faster than anybody else. What is refused before the password is checked costs no attempt.
 *
 * @throws Refusal with `Retry-After`
 */
export const limitPasswordCheck = (
  account: string,
  headers: Headers,
  { answer, isWrong }: PasswordCheck,
): Promise<Response> => limitAttempts({ account, address: addressOf(headers) }, () => ({ answer, isWrong }))

async function limitAttempts(
  who: { account: string; address: string },
  checkOf: (crowded: boolean) => PasswordCheck,
): Promise<Response> {
  const crowded = shared.passwords.isCrowded(who.address, Date.now())
  const attempt = { ...who, crowded }
  refuseFor(shared.passwords.take(attempt, Date.now()))
  const { answer, isWrong } = checkOf(crowded)
  const response = await (crowded ? answerLate(answer) : answer()).catch((error: unknown) => {
    shared.passwords.takeBack(attempt)
    throw error
  })
  if (response.ok) shared.passwords.succeed(attempt)
  else if (response.status >= 500 || !(await isWrong(response))) shared.passwords.takeBack(attempt)
  return response
}

/** Answers a wrong password no sooner than after a while, whether the account exists or not. */
async function answerLate(answer: () => Promise<Response>): Promise<Response> {
  const late = sleep(limits.signInCrowdedSeconds * 1000)
  const response = await answer()
  if (response.status < 500 && !response.ok) await late
  return response
}

/** Counts a one-time link or a share link that does not open. @throws Refusal with `Retry-After` where the client has tried too many */
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
