/** The language of the page: the one last chosen in this browser, else the browser's own. */
import { LANGUAGES, type Language } from '../../../contract/language.ts'
import { browserStorage } from '../../shared/browser-storage.ts'
import { startLanguage } from '../../shared/texts/language-choice.ts'
import { showLanguage } from '../texts/texts.ts'

const ENTRY = 'bourse-language'

/** If its table cannot be loaded, the page starts in English. */
export async function startInLanguage(): Promise<void> {
  const language = startLanguage(browserStorage(window).read(ENTRY), navigator.languages)
  await show(language).catch(() => undefined)
}

/** Rejects if its table cannot be loaded. */
export async function chooseLanguage(text: string): Promise<void> {
  const language = LANGUAGES.find((one) => one === text)
  if (language === undefined) return
  await show(language)
  browserStorage(window).write(ENTRY, language)
}

async function show(language: Language): Promise<void> {
  await showLanguage(language)
  document.documentElement.lang = language
}
