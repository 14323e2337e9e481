/**
 * Tabs by the ARIA pattern: arrow keys, Home and End choose, and only the chosen tab can be reached by Tab.
 */
import { tabOfKey } from '../../../shared/tab-keys.ts'
import { onLanguage } from '../../../shared/texts/texts.ts'
import { button, element } from './elements.ts'

export type TabsOptions<Name extends string> = {
  readonly names: readonly Name[]
  /** In the current language. */
  readonly text: (name: Name) => string
  /** The label of the whole set. */
  readonly label: () => string
  readonly onChoice: (name: Name) => void
}

export class Tabs<Name extends string> {
  readonly list = element('div', { className: 'chart-tabs' })
  readonly #names: readonly Name[]
  readonly #onChoice: (name: Name) => void
  readonly #tabs: ReadonlyMap<Name, HTMLButtonElement>
  readonly #panels: ReadonlyMap<Name, HTMLElement>
  #chosen: Name | undefined

  constructor({ names, text, label, onChoice }: TabsOptions<Name>) {
    this.#names = names
    this.#onChoice = onChoice
    this.#panels = new Map(names.map((name) => [name, panelOf(name)]))
    this.#tabs = new Map(names.map((name) => [name, this.#tabOf(name, () => text(name))]))
    this.list.role = 'tablist'
    onLanguage(() => {
      this.list.ariaLabel = label()
    })
    this.list.append(...this.#tabs.values())
    this.list.addEventListener('keydown', (event) => this.#press(event))
  }

  get panels(): readonly HTMLElement[] {
    return [...this.#panels.values()]
  }

  panelOf(name: Name): HTMLElement {
    return this.#panels.get(name) as HTMLElement
  }

  choose(chosen: Name): void {
    if (this.#chosen === chosen) return
    this.#chosen = chosen
    for (const [name, tab] of this.#tabs) {
      tab.ariaSelected = String(name === chosen)
      tab.tabIndex = name === chosen ? 0 : -1
      this.panelOf(name).hidden = name !== chosen
    }
    this.#onChoice(chosen)
  }

  #tabOf(name: Name, text: () => string): HTMLButtonElement {
    const tab = button(text, () => this.choose(name))
    tab.id = `tab-${name}`
    tab.role = 'tab'
    tab.setAttribute('aria-controls', this.panelOf(name).id)
    return tab
  }

  #press(event: KeyboardEvent): void {
    const at = this.#names.indexOf(this.#chosen as Name)
    const name = this.#names[tabOfKey(event.key, at, this.#names.length) ?? -1]
    if (name === undefined) return
    event.preventDefault()
    this.choose(name)
    this.#tabs.get(name)?.focus()
  }
}

function panelOf(name: string): HTMLElement {
  const panel = element('div', { className: 'chart-panel', id: `panel-${name}` })
  panel.role = 'tabpanel'
  panel.setAttribute('aria-labelledby', `tab-${name}`)
  return panel
}
