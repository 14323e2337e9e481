/** The choice of the theme. A stored theme applies before this file is loaded (src/web/market/theme.ts). */
import { browserStorage } from '../../shared/browser-storage.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { isTheme, showTheme, THEME_ENTRY, THEMES, themeOf } from '../state/theme.ts'
import { byId, setText } from './dom.ts'

export class ThemeView {
  constructor() {
    const select = byId('theme', HTMLSelectElement)
    const storage = browserStorage(window)
    const options = THEMES.map((theme) => [theme, new Option('', theme)] as const)
    select.replaceChildren(...options.map(([, option]) => option))
    onLanguage(() => {
      for (const [theme, option] of options) setText(option, TEXTS.layout.themes[theme])
    })
    select.value = themeOf(storage.read(THEME_ENTRY))
    select.addEventListener('change', () => {
      if (!isTheme(select.value)) return
      showTheme(document, select.value)
      storage.write(THEME_ENTRY, select.value)
    })
  }
}
