/**
 * What a person chose about the looks. Kept in cookies, so that the server draws the first picture right and nothing flashes.
 */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface Preferences {
  theme: Theme
  railNarrow: boolean
  singleKeys: boolean
  /** This browser holds our fonts already: they are used from the first paint on. */
  ownFonts: boolean
}

const NAMES = {
  theme: 'inquest-theme',
  railNarrow: 'inquest-rail',
  singleKeys: 'inquest-keys',
  ownFonts: 'inquest-fonts',
} as const

/** Reads the cookies; whatever is missing or strange is the default. */
export function readPreferences(read: (name: string) => string | undefined): Preferences {
  const theme = read(NAMES.theme)
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    railNarrow: read(NAMES.railNarrow) === 'narrow',
    singleKeys: read(NAMES.singleKeys) !== 'off',
    ownFonts: read(NAMES.ownFonts) === 'own',
  }
}

const keep = (name: string, value: string): void => {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`
}

export function applyTheme(theme: Theme): void {
  keep(NAMES.theme, theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function applyRail(narrow: boolean): void {
  keep(NAMES.railNarrow, narrow ? 'narrow' : 'wide')
  document.documentElement.dataset.rail = narrow ? 'narrow' : 'wide'
}

export function applySingleKeys(on: boolean): void {
  keep(NAMES.singleKeys, on ? 'on' : 'off')
  document.documentElement.dataset.singleKeys = on ? 'on' : 'off'
}

/** Brings our fonts in; remembered once they are here, so that the next page starts with them. */
export function applyOwnFonts(): void {
  document.documentElement.dataset.fonts = 'own'
  void document.fonts.ready.then(() => keep(NAMES.ownFonts, 'own'))
}
