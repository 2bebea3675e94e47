'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import type { FormEvent } from 'react'
import { limits } from '@/lib/limits'
import { links } from '@/lib/links'
import { Button } from '../shared/ui/button'
import { Field } from '../shared/ui/field'

/** Ways to go from a page that leads nowhere else: the list, the start page, or any ID. */
export function WaysOn({ id }: { id?: string }) {
  const router = useRouter()
  const find = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const asked = String(new FormData(event.currentTarget).get('id') ?? '').trim()
    if (asked !== '') router.push(links.anyId(asked))
  }
  return (
    <nav aria-label="Go to" className="space-y-4">
      <form onSubmit={find} className="flex max-w-xl items-end gap-2">
        <Field
          label="Find by ID"
          name="id"
          defaultValue={id}
          required
          maxLength={limits.findIdCharsMax}
          autoComplete="off"
          className="min-w-0 flex-1"
        />
        <Button type="submit">Find</Button>
      </form>
      <p className="text-sm text-ink-3">
        The ID of an execution, session, tool call or record. If it has not arrived yet, the page waits for
        it.
      </p>
      <p className="flex flex-wrap gap-x-5 gap-y-1">
        <Link href={links.executions()} className="link">
          All executions
        </Link>
        <Link href={links.home()} className="link">
          Start page
        </Link>
      </p>
    </nav>
  )
}
