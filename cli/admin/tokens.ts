import type { KeyItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { countOf } from '@/lib/text/amounts'
import { adminText } from '@/lib/words/cli/admin'
import type { ExitName } from '../exit-codes'
import { askServer } from '../http'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { jsonBody, tableLines, withServer } from './with-server'

export interface NewToken {
  name: string
  scope: string[]
  project?: string
  days?: number
}

/** Makes a key. This is the one place that ever prints one. */
export function createToken(token: NewToken, env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    const made = await askServer<KeyItem & { key: string }>(client, {
      method: 'POST',
      path: links.api.keys(),
      ...jsonBody({
        name: token.name,
        scopes: token.scope,
        project: token.project,
        expiresInDays: token.days,
      }),
    })
    output.record(made)
    output.note(adminText.newKey({ name: made.name, scopes: made.scopes, project: made.project }))
    output.line(made.key)
    return 'fine'
  })
}

export function listTokens(env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    const { items } = await askServer<{ items: KeyItem[] }>(client, { method: 'GET', path: links.api.keys() })
    output.record({ items })
    const rows = items.map((key) => [
      key.id,
      `${key.start}…`,
      key.name,
      key.scopes.join(','),
      key.project,
      key.lastUsedAt === null ? 'never used' : `used ${key.lastUsedAt}`,
    ])
    for (const line of items.length === 0
      ? [countOf(0, 'key')]
      : tableLines([['id', 'key', 'name', 'scopes', 'project', 'last use'], ...rows]))
      output.line(line)
    return 'fine'
  })
}

export function revokeToken(id: string, env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    await askServer(client, { method: 'DELETE', path: links.api.key(id) })
    output.record({ revoked: id })
    output.line(`Revoked key ${id}.`)
    return 'fine'
  })
}
