'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { applyTheme, THEMES, type Theme } from '../shared/preferences'

const LOOKS = { system: [Monitor, 'system'], light: [Sun, 'light'], dark: [Moon, 'dark'] } as const

/** One button that goes round: system, light, dark. */
export function ThemeToggle({ theme: initial }: { theme: Theme }) {
  const [theme, setTheme] = useState(initial)
  const [Icon, word] = LOOKS[theme]
  const turn = (): void => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!
    applyTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      onClick={turn}
      title={`Theme: ${word}`}
      className="grid size-8 shrink-0 place-items-center rounded text-ink-2 hover:bg-hover"
    >
      <Icon size={16} aria-hidden /> <span className="sr-only">Theme: {word}</span>
    </button>
  )
}
