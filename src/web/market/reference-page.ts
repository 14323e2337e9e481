/** The reference under `/docs`: search, this node's address in examples, and the chosen language. */
import { browserStorage } from '../shared/browser-storage.ts'
import { type Entry, matching } from './reference-search.ts'

const RESULTS_MAX = 30
const LANGUAGE = 'bourse.reference.language'

for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin
offerSearch()
keepLanguage()

function offerSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')
  const [found, results, contents] = ['#found', '#results', '#contents'].map((name) =>
    document.querySelector<HTMLElement>(name),
  )
  const box = input?.closest<HTMLElement>('search')
  if (!input || !found || !results || !contents || !box) return
  box.hidden = false
  const entries = entriesOf(document)
  const show = () => {
    const text = input.value.trim()
    const matches = matching(entries, text)
    contents.hidden = text !== ''
    found.textContent = text === '' ? '' : matches.length === 1 ? '1 result' : `${matches.length} results`
    results.replaceChildren(...(text === '' ? [] : matches.slice(0, RESULTS_MAX).map(resultOf)))
  }
  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') results.querySelector('a')?.click()
    if (event.key !== 'Escape') return
    input.value = ''
    show()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input[type=search]')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.select()
  })
}

/**
 * The searchable sections and table rows: endpoints, objects, messages and reasons, each with its whole text.
 */
function entriesOf(page: Document): readonly Entry[] {
  return [...page.querySelectorAll<HTMLElement>('section[id], tr[id]')].map((part) => {
    const name = part.querySelector('h2, h3, td')?.textContent ?? part.id
    return { id: part.id, name, text: part.textContent ?? '' }
  })
}

function resultOf({ id, name }: Entry): HTMLLIElement {
  const link = document.createElement('a')
  link.href = `#${id}`
  link.textContent = name
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** The language chosen here applies to all pages, and is kept for the next visit. */
function keepLanguage(): void {
  const storage = browserStorage(window)
  const choose = (language: string) => {
    for (const choice of document.querySelectorAll<HTMLInputElement>('.programs input'))
      if (choice.value === language) choice.checked = true
  }
  choose(storage.read(LANGUAGE) ?? '')
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.closest('.programs') === null) return
    choose(target.value)
    storage.write(LANGUAGE, target.value)
  })
}
