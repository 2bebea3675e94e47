'use client'

import { Switch as Base } from '@base-ui/react/switch'
import { cn } from './cn'

export function Switch({
  checked,
  onChange,
  label,
  disabled,
  why,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  label: string
  disabled?: boolean
  why?: string | null
}) {
  return (
    <Base.Root
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      readOnly={Boolean(why)}
      aria-label={label}
      title={why ?? undefined}
      className={cn(
        'inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-control bg-sunken p-0.5',
        'transition-colors duration-[120ms] data-checked:border-accent data-checked:bg-accent',
        'data-disabled:opacity-55 data-readonly:opacity-55',
      )}
    >
      <Base.Thumb
        className={cn(
          'size-3.5 rounded-full bg-control transition-transform duration-[120ms] data-checked:translate-x-4',
          'data-checked:bg-on-accent',
        )}
      />
    </Base.Root>
  )
}
