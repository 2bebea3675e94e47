import { cn } from './cn'

export const Kbd = ({ children }: { children: React.ReactNode }) => (
  <kbd
    className={cn(
      'inline-flex min-w-5 items-center justify-center rounded-sm border border-line-strong bg-sunken px-1',
      'font-mono text-xs text-ink-2',
    )}
  >
    {children}
  </kbd>
)
