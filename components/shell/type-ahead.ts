/** A panel that has not come by then will not. */
const WAIT_MS = 5_000

let end: (() => string) | null = null

/** Keeps what is typed from now on for the input that is on its way, instead of letting the page take it for keys of its own. */
export function startTypeAhead(): void {
  end?.()
  let text = ''
  const keep = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Escape') return void end?.()
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('keydown', keep, { capture: true })
  const late = setTimeout(() => void end?.(), WAIT_MS)
  end = () => {
    window.removeEventListener('keydown', keep, { capture: true })
    clearTimeout(late)
    end = null
    return text
  }
}

/** What was typed until the input had the focus; from then on the input hears by itself. */
export const takeTypeAhead = (): string => end?.() ?? ''
