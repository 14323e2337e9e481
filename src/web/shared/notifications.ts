/**
 * Browser notifications, while the page is not visible. They are off until the user switches them on, which
 * is the only time the page asks for the browser's permission. There is one switch for the whole page, stored
 * in this browser; nothing is shown after the page is closed.
 */
import { browserEntry, type Entry } from './browser-entry.ts'
import { type BrowserStorage, browserStorage } from './browser-storage.ts'

export const NOTIFY_ENTRY = 'bourse-alerts-notify'

/** The same text is shown only once within this time: a price alert is a notice too. */
const SAME_MS = 2_000

/** The parts of the browser that it uses; `api` is undefined if the browser has no notifications. */
export type NotifyingBrowser = {
  readonly storage: BrowserStorage
  readonly api: Pick<typeof Notification, 'permission' | 'requestPermission'> | undefined
  /** Throws if the browser allows notifications only for installed pages. */
  readonly show: (text: string) => void
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export class Notifications {
  readonly #browser: NotifyingBrowser
  readonly #entry: Entry<boolean>
  readonly #watchers = new Set<() => void>()
  #isOn: boolean
  #last: { readonly text: string; readonly at: number } | undefined

  constructor(browser: NotifyingBrowser) {
    this.#browser = browser
    this.#entry = browserEntry(browser.storage, NOTIFY_ENTRY, (kept) => kept === true)
    this.#isOn = this.#entry.read()
    this.#entry.watch(() => this.#show(this.#entry.read()))
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /**
   * Calls the listener when the switch changes, in this tab or another, until the returned function is
   * called.
   */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /**
   * Must be called on a click. Asks for the browser's permission if the user has not decided yet. False if
   * the browser refuses.
   */
  async set(isOn: boolean): Promise<boolean> {
    const { api } = this.#browser
    const isAllowed = isOn && api !== undefined && (await api.requestPermission()) === 'granted'
    this.#entry.write(isAllowed)
    this.#show(isAllowed)
    return isAllowed === isOn
  }

  raise(text: string): void {
    const { api, show, now } = this.#browser
    if (!this.#isOn || api?.permission !== 'granted') return
    if (this.#last?.text === text && now() - this.#last.at < SAME_MS) return
    this.#last = { text, at: now() }
    try {
      show(text)
    } catch {
      // Phones allow notifications only for installed pages; the page says so.
    }
  }

  #show(isOn: boolean): void {
    this.#isOn = isOn
    for (const onChange of this.#watchers) onChange()
  }
}

let made: Notifications | undefined

/** The notifications of this page. */
export function pageNotifications(): Notifications {
  made ??= new Notifications({
    storage: browserStorage(window),
    api: typeof Notification === 'undefined' ? undefined : Notification,
    show: (text) => void new Notification(location.host, { body: text, tag: 'bourse' }),
    now: () => performance.now(),
  })
  return made
}
