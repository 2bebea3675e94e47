import type { DecisionDocument } from '@/lib/api/decision-schemas'
import { recorderNotes } from '@/lib/judge/decisions/recorder'
import { recorderNoteText } from '@/lib/words/decision-details'
import { Outcome, OutcomeGlyph } from '../shared/glyphs'
import { VisibleText } from '../shared/visible-text'

/** What `inquest record` judged where the run was made, where that is something else; nothing where both agree. */
export function RecorderVerdict({ decision }: { decision: DecisionDocument }) {
  const { recorder, outcome, because } = decision
  if (recorder === null || recorder.differs === null) return null
  const { failed, notes } = recorderNotes(recorder, decision)
  return (
    <section aria-labelledby="recorder" className="max-w-3xl">
      <h3 id="recorder" className="font-semibold">
        {recorder.differs === 'outcome'
          ? 'The recorder reached another verdict'
          : 'The recorder gave another reason'}
      </h3>
      <dl className="mt-1 grid gap-x-3 gap-y-1 md:grid-cols-[9rem_minmax(0,1fr)] [&_dt]:text-sm [&_dt]:text-ink-3">
        <dt>Recorder</dt>
        <dd>
          <span className="mr-2 inline-flex items-center gap-1.5 align-bottom">
            <OutcomeGlyph outcome={failed ? 'failed' : 'succeeded'} size={14} />{' '}
            {failed ? 'Failed' : 'Did not fail'}
          </span>
          <VisibleText text={notes.map(recorderNoteText).join(' ')} />
        </dd>
        <dt>Inquest</dt>
        <dd>
          <span className="mr-2 inline-flex align-bottom">
            <Outcome outcome={outcome} size={14} />
          </span>
          <VisibleText text={because} />
        </dd>
      </dl>
      <p className="mt-1 text-sm text-ink-3">
        The recorder’s verdict is from <code className="font-mono">inquest record</code>, when the command
        ended. Neither verdict changes the other.
      </p>
    </section>
  )
}
