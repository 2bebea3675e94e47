import { AsyncLocalStorage } from 'node:async_hooks'
import { hashPassword, verifyPassword } from 'better-auth/crypto'

const KEY = Symbol.for('inquest.unhashed')
const holder = globalThis as { [KEY]?: AsyncLocalStorage<true> }
// Once for all bundles: the one that made `auth()` need not be the one that answers.
const unhashed = (holder[KEY] ??= new AsyncLocalStorage())

/**
 * How better-auth checks passwords. It hashes the password of an account that does not exist as well, so that the time of the answer tells
 * nothing; where the caller sees to that, the work is saved.
 */
export const passwordCheck = {
  hash: async (password: string): Promise<string> =>
    unhashed.getStore() ? '' : await hashPassword(password),
  verify: verifyPassword,
}

/** Signs in without hashing a password that is compared with none. */
export const signInUnhashed = <T>(answer: () => Promise<T>): Promise<T> => unhashed.run(true, answer)
