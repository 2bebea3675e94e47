import type { Cause } from '@/lib/model/execution'
import { linesBelow } from '@/lib/views/executions/cause-lines'
import { VisibleText } from '../shared/visible-text'

/** The headline, the whole line where the headline is cut, and what failed before. */
export function CauseText({ headline, text }: Pick<Cause, 'headline' | 'text'>) {
  return (
    <div className="text-pretty">
      <p className="text-lg">
        <VisibleText text={headline} />
      </p>
      {linesBelow({ headline, text }).map((shown) => (
        <p key={shown} className="mt-1 max-w-[100ch]">
          <VisibleText text={shown} />
        </p>
      ))}
    </div>
  )
}
