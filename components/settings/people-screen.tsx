'use client'

import { Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { PersonItem } from '@/lib/api/admin-schemas'
import { ROLES } from '@/lib/auth/roles'
import { links } from '@/lib/links'
import { ProblemNotice } from '../shared/problem-notice'
import { Time } from '../shared/time'
import { Button } from '../shared/ui/button'
import { Chip } from '../shared/ui/chip'
import { Dialog } from '../shared/ui/dialog'
import { Field, inputClass } from '../shared/ui/field'
import { VisibleText } from '../shared/visible-text'
import { ConfirmDialog } from './confirm-dialog'
import { ProjectField } from './project-field'
import { SecretShown } from './secret-shown'
import { SettingsFrame } from './settings-frame'
import { useChange } from './use-change'

const ROLE_WORDS: Record<string, string> = {
  viewer: 'can read',
  operator: 'can read and send records',
  reviewer: 'can also review fixes',
  admin: 'can also manage sources, keys and people',
}

/** `self` is the reader; `project` the one that roles are changed in. */
export function PeopleScreen({
  people,
  self,
  project,
  globalAdmin,
  projects,
}: {
  people: PersonItem[]
  self: string
  project: string
  globalAdmin: boolean
  projects: string[]
}) {
  const { change, busy, problem, forget } = useChange()
  const [inviting, setInviting] = useState(false)
  const [made, setMade] = useState<{ who: string; link: string } | null>(null)
  const [removing, setRemoving] = useState<PersonItem | null>(null)
  const onlyGlobal = globalAdmin ? null : 'Only an instance admin can do this.'
  const invite = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const email = String(form.get('email'))
    const name = String(form.get('name') ?? '').trim()
    const answer = await change<{ link: string }>('POST', links.api.people(), {
      email,
      role: form.get('role'),
      project: form.get('project') ?? project,
      ...(name ? { name } : {}),
    })
    if (!answer) return
    setMade({ who: email, link: answer.link })
    setInviting(false)
  }
  const newLink = async (person: PersonItem): Promise<void> => {
    const answer = await change<{ link: string }>('POST', links.api.personLink(person.id), {})
    if (answer) setMade({ who: person.email, link: answer.link })
  }
  return (
    <SettingsFrame
      page="people"
      lead="Invite people with a one-time link. Inquest sends no email."
      action={
        <Button
          onClick={() => {
            forget()
            setInviting(true)
          }}
        >
          <Plus size={14} aria-hidden /> Invite person
        </Button>
      }
    >
      {made && (
        <SecretShown
          what={`Send this link to ${made.who}. It works once and won’t be shown again.`}
          text={made.link}
        />
      )}
      {problem && !inviting && <ProblemNotice compact problem={problem} />}
      <ul className="divide-y divide-line rounded border border-line bg-surface" aria-busy={busy}>
        {people.map((person) => {
          const role = person.roles.find((r) => r.project === project)?.role ?? null
          const whyNotRole = person.globalAdmin
            ? 'An instance admin is an admin of every project.'
            : person.id === self
              ? 'Only another admin can change your role.'
              : null
          return (
            <li key={person.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 basis-56">
                <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
                  <VisibleText text={person.name} /> {person.id === self && <Chip>you</Chip>}{' '}
                  {person.globalAdmin && <Chip title="Admin of every project">instance admin</Chip>}{' '}
                  {person.invited && <Chip>invited</Chip>}
                </p>
                <p className="text-sm text-ink-3">
                  {person.email} ·{' '}
                  {person.lastSignInAt ? (
                    <>
                      last signed in <Time at={person.lastSignInAt} />
                    </>
                  ) : (
                    'never signed in'
                  )}
                </p>
              </div>
              {projects.length > 1 && person.roles.length > 0 && (
                <span className="text-sm text-ink-2">
                  {person.roles.map((r) => `${r.project}: ${r.role}`).join(', ')}
                </span>
              )}
              <select
                aria-label={`Role of ${person.name}`}
                title={whyNotRole ?? undefined}
                disabled={whyNotRole !== null || busy}
                value={person.globalAdmin ? 'admin' : (role ?? '')}
                onChange={(event) =>
                  void change('PATCH', links.api.person(person.id), {
                    project,
                    role: event.target.value || null,
                  })
                }
                className="h-8 rounded border border-control bg-surface px-2 disabled:opacity-60"
              >
                <option value="">no role</option>
                {ROLES.map((name) => (
                  <option key={name} value={name} title={ROLE_WORDS[name]}>
                    {name}
                  </option>
                ))}
              </select>
              <Button why={onlyGlobal} onClick={() => void newLink(person)}>
                New link
              </Button>
              <Button
                kind="danger"
                why={onlyGlobal ?? (person.id === self ? 'You cannot remove yourself.' : null)}
                onClick={() => setRemoving(person)}
              >
                Remove
              </Button>
            </li>
          )
        })}
      </ul>
      <p className="text-sm text-ink-3">
        {ROLES.map((name) => `${name}: ${ROLE_WORDS[name] ?? ''}`).join(' · ')}
      </p>
      <ConfirmDialog
        open={removing !== null}
        title="Remove this person?"
        keep="Cancel"
        does="Remove"
        onConfirm={() => void change('DELETE', links.api.person(removing!.id))}
        onClose={() => setRemoving(null)}
      >
        <p>
          {removing?.name} is signed out everywhere and can’t sign in again. Their activity stays in the log.
        </p>
      </ConfirmDialog>
      <Dialog open={inviting} onClose={() => setInviting(false)} title="Invite person">
        <form onSubmit={invite} className="space-y-4 p-4">
          {problem && <ProblemNotice compact problem={problem} />}
          <Field label="Email" name="email" type="email" required hint="They sign in with it." />
          <Field label="Name" name="name" maxLength={120} hint="They can change it when they accept." />
          <label className="block space-y-1">
            <span className="font-medium">Role</span>
            <select name="role" defaultValue="viewer" className={inputClass}>
              {ROLES.map((name) => (
                <option key={name} value={name}>
                  {name}: {ROLE_WORDS[name]}
                </option>
              ))}
            </select>
          </label>
          <ProjectField projects={projects} chosen={project} />
          <div className="flex justify-end">
            <Button kind="main" type="submit" why={busy ? 'Creating' : null}>
              Create link
            </Button>
          </div>
        </form>
      </Dialog>
    </SettingsFrame>
  )
}
