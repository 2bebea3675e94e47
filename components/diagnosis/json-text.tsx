import { useMemo } from 'react'
import { parseExactJson } from '@/lib/exact-json'
import { formatCount } from '../shared/format'
import { VisibleText } from '../shared/visible-text'

const CHARS_SHOWN = 2_000

/** The text that a JSON value is copied and shown as: a text without its quotes, all else as it was written. */
export function plainText(json: string): string {
  const read = parseExactJson(json)
  return read.ok && typeof read.value === 'string' ? read.value : json
}

/** A value of a diagnosis as text and nothing else; a long one is cut with a mark, and stands whole in the tree. */
export function JsonText({ json }: { json: string }) {
  const isText = json.startsWith('"')
  const text = useMemo(() => plainText(json), [json])
  if (text === '') return <span className="text-ink-3">empty text</span>
  const left = text.length - CHARS_SHOWN
  return (
    <span className={isText ? 'whitespace-pre-wrap wrap-anywhere' : 'font-mono text-sm wrap-anywhere'}>
      <VisibleText text={left > 0 ? text.slice(0, CHARS_SHOWN) : text} />
      {left > 0 && <span className="text-ink-3"> … {formatCount(left)} more characters stand in the tree below</span>}
    </span>
  )
}
