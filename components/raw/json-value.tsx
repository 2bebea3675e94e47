'use client'

import { useState } from 'react'
import { CopyButton } from '../shared/copy-button'
import { formatCount, plural } from '../shared/format'
import { VisibleText } from '../shared/visible-text'
import type { JsonRow } from './json-model'
import { cn } from '../shared/ui/cn'

const STRING_CHARS = 4_000

const COLOURS: Record<string, string> = {
  number: 'text-run',
  boolean: 'text-stop',
  null: 'text-ink-3 group-aria-selected:text-ink',
}

/** One row: its key, its value, and on hover or focus the buttons that copy. */
export function JsonValue({
  row,
  text,
  inside,
  onToggle,
}: {
  row: JsonRow
  text: string
  inside: number
  onToggle: () => void
}) {
  const { node, token, open, inArray } = row
  const source = (): string => text.slice(node.offset, node.offset + node.length)
  return (
    <>
      <span role="gridcell" className="min-w-0 flex-1 py-px whitespace-pre-wrap">
        {token !== null && (
          <span className={inArray ? 'text-ink-3 group-aria-selected:text-ink' : 'font-medium text-ink-2'}>
            <VisibleText text={token} />
            <span className="text-ink-3 group-aria-selected:text-ink">: </span>
          </span>
        )}
        {node.type === 'string' ? (
          <JsonString value={node.value as string} />
        ) : node.type === 'object' || node.type === 'array' ? (
          <span onClick={onToggle} className="cursor-pointer text-ink-3 group-aria-selected:text-ink">
            {node.type === 'object'
              ? open
                ? '{'
                : inside === 0
                  ? '{}'
                  : '{…}'
              : open
                ? '['
                : inside === 0
                  ? '[]'
                  : '[…]'}
            {inside > 0 && (
              <span className="ml-2 font-sans">
                {plural(inside, node.type === 'object' ? 'key' : 'item')}
              </span>
            )}
          </span>
        ) : (
          <span data-json-value={node.type} className={COLOURS[node.type] ?? ''}>
            {source()}
          </span>
        )}
      </span>
      <span
        role="gridcell"
        className={cn(
          'invisible absolute top-0 right-1 flex rounded bg-raised font-sans shadow-float',
          'group-focus-within:visible group-hover:visible group-focus:visible',
        )}
      >
        <CopyButton
          className="!py-0 text-xs"
          label="Copy the value"
          text={() => (node.type === 'string' ? (node.value as string) : source())}
        >
          value
        </CopyButton>
        <CopyButton
          className="!py-0 text-xs"
          label="Copy the pointer"
          text={row.pointer === '' ? '#' : `#${row.pointer}`}
        >
          pointer
        </CopyButton>
      </span>
    </>
  )
}

/** Line breaks are real. What is marked as the value is its text and nothing else. A long text is folded with a mark that says how much follows. */
function JsonString({ value }: { value: string }) {
  const [whole, setWhole] = useState(false)
  const cut = !whole && value.length > STRING_CHARS
  return (
    <>
      {value === '' && <span className="text-ink-3 group-aria-selected:text-ink">empty text</span>}
      <span data-json-value="string" data-json-cut={cut || undefined}>
        <VisibleText text={cut ? value.slice(0, STRING_CHARS) : value} />
      </span>
      {cut && (
        <button type="button" className="link ml-1 font-sans" onClick={() => setWhole(true)}>
          … {formatCount(value.length - STRING_CHARS)} more characters
        </button>
      )}
    </>
  )
}
