'use client'

import { type FormEvent, useState } from 'react'
import { links } from '@/lib/links'
import type { Problem } from '@/lib/problem'
import { asProblem, sendJson } from '../shared/get-json'
import { Button } from '../shared/ui/button'
import { Field } from '../shared/ui/field'
import { withFragment } from './with-fragment'

export function SignInForm({ next, note }: { next: string; note: string | null }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(null)
    try {
      await sendJson('POST', links.api.signIn(), { email: form.get('email'), password: form.get('password') })
      // A whole new page, so that the frame is drawn for this person.
      window.location.assign(withFragment(next))
    } catch (thrown) {
      setError(signInWords(asProblem(thrown)))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={send} className="space-y-4">
      <h1 className="text-lg font-semibold">Sign in</h1>
      {note && <p className="rounded border border-line bg-sunken px-3 py-2 text-ink-2">{note}</p>}
      <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      {error && (
        <p role="alert" className="text-bad">
          {error}
        </p>
      )}
      <Button kind="main" type="submit" className="w-full" why={busy ? 'Signing in' : null}>
        {busy ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className="text-sm text-ink-3">
        No account, or forgot your password? Ask an admin for a one-time link (Settings, People). If you run
        the server, use the link that <code className="font-mono">npm start</code> prints.
      </p>
    </form>
  )
}

// One answer for a wrong address and a wrong password: which of them it was is nobody's business.
const signInWords = ({ status, title, detail }: Problem): string =>
  status === 401 || status === 400
    ? 'Wrong email or password.'
    : status === 429
      ? (detail ?? 'Too many attempts. Wait a minute, then try again.')
      : `${title}.`
