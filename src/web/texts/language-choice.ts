/** Which language the page comes up in: what was chosen before in this browser, else the browser's own, else English. */
import { LANGUAGES, type Language, pickLanguage } from '../../wire/language.ts'

const ENTRY = 'bourse-language'

/** `storage`: may throw, as it does in a browser that keeps nothing. `preferred`: the browser's languages, the best first. */
export function startLanguage(storage: () => Storage, preferred: readonly string[]): Language {
  return keptLanguage(storage) ?? pickLanguage(preferred.join(','))
}

/** For the next visit. */
export function keepLanguage(storage: () => Storage, language: Language): void {
  try {
    storage().setItem(ENTRY, language)
  } catch {
    // A browser that keeps nothing: it holds as long as the tab.
  }
}

function keptLanguage(storage: () => Storage): Language | undefined {
  try {
    const kept = storage().getItem(ENTRY)
    return LANGUAGES.find((language) => language === kept)
  } catch {
    return undefined
  }
}
