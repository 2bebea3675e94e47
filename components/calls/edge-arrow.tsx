/** From one try to the next: to the right, on a narrow screen downward. Dashed: we inferred that it is the same work. Solid: the source says so. */
export const ArrowDown = ({ inferred }: { inferred: boolean }) => (
  <svg viewBox="0 0 8 24" className="h-6 w-2 shrink-0 text-control md:hidden" aria-hidden>
    <path
      d="M4 0v20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray={inferred ? '4 4' : undefined}
    />
    <path d="m1 17 3 5 3-5" fill="none" stroke="currentColor" strokeWidth="1.5" />
  </svg>
)

export const ArrowRight = ({ inferred }: { inferred: boolean }) => (
  <svg
    viewBox="0 0 112 8"
    className="h-2 w-full text-control max-md:hidden"
    preserveAspectRatio="none"
    aria-hidden
  >
    <path
      d="M0 4h108"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray={inferred ? '4 4' : undefined}
    />
    <path d="m104 1 5 3-5 3" fill="none" stroke="currentColor" strokeWidth="1.5" />
  </svg>
)
