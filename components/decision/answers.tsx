import type { Answer } from '@/lib/judge/decisions/sentences'
import { VisibleText } from '../shared/visible-text'

/** The five questions, each with its sentence. */
export const Answers = ({ answers }: { answers: readonly Answer[] }) => (
  <dl aria-label="In five sentences" className="grid gap-x-5 gap-y-3 sm:grid-cols-2 lg:grid-cols-5">
    {answers.map(({ question, short, text }) => (
      <div key={question} className="min-w-0">
        <dt className="text-sm text-ink-3">{question}</dt>
        <dd>
          <strong className="font-semibold">{short}.</strong>{' '}
          <span className="text-ink-2">
            <VisibleText text={text} />
          </span>
        </dd>
      </div>
    ))}
  </dl>
)
