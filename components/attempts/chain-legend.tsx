import { CallGlyph } from '../shared/glyphs'

export const ChainLegend = () => (
  <ul aria-label="Legend" className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-3">
    <li className="flex items-center gap-1.5">
      <CallGlyph state="failed" size={13} /> failed
    </li>
    <li className="flex items-center gap-1.5">
      <CallGlyph state="succeeded" size={13} /> succeeded
    </li>
    <li className="flex items-center gap-1.5">
      <CallGlyph state="no_result" size={13} /> no result
    </li>
    <li className="flex items-center gap-1.5">
      <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden>
        <path d="M0 4h24" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 3" />
        <path d="m22 1 4 3-4 3" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>{' '}
      link inferred
    </li>
    <li className="flex items-center gap-1.5">
      <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden>
        <path d="M0 4h24" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="m22 1 4 3-4 3" fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>{' '}
      said by the source
    </li>
  </ul>
)
