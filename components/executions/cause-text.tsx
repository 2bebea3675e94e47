import type { Cause } from '@/lib/model/execution'
import { VisibleText } from '../shared/visible-text'

/** The headline, the whole line where the headline is cut, and what failed before. */
export function CauseText({ headline, text }: Pick<Cause, 'headline' | 'text'>) {
  const [line, ...before] = text.split('\n')
  const below = [...(isCut(headline, line!) ? [line!] : []), ...before]
  return (
    <div className="text-pretty">
      <p className="text-lg">
        <VisibleText text={headline} />
      </p>
      {below.map((shown) => (
        <p key={shown} className="mt-1 max-w-[100ch]">
          <VisibleText text={shown} />
        </p>
      ))}
    </div>
  )
}

/** The mark of a cut is at the end, or where the text was shortened before the program's words. */
const isCut = (headline: string, line: string): boolean =>
  line !== headline && (headline.endsWith('…') || marks(headline) > marks(line))
const marks = (text: string): number => text.split('…').length
