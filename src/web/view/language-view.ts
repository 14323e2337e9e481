/** The page in one language: the words of the document, its language for screen readers, and the switch to the other one. */
import { LANGUAGES, type Language } from '../../wire/language.ts'
import { browserStorage } from '../common/browser-storage.ts'
import { startLanguage } from '../texts/language-choice.ts'
import { LANGUAGE_NAMES, onLanguage, showLanguage, shownLanguage, TEXTS } from '../texts/texts.ts'
import { byId, setText } from './dom.ts'

/** What was chosen before in this browser. */
const ENTRY = 'bourse-language'

const storage = browserStorage(window)

/** Resolves when the page may be shown: nobody sees it in a language that he did not choose. */
export async function startInLanguage(): Promise<void> {
  // Without its table the page comes up in English, and the switch stays to be tried again.
  await showLanguage(startLanguage(storage.read(ENTRY), navigator.languages)).catch(() => undefined)
  const button = byId('language', HTMLButtonElement)
  onLanguage(() => {
    document.documentElement.lang = shownLanguage()
    writeDocument(document)
    setText(button, LANGUAGE_NAMES[otherLanguage()])
    button.lang = otherLanguage()
  })
  button.addEventListener('click', () => void change(button))
  delete document.documentElement.dataset.starting
}

async function change(button: HTMLButtonElement): Promise<void> {
  const wanted = otherLanguage()
  try {
    await showLanguage(wanted)
    storage.write(ENTRY, wanted)
  } catch {
    button.lang = shownLanguage()
    setText(button, TEXTS.page.languageFailed)
  }
}

function otherLanguage(): Language {
  return LANGUAGES.find((language) => language !== shownLanguage()) ?? 'en'
}

/** Elements name the row of their text, of their label and of their placeholder: `data-text="book.title"`, `data-name="layout.theme"`. */
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

/** What stands between backticks is code. */
function writeMarked(element: HTMLElement, text: string): void {
  const parts = text.split('`').map((part, index) => {
    if (index % 2 === 0) return part
    const code = document.createElement('code')
    code.textContent = part
    return code
  })
  element.replaceChildren(...parts)
}
