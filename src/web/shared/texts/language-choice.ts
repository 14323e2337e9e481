/** The language in which the page starts. */
import { LANGUAGES, type Language, pickLanguage } from '../../../contract/language.ts'

/** The name of each language, in that language. */
export const LANGUAGE_NAMES: { readonly [L in Language]: string } = { en: 'English', tr: 'Türkçe' }

/**
 * `chosen`: the language last chosen in this browser. `preferred`: the languages of the browser, best first.
 * English if neither is available.
 */
export function startLanguage(chosen: string | undefined, preferred: readonly string[]): Language {
  return LANGUAGES.find((language) => language === chosen) ?? pickLanguage(preferred.join(','))
}
