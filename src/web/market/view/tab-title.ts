/** The title of the window: the displayed market, preceded by the last fill while the page is not visible. */

/** Shortest time between two changes: changing the title is slow in browsers. */
const CHANGED_EVERY_MS = 1_000

export type TitledPage = {
  title: string
  readonly hidden: boolean
  readonly addEventListener: (type: 'visibilitychange', listener: () => void) => void
}

export class TabTitle {
  readonly #page: TitledPage
  readonly #schedule: (delayMs: number, callback: () => void) => void
  #market = ''
  /** Its text in the current language, evaluated when it is displayed. */
  #fill: (() => string) | undefined
  #isWaiting = false

  constructor(page: TitledPage, schedule: (delayMs: number, callback: () => void) => void) {
    this.#page = page
    this.#schedule = schedule
    page.addEventListener('visibilitychange', () => {
      if (page.hidden || this.#fill === undefined) return
      this.#fill = undefined
      this.#write()
    })
  }

  showMarket(title: string): void {
    this.#market = title
    this.#write()
  }

  /** Fills while the page is visible are not added to the title. */
  showFill(say: () => string): void {
    if (!this.#page.hidden) return
    this.#fill = say
    this.#write()
  }

  #write(): void {
    const title = this.#fill === undefined ? this.#market : `● ${this.#fill()} · ${this.#market}`
    if (this.#isWaiting || this.#page.title === title) return
    this.#page.title = title
    this.#isWaiting = true
    this.#schedule(CHANGED_EVERY_MS, () => {
      this.#isWaiting = false
      this.#write()
    })
  }
}
