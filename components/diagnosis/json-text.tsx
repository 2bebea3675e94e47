import { useMemo } from 'react'
import { formatCount } from '../shared/format'
import { EMPTY_TEXT, plainText } from '@/lib/text/plain-json'
import { VisibleText } from '../shared/visible-text'

const CHARS_SHOWN = 2_000

/**
 * A value of a diagnosis as text and nothing else; a long one is cut with a mark, and is whole in the tree.
 *
 * @param shows its place in the documents that the page holds, so that the two can be compared
 */
export function JsonText({ json, shows }: { json: string; shows?: string }) {
  const isText = json.startsWith('"')
  const text = useMemo(() => plainText(json), [json])
  if (text === '')
    return (
      <span className="text-ink-3" data-shows={shows}>
        {EMPTY_TEXT}
      </span>
    )
  const left = text.length - CHARS_SHOWN
  return (
    <span className={isText ? 'whitespace-pre-wrap wrap-anywhere' : 'font-mono text-sm wrap-anywhere'}>
      <span data-shows={shows} data-shows-cut={left > 0 ? '' : undefined}>
        <VisibleText text={left > 0 ? text.slice(0, CHARS_SHOWN) : text} />
      </span>
      {left > 0 && (
        <span className="text-ink-3"> … {formatCount(left)} more characters in the tree below</span>
      )}
    </span>
  )
}
