import { cn } from './ui/cn'

/** What is beside the list it was chosen from; on a narrow screen it lies over the list. */
export const SidePanel = ({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: React.ReactNode
}) => (
  <aside
    aria-label={label}
    className={cn(
      'fade-in shrink-0 overflow-y-auto border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-40',
      'lg:sticky lg:top-11 lg:max-h-[calc(100dvh-2.75rem)] lg:min-h-[calc(100dvh-2.75rem)] lg:w-[26rem]',
      className,
    )}
  >
    {children}
  </aside>
)
