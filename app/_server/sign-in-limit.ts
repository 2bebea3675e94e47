import { createTryLimit, type TryLimit } from '@/lib/auth/try-limit'
import { limits } from '@/lib/limits'

const KEY = Symbol.for('inquest.sign-in-limit')
const holder = globalThis as { [KEY]?: TryLimit }

/** Tries for one account, from wherever they come; those from one address are counted by better-auth in the database. */
export const signInLimit: TryLimit = (holder[KEY] ??= createTryLimit({
  tries: limits.signInTriesPerAccount,
  windowMs: limits.signInWindowSeconds * 1000,
}))
