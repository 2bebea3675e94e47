import Link from 'next/link'
import { links } from '@/lib/links'
import { cn } from '../shared/ui/cn'
import { SignOut } from '../shell/sign-out'

const TABS = [
  ['sources', 'Sources'],
  ['judgement', 'Judgement'],
  ['keys', 'Keys'],
  ['people', 'People'],
] as const

export const SettingsFrame = ({
  page,
  lead,
  action,
  children,
}: {
  page: (typeof TABS)[number][0]
  lead: string
  action?: React.ReactNode
  children: React.ReactNode
}) => (
  <div className="mx-auto max-w-5xl space-y-5 px-4 py-6 md:px-6">
    <nav aria-label="Settings" className="flex gap-1 border-b border-line md:hidden">
      {TABS.map(([name, label]) => (
        <Link
          key={name}
          href={links.settings(name)}
          aria-current={name === page ? 'page' : undefined}
          className={cn(
            'border-b-2 px-3 py-2',
            name === page ? 'border-accent font-medium' : 'border-transparent text-ink-2',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="max-w-2xl space-y-1">
        <h1 className="text-lg font-semibold">{TABS.find(([name]) => name === page)![1]}</h1>
        <p className="text-ink-2">{lead}</p>
      </div>
      {action}
    </div>
    {children}
    {/* On a narrow screen the rail, where this is otherwise, is not there. */}
    <SignOut className="flex items-center gap-2 rounded border border-line bg-surface px-4 py-2.5 md:hidden" />
  </div>
)

/** What a weaker role sees in place of a list it may not read. */
export const OnlyAdmins = ({ what }: { what: string }) => (
  <p className="rounded border border-line bg-surface px-4 py-6 text-ink-2">
    Only admins of the project can {what}. An admin can change your role under People.
  </p>
)
