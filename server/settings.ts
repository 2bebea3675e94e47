import { settingText } from '@/lib/words/settings'
import { homedir } from 'node:os'
import path from 'node:path'
import { readFailureTag } from '@/lib/formats/claude/failure-tag'
import { readMirrorRoots } from '@/lib/connections/mirror-roots'
import { textOf } from '@/lib/words/catalogue'
import { MIRROR_ROOT_WORDS } from '@/lib/words/connections'
import { readSweepSetting } from '@/lib/judge/parity/sweep-setting'
import { startText } from '@/lib/words/server/start'
import { readTrustedProxies, type TrustedProxies } from './client-address'

/** The project's folder: where `package.json` and `.next` are. */
export const projectRoot = path.resolve(import.meta.dirname, '..')

export interface UpSettings {
  host: string
  port: number
  /** Files of the embedded server, and the secret. */
  dataDir: string
  /** Address and key for the command line. */
  stateDir: string
  /** An existing server to use instead of the embedded one. */
  databaseUrl: string | null
  /** The same past a pooler, for what needs a session. */
  directUrl: string | null
  /** Reverse proxies that say who the client is; null: none. */
  trustedProxies: TrustedProxies
}

/** A setting or a circumstance that prevents the start; its message is all a person needs. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}

const set = (value: string | undefined): string | null => (value === undefined || value === '' ? null : value)

/** Reads the settings of a start. @throws StartProblem for one that cannot be meant */
export function readUpSettings(env: Record<string, string | undefined>): UpSettings {
  const portText = set(env.PORT) ?? '4790'
  const port = Number(portText)
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) throw new StartProblem(startText.badPort({ portText }))
  const databaseUrl = set(env.DATABASE_URL)
  for (const [name, value] of [
    ['DATABASE_URL', databaseUrl],
    ['DATABASE_URL_DIRECT', set(env.DATABASE_URL_DIRECT)],
  ] as const) {
    if (value !== null && !/^postgres(ql)?:\/\//.test(value))
      throw new StartProblem(startText.badDatabaseUrl({ name }))
  }
  const publicUrl = set(env.INQUEST_PUBLIC_URL)
  if (publicUrl !== null && !(URL.canParse(publicUrl) && /^https?:$/.test(new URL(publicUrl).protocol))) {
    throw new StartProblem(startText.badPublicUrl)
  }
  const metricsToken = set(env.INQUEST_METRICS_TOKEN)
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    throw new StartProblem(startText.badMetricsToken)
  const failureTag = readFailureTag(env)
  if ('trouble' in failureTag) throw new StartProblem(settingText.failureTag(failureTag.trouble))
  const sweep = readSweepSetting(env)
  if ('trouble' in sweep) throw new StartProblem(settingText.paritySweep(sweep.trouble))
  const mirrors = readMirrorRoots(env)
  if ('trouble' in mirrors) throw new StartProblem(textOf(MIRROR_ROOT_WORDS, mirrors.trouble))
  const trusted = readTrustedProxies(env)
  if ('trouble' in trusted) throw new StartProblem(trusted.trouble)
  const state = set(env.XDG_STATE_HOME) ?? path.join(env.HOME ?? homedir(), '.local', 'state')
  return {
    host: set(env.HOST) ?? '127.0.0.1',
    port,
    dataDir: path.resolve(set(env.INQUEST_DATA) ?? path.join(projectRoot, '.inquest')),
    stateDir: path.resolve(set(env.INQUEST_STATE) ?? path.join(state, 'inquest')),
    databaseUrl,
    directUrl: set(env.DATABASE_URL_DIRECT) ?? databaseUrl,
    trustedProxies: trusted.proxies,
  }
}
