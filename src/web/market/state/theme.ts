/** Dark, light, or the system's theme: stored in this browser. */

export const THEME_ENTRY = 'bourse-theme'
export const THEMES = ['system', 'dark', 'light'] as const

export type Theme = (typeof THEMES)[number]

/** The theme in a stored text. */
export function themeOf(text: string | undefined): Theme {
  return isTheme(text) ? text : 'system'
}

export function isTheme(value: string | undefined): value is Theme {
  return THEMES.some((theme) => theme === value)
}

/** `document`: the displayed page's. */
export function showTheme({ documentElement: { dataset } }: Document, theme: Theme): void {
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}
