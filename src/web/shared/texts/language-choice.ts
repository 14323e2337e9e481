/** Which language the page comes up in. */
import { LANGUAGES, type Language, pickLanguage } from '../../../wire/language.ts'

/** `chosen`: what was chosen before in this browser. `preferred`: the browser's own languages, the best first. Else English. */
export function startLanguage(chosen: string | undefined, preferred: readonly string[]): Language {
  return LANGUAGES.find((language) => language === chosen) ?? pickLanguage(preferred.join(','))
}
