/** The title of the window: the market that is looked at, and before it, while nobody looks at the page, what was filled last. */

/** How often it may change; browsers are slow at it. */
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
  /** Its words, in the language that is shown when they are read. */
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

  /** What was filled while somebody looks at the page is seen there. */
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
