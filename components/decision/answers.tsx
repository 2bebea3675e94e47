import type { Answer } from '@/lib/judge/decisions/sentences'
import { decisionAnswerText, questionWords, shortAnswerWords } from '@/lib/words/decision'
import { VisibleText } from '../shared/visible-text'

/** The five questions, each with its sentence. */
export const Answers = ({ answers }: { answers: readonly Answer[] }) => (
  <dl aria-label="Summary" className="grid gap-x-5 gap-y-3 sm:grid-cols-2 lg:grid-cols-5">
    {answers.map(({ question, short, message }) => (
      <div key={question} className="min-w-0">
        <dt className="text-sm text-ink-3">{questionWords(question)}</dt>
        <dd>
          <strong className="font-semibold">{shortAnswerWords(short)}.</strong>{' '}
          <span className="text-ink-2">
            <VisibleText text={decisionAnswerText(message)} />
          </span>
        </dd>
      </div>
    ))}
  </dl>
)
