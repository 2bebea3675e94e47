import { MessageSquare, Pencil } from 'lucide-react'
import { Kbd } from '../shared/ui/kbd'

const action =
  'inline-flex h-7 items-center gap-1.5 rounded px-2 text-sm text-ink-2 hover:bg-hover hover:text-ink'

/** What can be done with the lines that are chosen. */
export const LineActions = ({
  onComment,
  onSuggest,
}: {
  onComment: (() => void) | null
  onSuggest: (() => void) | null
}) => (
  <div role="group" aria-label="Selected lines" className="flex flex-wrap gap-1 px-2 py-0.5">
    {onComment && (
      <button type="button" onClick={onComment} className={action}>
        <MessageSquare size={14} aria-hidden /> Comment on lines <Kbd>c</Kbd>
      </button>
    )}
    {onSuggest && (
      <button type="button" onClick={onSuggest} className={action}>
        <Pencil size={14} aria-hidden /> Suggest a change <Kbd>e</Kbd>
      </button>
    )}
  </div>
)
