import type { ComponentProps } from 'react'
import { cn } from './cn'

const base =
  'inline-flex h-8 items-center justify-center gap-1.5 rounded px-3 font-medium whitespace-nowrap select-none disabled:opacity-55'
const kinds = {
  plain: 'border border-line-strong bg-raised text-ink hover:bg-hover',
  main: 'bg-accent text-on-accent hover:bg-accent-strong',
  quiet: 'text-ink-2 hover:bg-hover hover:text-ink',
  danger: 'border border-line-strong bg-raised text-bad hover:bg-tint-bad',
} as const
type Kind = keyof typeof kinds

export const buttonClass = (kind: Kind = 'plain', className?: string): string =>
  cn(base, kinds[kind], className)

/**
 * A button that cannot be used says why: with `why` it stays focusable, is announced as disabled and carries the reason.
 */
export function Button({
  kind = 'plain',
  why,
  className,
  onClick,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { kind?: Kind; why?: string | null }) {
  return (
    <button
      {...rest}
      type={type}
      title={why ?? rest.title}
      aria-disabled={why ? true : undefined}
      onClick={why ? (event) => event.preventDefault() : onClick}
      className={buttonClass(kind, cn(why && 'opacity-55', className))}
    />
  )
}
