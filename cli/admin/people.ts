import type { PersonItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { adminText } from '@/lib/words/cli/admin'
import { CliFailure } from '../exit-codes'
import type { ExitName } from '../exit-codes'
import { askServer } from '../http'
import type { Client } from '../http'
import type { Output } from '../output'
import type { Environment } from '../settings'
import { jsonBody, tableLines, withServer } from './with-server'

const readPeople = (client: Client): Promise<{ items: PersonItem[] }> =>
  askServer(client, { method: 'GET', path: links.api.people() })

const rolesOf = (person: PersonItem): string =>
  [
    ...(person.globalAdmin ? ['instance admin'] : []),
    ...person.roles.map(({ project, role }) => `${role} of ${project}`),
  ].join(', ')

/** A person is named by mail address or id. */
async function findPerson(client: Client, named: string): Promise<PersonItem> {
  const { items } = await readPeople(client)
  const person = items.find((one) => one.id === named || one.email === named.toLowerCase())
  if (!person) throw new CliFailure('failed', adminText.noSuchPerson({ named }))
  return person
}

export function listPeople(env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    const { items } = await readPeople(client)
    output.record({ items })
    const rows = items.map((person) => [
      person.email,
      person.name,
      person.invited ? 'invited' : 'active',
      rolesOf(person),
    ])
    for (const line of items.length === 0
      ? ['nobody yet']
      : tableLines([['mail', 'name', 'state', 'roles'], ...rows]))
      output.line(line)
    return 'fine'
  })
}

export interface NewPerson {
  role: string
  name?: string
  project?: string
}

/** Makes the one-time link by which a new person chooses a password; it is handed over by hand, no mail is sent. */
export function invitePerson(
  email: string,
  person: NewPerson,
  env: Environment,
  output: Output,
): Promise<ExitName> {
  return withServer(env, async (client) => {
    const made = await askServer<{ link: string; expiresAt: string }>(client, {
      method: 'POST',
      path: links.api.people(),
      ...jsonBody({ email, role: person.role, name: person.name, project: person.project }),
    })
    output.record(made)
    output.note(adminText.oneTimeLink({ email, expiresAt: made.expiresAt }))
    output.line(made.link)
    return 'fine'
  })
}

/** Makes the one-time link by which the first admin comes in, or a person chooses a new password. */
export function makeLink(email: string | null, env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    const path =
      email === null ? links.api.firstAdminLink() : links.api.personLink((await findPerson(client, email)).id)
    const made = await askServer<{ link: string; expiresAt: string }>(client, { method: 'POST', path })
    output.record(made)
    output.note(
      email === null
        ? adminText.firstAdminLink({ expiresAt: made.expiresAt })
        : adminText.oneTimeLink({ email, expiresAt: made.expiresAt }),
    )
    output.line(made.link)
    return 'fine'
  })
}

export function changeRole(
  email: string,
  change: { role: string; project?: string },
  env: Environment,
  output: Output,
): Promise<ExitName> {
  return withServer(env, async (client) => {
    const person = await findPerson(client, email)
    await askServer(client, {
      method: 'PATCH',
      path: links.api.person(person.id),
      ...jsonBody({ role: change.role, project: change.project }),
    })
    output.record({ id: person.id, email: person.email, role: change.role })
    output.line(`${person.email} is ${change.role} now.`)
    return 'fine'
  })
}

export function removePerson(email: string, env: Environment, output: Output): Promise<ExitName> {
  return withServer(env, async (client) => {
    const person = await findPerson(client, email)
    await askServer(client, { method: 'DELETE', path: links.api.person(person.id) })
    output.record({ removed: person.id, email: person.email })
    output.line(adminText.personRemoved({ email: person.email }))
    return 'fine'
  })
}
