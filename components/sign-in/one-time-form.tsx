'use client'

import { type FormEvent, useState } from 'react'
import type { OneTimeLinkItem } from '@/lib/api/admin-schemas'
import { links } from '@/lib/links'
import { asProblem, sendJson } from '../shared/get-json'
import { ExactTime } from '../shared/time'
import { Button } from '../shared/ui/button'
import { Field } from '../shared/ui/field'
import { withFragment } from './with-fragment'

const HEADINGS: Record<OneTimeLinkItem['purpose'], [string, string]> = {
  'first-admin': ['Create the first admin', 'This account can manage sources, keys and people.'],
  invite: ['Accept the invitation', 'Choose a name and a password.'],
  reset: ['Choose a new password', 'Your old password stops working.'],
}

/** A one-time link is used up only when this form is sent, so that a preview of the link does no harm. */
export function OneTimeForm({
  token,
  link,
  next,
  passwordCharsMin,
}: {
  token: string
  link: OneTimeLinkItem
  next: string
  passwordCharsMin: number
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [heading, words] = HEADINGS[link.purpose]
  const asks = (field: 'name' | 'email' | 'password'): boolean => link.asksFor.includes(field)
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(null)
    try {
      await sendJson(
        'POST',
        links.api.oneTime(token),
        Object.fromEntries(link.asksFor.map((field) => [field, form.get(field)])),
      )
      window.location.assign(withFragment(next))
    } catch (thrown) {
      const { title, detail } = asProblem(thrown)
      setError(detail ?? title)
      setBusy(false)
    }
  }
  return (
    <form onSubmit={send} className="space-y-4">
      <div className="space-y-1">
        <h1 className="text-lg font-semibold">{heading}</h1>
        <p className="text-ink-2">{words}</p>
      </div>
      {!asks('email') && link.email && (
        <p>
          For <strong className="font-medium">{link.email}</strong>
        </p>
      )}
      {asks('name') && (
        <Field
          label="Name"
          name="name"
          autoComplete="name"
          defaultValue={link.name ?? ''}
          required
          maxLength={120}
          autoFocus
        />
      )}
      {asks('email') && (
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          hint="You sign in with it. Inquest sends no email."
        />
      )}
      {asks('password') && (
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          required
          minLength={passwordCharsMin}
          hint={`At least ${passwordCharsMin} characters.`}
        />
      )}
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Button kind="main" type="submit" className="w-full" why={busy ? 'Sending' : null}>
        {busy ? 'One moment…' : 'Continue'}
      </Button>
      <p className="text-sm text-ink-3">
        This link works once, until <ExactTime at={link.expiresAt} />.
      </p>
    </form>
  )
}
