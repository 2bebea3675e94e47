import Link from 'next/link'
import { links } from '@/lib/links'

export default function Forbidden() {
  return (
    <div className="mx-auto max-w-xl space-y-3 px-4 py-12">
      <h1 className="text-lg font-semibold">Permission denied</h1>
      <p className="text-ink-2">An admin of the project can give you another role under Settings, People.</p>
      <p>
        <Link href={links.executions()} className="link">
          All executions
        </Link>
      </p>
    </div>
  )
}
