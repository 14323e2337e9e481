/** Dark, light, or as the system has it: kept in this browser. */
import type { BrowserStorage } from '../common/browser-storage.ts'

const NAME = 'bourse-theme'
export const THEMES = ['system', 'dark', 'light'] as const

export type Theme = (typeof THEMES)[number]

export function keptTheme(storage: BrowserStorage): Theme {
  const text = storage.read(NAME)
  return isTheme(text) ? text : 'system'
}

export function keepTheme(storage: BrowserStorage, theme: Theme): void {
  storage.write(NAME, theme)
}

export function isTheme(value: string | undefined): value is Theme {
  return THEMES.some((theme) => theme === value)
}

/** `document`: of the page that is shown. */
export function showTheme({ documentElement: { dataset } }: Document, theme: Theme): void {
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}
