/** Dark, light, or as the system has it: kept in this browser. */
import { type BrowserStorage, browserStorage } from '../common/browser-storage.ts'
import { onLanguage, TEXTS } from '../texts/texts.ts'
import { byId, setText } from './dom.ts'

const NAME = 'bourse-theme'
const THEMES = ['system', 'dark', 'light'] as const

type Theme = (typeof THEMES)[number]

export class ThemeView {
  constructor() {
    const select = byId('theme', HTMLSelectElement)
    const storage = browserStorage(window)
    const kept = keptTheme(storage)
    const options = THEMES.map((theme) => [theme, new Option('', theme)] as const)
    select.replaceChildren(...options.map(([, option]) => option))
    onLanguage(() => {
      for (const [theme, option] of options) setText(option, TEXTS.layout.themes[theme])
    })
    select.value = kept
    show(kept)
    select.addEventListener('change', () => {
      if (!isTheme(select.value)) return
      show(select.value)
      storage.write(NAME, select.value)
    })
  }
}

/** The theme alone, before there is anything to choose it by. */
export function showKeptTheme(): void {
  show(keptTheme(browserStorage(window)))
}

function keptTheme(storage: BrowserStorage): Theme {
  const text = storage.read(NAME)
  return isTheme(text) ? text : 'system'
}

function show(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

function isTheme(value: string | undefined): value is Theme {
  return THEMES.some((theme) => theme === value)
}
