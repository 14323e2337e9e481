/**
 * The header of the list of markets: tabs (all, favorites, each quote asset) and the column headings, which
 * sort.
 */
import { tabOfKey } from '../../shared/tab-keys.ts'
import { onLanguage, TEXTS } from '../../shared/texts/texts.ts'
import { nextSort, SORT_KEYS, type Sort, type Tab } from '../state/market-order.ts'
import { byId, setData, setText } from './dom.ts'

const FIXED: readonly Tab[] = [{ kind: 'ALL' }, { kind: 'FAVORITES' }]

export class MarketTabs {
  readonly #list = byId('market-tabs', HTMLElement)
  readonly #onChoice: () => void
  #tabs: readonly Tab[] = FIXED
  #chosen: Tab = { kind: 'ALL' }
  #isSearching = false

  constructor(onChoice: () => void) {
    this.#onChoice = onChoice
    this.#list.addEventListener('keydown', (event) => this.#press(event))
    this.#list.addEventListener('click', ({ target }) => {
      const at = [...this.#list.children].findIndex(
        (button) => target instanceof Node && button.contains(target),
      )
      this.#choose(this.#tabs[at])
    })
    onLanguage(() => this.#write())
  }

  get chosen(): Tab {
    return this.#chosen
  }

  /** Offers a tab for each of these quote assets. */
  offer(codes: readonly string[]): void {
    this.#tabs = [...FIXED, ...codes.map((code): Tab => ({ kind: 'QUOTE', code }))]
    const isThere = this.#tabs.some((tab) => keyOf(tab) === keyOf(this.#chosen))
    if (!isThere) this.#chosen = { kind: 'ALL' }
    this.#list.replaceChildren(
      ...this.#tabs.map((tab) => {
        const button = document.createElement('button')
        button.type = 'button'
        button.role = 'tab'
        button.id = `markets-tab-${keyOf(tab)}`
        return button
      }),
    )
    this.#write()
  }

  /** A search covers all tabs. */
  setSearching(isSearching: boolean): void {
    this.#isSearching = isSearching
    this.#write()
  }

  #choose(tab: Tab | undefined): void {
    if (tab === undefined) return
    this.#chosen = tab
    this.#write()
    this.#onChoice()
  }

  #press(event: KeyboardEvent): void {
    const at = this.#tabs.findIndex((tab) => keyOf(tab) === keyOf(this.#shown))
    const next = tabOfKey(event.key, at, this.#tabs.length)
    if (next === undefined) return
    event.preventDefault()
    this.#choose(this.#tabs[next])
    this.#buttons()[next]?.focus()
  }

  get #shown(): Tab {
    return this.#isSearching ? { kind: 'ALL' } : this.#chosen
  }

  #buttons(): readonly HTMLElement[] {
    return [...this.#list.querySelectorAll('button')]
  }

  #write(): void {
    const shown = keyOf(this.#shown)
    for (const [index, button] of this.#buttons().entries()) {
      const tab = this.#tabs[index] ?? { kind: 'ALL' }
      const isShown = keyOf(tab) === shown
      setText(button, titleOf(tab))
      button.ariaSelected = String(isShown)
      button.tabIndex = isShown ? 0 : -1
      if (isShown) button.setAttribute('aria-controls', 'markets-body')
      else button.removeAttribute('aria-controls')
    }
    byId('markets-body', HTMLElement).setAttribute('aria-labelledby', `markets-tab-${shown}`)
  }
}

function keyOf(tab: Tab): string {
  return tab.kind === 'QUOTE' ? tab.code : tab.kind.toLowerCase()
}

function titleOf(tab: Tab): string {
  const { markets: words } = TEXTS
  switch (tab.kind) {
    case 'ALL':
      return words.all
    case 'FAVORITES':
      return `★ ${words.favorites}`
    case 'QUOTE':
      return tab.code
  }
}

export class MarketHeads {
  readonly #buttons = SORT_KEYS.map((key) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = `market-head-${key}`
    button.addEventListener('click', () => {
      this.#sort = nextSort(this.#sort, key)
      this.#write()
      this.#onSort()
    })
    return [key, button] as const
  })
  readonly #onSort: () => void
  #sort: Sort

  constructor(onSort: () => void) {
    this.#onSort = onSort
    byId('market-heads', HTMLElement).append(...this.#buttons.map(([, button]) => button))
    onLanguage(() => this.#write())
  }

  get sort(): Sort {
    return this.#sort
  }

  #write(): void {
    const { markets: words } = TEXTS
    for (const [key, button] of this.#buttons) {
      const isSorted = this.#sort?.key === key
      const isDescending = this.#sort?.isDescending === true
      setText(button, words.heads[key])
      setData(button, 'sorted', isSorted ? (isDescending ? 'descending' : 'ascending') : undefined)
      button.ariaPressed = String(isSorted)
      const head = words.heads[key]
      if (!isSorted) button.ariaLabel = head
      else button.ariaLabel = isDescending ? words.descending(head) : words.ascending(head)
    }
  }
}
