import { apiKey } from '@better-auth/api-key'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { betterAuth, type BetterAuthPlugin } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { v7 } from 'uuid'
import { z } from 'zod'
import type { Db } from '@/db/client'
import { accounts, apiKeys, people, rateLimits, sessions, verifications } from '@/db/schema/people'
import { KEY_PREFIX } from '@/lib/auth/tokens'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { logOfAuth } from './auth-log'
import { PEER_HEADER, publicUrl, secret, trustedOrigins } from './config'
import { db } from './db'
import { passwordCheck } from './password-check'

const BASE_PATH = '/api/auth'
const DAY_S = 24 * 60 * 60

/** Signs a person in without a password, once a one-time link was used up; reachable from our own code only. */
const startSession = {
  id: 'one-time-link',
  endpoints: {
    startSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ personId: z.string() }) },
      async (ctx) => {
        const user = await ctx.context.internalAdapter.findUserById(ctx.body.personId)
        if (!user) return ctx.json({ started: false })
        const session = await ctx.context.internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return ctx.json({ started: true })
      },
    ),
  },
} satisfies BetterAuthPlugin

const build = () => {
  const url = publicUrl()
  return betterAuth({
    appName: 'Inquest',
    baseURL: url,
    basePath: BASE_PATH,
    secret: secret(),
    database: drizzleAdapter(db().orm, {
      provider: 'pg',
      transaction: true,
      schema: {
        user: people,
        session: sessions,
        account: accounts,
        verification: verifications,
        apikey: apiKeys,
        rateLimit: rateLimits,
      },
    }),
    // People come by invitation only; see docs/decisions/0003-auth.md.
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: limits.passwordCharsMin,
      maxPasswordLength: limits.passwordCharsMax,
      password: passwordCheck,
    },
    session: { expiresIn: 30 * DAY_S, updateAge: DAY_S },
    trustedOrigins: trustedOrigins(),
    rateLimit: {
      enabled: true,
      storage: 'database',
      customRules: {
        // Limited by sign-in-limit.ts: this one locks an address instead of slowing it down, and counts successes.
        [links.api.signIn().slice(BASE_PATH.length)]: false,
        '/change-password': false,
        '/get-session': false,
        '/sign-out': false,
      },
    },
    advanced: {
      cookiePrefix: 'inquest',
      useSecureCookies: url.startsWith('https:'),
      ipAddress: { ipAddressHeaders: [PEER_HEADER] },
      database: { generateId: () => v7() },
    },
    telemetry: { enabled: false },
    logger: { log: logOfAuth },
    // To `defineRoute`, which answers a database that is away as such and logs a line with the ID of the request; the library prints a stack.
    onAPIError: { throw: true },
    plugins: [
      // Only what makes and hashes keys is used of it; who may do what is ours (access.ts), and so are the limits.
      apiKey({
        defaultPrefix: KEY_PREFIX,
        rateLimit: { enabled: false },
        requireName: true,
        maximumNameLength: 120,
        keyExpiration: { minExpiresIn: 0, maxExpiresIn: 3650 },
        startingCharactersConfig: { charactersLength: 8 },
      }),
      startSession,
    ],
  })
}

const KEY = Symbol.for('inquest.auth')
const holder = globalThis as { [KEY]?: { db: Db; url: string; auth: ReturnType<typeof build> } }

/** Accounts and sessions; made at the first use, and again when the database or the address it is reached by is another one. */
export function auth(): ReturnType<typeof build> {
  const now = { db: db(), url: publicUrl() }
  const known = holder[KEY]
  if (known && known.db === now.db && known.url === now.url) return known.auth
  const made = { ...now, auth: build() }
  holder[KEY] = made
  return made.auth
}
