import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@/lib/limits'
import { settingsText } from '@/lib/words/cli/settings'
import { CliFailure } from './exit-codes'

/** Where the server is and the key to it. */
export interface Settings {
  url: URL
  token: string
  from: 'environment' | 'server.json'
  /** Other servers of this machine, in case this one is gone: one that was killed stays named until another one notices. */
  others?: () => Settings[]
}

export type Environment = Record<string, string | undefined>

const set = (value: string | undefined): value is string => value !== undefined && value !== ''

/** Folder of what this program keeps: the address of the local server and the spool. */
export function stateFolder(env: Environment): string {
  if (set(env.INQUEST_STATE)) return env.INQUEST_STATE
  return join(
    set(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : join(env.HOME ?? homedir(), '.local', 'state'),
    'inquest',
  )
}

/** What a server of this machine writes while it runs. */
export const serverFile = (env: Environment): string => join(stateFolder(env), 'server.json')

const twoWays = (file: string): string => settingsText.noServer({ file }) + settingsText.setUrlAndToken

function parseUrl(text: string, where: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new CliFailure('unreachable', settingsText.notHttp({ where }))
  }
  if (url.username !== '' || url.password !== '')
    throw new CliFailure('unreachable', settingsText.passwordInUrl({ where }))
  return url
}

/**
 * Finds the server: `INQUEST_URL` with `INQUEST_TOKEN`, else the `server.json` that a local server wrote.
 * Throws a `CliFailure` that says what to do; the text never holds the token.
 */
export function readSettings(env: Environment = process.env): Settings {
  if (set(env.INQUEST_URL) && set(env.INQUEST_TOKEN)) {
    return { url: parseUrl(env.INQUEST_URL, 'INQUEST_URL'), token: env.INQUEST_TOKEN, from: 'environment' }
  }
  const file = serverFile(env)
  if (set(env.INQUEST_URL)) {
    throw new CliFailure('unreachable', settingsText.noToken)
  }
  const { url, token } = readServerFile(file)
  return { url, token, from: 'server.json', others: () => otherServers(env, url) }
}

/** @throws CliFailure */
function readServerFile(file: string): { url: URL; token: string; since: number } {
  let text: string
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CliFailure('unreachable', settingsText.readableByOthers({ file }))
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CliFailure) throw error
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CliFailure('unreachable', twoWays(file), { cause: error })
    throw new CliFailure('unreachable', settingsText.unreadable({ file, code }), { cause: error })
  }
  let document: { url?: unknown; token?: unknown; since?: unknown }
  try {
    document = JSON.parse(text) ?? {}
  } catch (error) {
    throw new CliFailure('unreachable', settingsText.notJson({ file }), {
      cause: error,
    })
  }
  const address = document.url
  if (typeof address !== 'string' || typeof document.token !== 'string' || document.token === '') {
    throw new CliFailure('unreachable', settingsText.incomplete({ file }))
  }
  return { url: parseUrl(address, file), token: document.token, since: Number(document.since) || 0 }
}

/** Servers of this machine beside the one that `server.json` names, the one that started last first. */
function otherServers(env: Environment, named: URL): Settings[] {
  const folder = join(stateFolder(env), 'servers')
  const oldest = Date.now() - limits.localKeyMinutes * 60_000
  const found = namesIn(folder).flatMap((name) => {
    const file = join(folder, name)
    try {
      return statSync(file).mtimeMs < oldest ? [] : [readServerFile(file)]
    } catch {
      return [] // it ended just now, or is none of ours
    }
  })
  return found
    .filter(({ url }) => url.href !== named.href)
    .sort((a, b) => b.since - a.since)
    .map(({ url, token }) => ({ url, token, from: 'server.json' }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

/** Address of the server, also where its key is missing or is not used; `null` when none is known. */
export function readAddress(env: Environment = process.env): URL | null {
  try {
    return set(env.INQUEST_URL) ? parseUrl(env.INQUEST_URL, 'INQUEST_URL') : readSettings(env).url
  } catch (error) {
    if (error instanceof CliFailure) return null
    throw error
  }
}
