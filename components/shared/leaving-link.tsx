import { SquareArrowOutUpRight } from 'lucide-react'
import { cn } from './ui/cn'

/** A link out of Inquest, marked as such; `href` must be an http address (`httpAddress`), since it was taken from data. */
export const LeavingLink = ({
  href,
  className,
  children,
}: {
  href: string
  className?: string
  children: React.ReactNode
}) => (
  <a
    href={href}
    rel="noreferrer noopener"
    title={`Leaves Inquest: ${href}`}
    className={cn('link inline-flex items-center gap-1', className)}
  >
    {children}
    <SquareArrowOutUpRight size={12} aria-hidden className="shrink-0" />
    <span className="sr-only"> (leaves Inquest)</span>
  </a>
)
