import Link from 'next/link'
import { plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import { type FoundItem, foundAddress } from './found-address'

/** Several things are known by one id: the reader chooses, nothing is guessed. */
export function FoundChooser({ id, found, search }: { id: string; found: FoundItem[]; search: string }) {
  return (
    <div className="mx-auto max-w-2xl space-y-4 px-4 py-12">
      <h1 className="text-lg font-semibold">
        {plural(found.length, 'record')} {found.length === 1 ? 'is' : 'are'} with this ID
      </h1>
      <p>
        <code className="font-mono">
          <VisibleText text={id} />
        </code>
      </p>
      <ul className="divide-y divide-line rounded border border-line bg-surface">
        {found.map((item) => (
          <li key={`${item.executionId} ${item.receiptKey ?? item.callId ?? ''}`}>
            <Link
              href={foundAddress(item, search)}
              className="flex min-w-0 items-center gap-3 px-4 py-2.5 hover:bg-hover"
            >
              <span className="w-20 shrink-0 text-ink-3">{item.kind}</span>
              <span className="min-w-0 truncate">
                <VisibleText text={item.label} />
              </span>
              <code className="ml-auto shrink-0 font-mono text-sm text-ink-3">
                {item.executionId.slice(0, 13)}…
              </code>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
