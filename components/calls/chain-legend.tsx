import { CallStatesLegend } from './call-states-legend'

export const ChainLegend = () => (
  <ul aria-label="Legend" className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
    <CallStatesLegend />
    <LinkLook dashed>link inferred</LinkLook>
    <LinkLook>stated by the source</LinkLook>
  </ul>
)

const LinkLook = ({ dashed = false, children }: { dashed?: boolean; children: string }) => (
  <li className="flex items-center gap-1.5">
    <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden>
      <path
        d="M0 4h24"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={dashed ? '3 3' : undefined}
      />
      <path d="m22 1 4 3-4 3" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>{' '}
    {children}
  </li>
)
