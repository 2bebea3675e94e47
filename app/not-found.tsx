import Link from 'next/link'
import { links } from '@/lib/links'

export default function NotFound() {
  return (
    <div className="mx-auto max-w-xl space-y-3 px-4 py-12">
      <h1 className="text-lg font-semibold">No such page</h1>
      <p className="text-ink-2">
        Nothing is known by this address, or it belongs to a project that you may not read. For an id that may still arrive, use the address
        of its kind: it waits.
      </p>
      <p className="flex gap-4">
        <Link href={links.executions()} className="link">
          All executions
        </Link>
      </p>
    </div>
  )
}
