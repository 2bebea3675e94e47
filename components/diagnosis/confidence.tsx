import { isFrom0To1, isNumber, numberText } from '@/lib/text/exact-number'
import { parseExactJson } from '@/lib/text/exact-json'
import { VisibleText } from '../shared/visible-text'

/** Bars that a confidence fills; null when it is no number from 0 to 1, which is never moved into that range. */
export function barsOf(json: string): number | null {
  const read = parseExactJson(json)
  return read.ok && isNumber(read.value) && isFrom0To1(read.value)
    ? Math.round(Number(numberText(read.value)) * 5)
    : null
}

const CHARS_SHOWN = 40

/** A stated confidence as it was written, and as five bars where it can be drawn. @param shows its place in the documents that the page holds */
export function Confidence({ json, shows }: { json: string; shows?: string }) {
  const filled = barsOf(json)
  const isCut = json.length > CHARS_SHOWN
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <span className="font-mono tabular-nums">
        <span data-shows={shows} data-shows-cut={isCut ? '' : undefined}>
          <VisibleText text={json.slice(0, CHARS_SHOWN)} />
        </span>
        {isCut && '…'}
      </span>
      {filled !== null && (
        <svg
          role="img"
          aria-label={`${filled} of 5 bars`}
          viewBox="0 0 34 12"
          width={34}
          height={12}
          className="shrink-0 text-ink-2"
        >
          {[0, 1, 2, 3, 4].map((bar) => (
            <rect
              key={bar}
              x={bar * 7 + 0.5}
              y="0.5"
              width="5"
              height="11"
              rx="1"
              stroke="currentColor"
              fill={bar < filled ? 'currentColor' : 'none'}
            />
          ))}
        </svg>
      )}
    </span>
  )
}
