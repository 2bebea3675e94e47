import { cn } from './cn'

/** A small fact beside a heading. */
export const Chip = ({
  children,
  className,
  title,
}: {
  children: React.ReactNode
  className?: string
  title?: string
}) => (
  <span
    title={title}
    className={cn(
      'inline-flex min-w-0 max-w-full items-center gap-1 rounded-sm border border-line bg-sunken px-1.5 py-px text-sm text-ink-2 wrap-anywhere',
      className,
    )}
  >
    {children}
  </span>
)
