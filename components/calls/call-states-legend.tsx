import { CallGlyph, callWord } from '../shared/glyphs'

/** The entries of a legend that say what the glyphs of calls mean. */
export const CallStatesLegend = () =>
  ['succeeded', 'failed', 'no_result'].map((state) => (
    <li key={state} className="flex items-center gap-1.5">
      <CallGlyph state={state} size={13} /> {callWord(state).toLowerCase()}
    </li>
  ))
