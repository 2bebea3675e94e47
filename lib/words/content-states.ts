import { contentStatesOf } from '../model/content-states'

/** What a run delivered, against what was agreed on. */
export const CONTENT_STATE_NAMES: Readonly<Record<string, string>> = {
  complete: 'Complete',
  absent: 'Absent',
  contract_violation: 'Contract violation',
  session_error: 'Session error',
  unknown: 'Unknown',
}

/** A content state in words; where several are possible, all of them: “Absent or session error”. */
export function contentStateWords(word: string): string {
  const names = contentStatesOf(word).map((state, i) => {
    if (!Object.hasOwn(CONTENT_STATE_NAMES, state)) return state
    const name = CONTENT_STATE_NAMES[state]!
    return i === 0 ? name : name.toLowerCase()
  })
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`
}
