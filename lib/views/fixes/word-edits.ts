import { diffWordsWithSpace } from 'diff'

/** Characters from `start` up to and without `end`. */
export interface CharRange {
  start: number
  end: number
}

const LINE_CHARS_MAX = 1_000
const EDITS_MAX = 120
/** Lines that share less than this part of their characters are two lines, not one that was edited. */
const SHARED_MIN = 0.3

/** Which words of two lines differ; none on either side when they have little in common or are long. */
export function wordEdits(old: string, fresh: string): { old: CharRange[]; fresh: CharRange[] } {
  const none = { old: [], fresh: [] }
  if (old.length > LINE_CHARS_MAX || fresh.length > LINE_CHARS_MAX) return none
  const changes = diffWordsWithSpace(old, fresh, { maxEditLength: EDITS_MAX })
  if (changes === undefined) return none
  const edits: { old: CharRange[]; fresh: CharRange[] } = { old: [], fresh: [] }
  let [atOld, atFresh, shared] = [0, 0, 0]
  for (const { value, added, removed } of changes) {
    if (removed) edits.old.push({ start: atOld, end: (atOld += value.length) })
    else if (added) edits.fresh.push({ start: atFresh, end: (atFresh += value.length) })
    else {
      atOld += value.length
      atFresh += value.length
      shared += value.trim().length
    }
  }
  const longer = Math.max(old.trim().length, fresh.trim().length)
  return longer > 0 && shared / longer < SHARED_MIN ? none : edits
}
