/**
 * The language of the page: the texts of the document, its language for screen readers, and the choice of
 * another one.
 */
import { LANGUAGES } from '../../../contract/language.ts'
import { browserStorage } from '../../shared/browser-storage.ts'
import { LANGUAGE_NAMES, startLanguage } from '../../shared/texts/language-choice.ts'
import { onLanguage, showLanguage, shownLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { byId } from './dom.ts'

/** The choice stored in this browser. */
const ENTRY = 'bourse-language'

const storage = browserStorage(window)

/** Resolves when the page may be shown: it is never shown in a language that the user did not choose. */
export async function startInLanguage(): Promise<void> {
  // If the table of texts cannot be loaded, the page starts in English, and the user can try to switch again.
  await showLanguage(startLanguage(storage.read(ENTRY), navigator.languages)).catch(() => undefined)
  const select = byId('language', HTMLSelectElement)
  select.replaceChildren(
    ...LANGUAGES.map((language) => {
      const option = new Option(LANGUAGE_NAMES[language], language)
      option.lang = language
      return option
    }),
  )
  onLanguage(() => {
    document.documentElement.lang = shownLanguage()
    writeDocument(document)
    select.value = shownLanguage()
  })
  select.addEventListener('change', () => void change(select))
  delete document.documentElement.dataset.starting
}

async function change(select: HTMLSelectElement): Promise<void> {
  const wanted = LANGUAGES.find((language) => language === select.value)
  if (wanted === undefined) return
  try {
    await showLanguage(wanted)
    storage.write(ENTRY, wanted)
    select.setCustomValidity('')
  } catch {
    select.value = shownLanguage()
    select.setCustomValidity(TEXTS.page.languageFailed)
    select.reportValidity()
  }
}

/**
 * Elements name the row of their text, of their label and of their placeholder: `data-text="book.title"`,
 * `data-name="layout.theme"`.
 */
function writeDocument(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-text]'))
    writeMarked(element, textAt(element.dataset.text))
  for (const element of root.querySelectorAll<HTMLElement>('[data-name]'))
    element.ariaLabel = textAt(element.dataset.name)
  for (const element of root.querySelectorAll<HTMLInputElement>('input[data-placeholder]'))
    element.placeholder = textAt(element.dataset.placeholder)
}

function textAt(path = ''): string {
  let row: unknown = TEXTS
  for (const name of path.split('.')) row = (row as Readonly<Record<string, unknown>> | undefined)?.[name]
  if (typeof row !== 'string') throw new Error(`expected a text under '${path}'`)
  return row
}

/** Text between backticks is code. */
function writeMarked(element: HTMLElement, text: string): void {
  const parts = text.split('`').map((part, index) => {
    if (index % 2 === 0) return part
    const code = document.createElement('code')
    code.textContent = part
    return code
  })
  element.replaceChildren(...parts)
}
