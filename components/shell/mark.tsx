/** The product's mark: a magnifier whose glass holds the octagon of a failure. */
export const Mark = ({ size = 18 }: { size?: number }) => (
  <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden className="shrink-0 text-accent">
    <g fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
      <path d="M6 1.8h4.9l3.5 3.5v4.9l-3.5 3.5H6l-3.5-3.5V5.3z" />
      <path d="m13.2 12.6 4.6 4.9" strokeWidth="2.4" />
      <path d="M8.45 5.2v3.2M8.45 10.4v.02" />
    </g>
  </svg>
)
