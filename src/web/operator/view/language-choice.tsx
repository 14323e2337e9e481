/** The choice of the page's language. */
import { useId } from 'preact/hooks'
import { LANGUAGES } from '../../../contract/language.ts'
import { LANGUAGE_NAMES } from '../../shared/texts/language-choice.ts'
import { chooseLanguage } from '../state/page-language.ts'
import { say, shownLanguage } from '../texts/texts.ts'

export function LanguageChoice() {
  const id = useId()
  return (
    <div class="language">
      <label class="unseen" for={id}>
        {say('Language')}
      </label>
      <select
        id={id}
        value={shownLanguage()}
        onChange={async ({ currentTarget }) => {
          await chooseLanguage(currentTarget.value).catch(() => undefined)
          currentTarget.value = shownLanguage()
        }}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGE_NAMES[language]}
          </option>
        ))}
      </select>
    </div>
  )
}
