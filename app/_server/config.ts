import { settingText } from '@/lib/words/settings'
import { readFailureTag } from '@/lib/formats/claude/failure-tag'
import { type MirrorRoots, readMirrorRoots } from '@/lib/connections/mirror-roots'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_ROOT_WORDS } from '@/lib/words/connections'
import { readSweepSetting } from '@/lib/judge/parity/sweep-setting'
import { logText } from '@/lib/words/server/log'

/**
 * Settings of the web process, read from the environment each time they are asked for: the launcher knows the port only
 * after the server listens, and a test sets them per case.
 */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Whether an address names this machine. */
export const isLoopback = (url: string): boolean =>
  URL.canParse(url) && LOOPBACK.includes(new URL(url).hostname)

const port = (): string => process.env.PORT ?? '4790'

/** Address that links are built from; without a trailing slash. */
export function publicUrl(): string {
  const given = process.env.INQUEST_PUBLIC_URL
  if (given) return new URL(given).origin
  const host = process.env.HOST ?? '127.0.0.1'
  const shown =
    host === '0.0.0.0' || host === '::' || host === '' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port()}`
}

/** Origins whose pages may send state-changing requests with a cookie: the public one, and this machine's own names. */
export const trustedOrigins = (): string[] => [
  ...new Set([publicUrl(), ...LOOPBACK.map((host) => `http://${host}:${port()}`)]),
]

/** Key that signs cookies; made once by the launcher and kept in the data folder. */
export function secret(): string {
  const value = process.env.INQUEST_SECRET
  if (value && value.length >= 32) return value
  if (process.env.NODE_ENV === 'test') return 'only-for-tests-only-for-tests-only-for-tests'
  throw new Error(logText.noSecret)
}

/** Tag by which failure signals are looked for in what comes in. The launcher does not start with one that cannot be meant. */
export function failureTag(): string {
  const read = readFailureTag(process.env)
  if ('trouble' in read) throw new Error(settingText.failureTag(read.trouble))
  return read.tag
}

/** Milliseconds of each minute in which layers are compared in the background; 0: never. The launcher does not start with a setting that cannot be meant. */
export function paritySweepMs(): number {
  const read = readSweepSetting(process.env)
  if ('trouble' in read) throw new Error(settingText.paritySweep(read.trouble))
  return read.budgetMs
}

/** Folders below which mirrors may stand. The launcher does not start with a setting that cannot be meant. */
export function mirrorRoots(): MirrorRoots {
  const read = readMirrorRoots(process.env)
  if ('trouble' in read) throw new Error(textOf(MIRROR_ROOT_WORDS, read.trouble))
  return read.roots
}

/** What the monitoring sends to read `/metrics`; null: only instance admins read it. The launcher does not start with one that is too short. */
export const metricsToken = (): string | null => process.env.INQUEST_METRICS_TOKEN || null

/** Set by the launcher on each request, never by a client: the client's address, also behind a trusted proxy. */
export const PEER_HEADER = 'x-inquest-peer'
