'use client'

import { usePathname } from 'next/navigation'
import { VisibleText } from '../shared/visible-text'
import { idInPath } from './id-in-path'
import { WaysOn } from './ways-on'

/** Says which address leads nowhere, why that may be, and where to go; an id in the address can be looked for at once. */
export function NotFoundScreen() {
  const path = usePathname()
  const id = idInPath(path)
  return (
    <div className="mx-auto max-w-xl space-y-4 px-4 py-12">
      <h1 className="text-lg font-semibold">{id === null ? 'Page not found' : 'Execution not found'}</h1>
      <p>
        Nothing is shown at{' '}
        <code className="font-mono break-all">
          <VisibleText text={path} />
        </code>
        .
      </p>
      <p className="text-ink-2">
        {id === null
          ? 'The URL may be mistyped or incomplete, or belong to another version of Inquest.'
          : 'The ID may be mistyped or incomplete, its records may not have arrived yet, or you have no access to its project.'}
      </p>
      <WaysOn id={id ?? undefined} />
    </div>
  )
}
