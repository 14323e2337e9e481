/**
 * The browser's own notifications, for a page that nobody looks at. They are off until somebody switches them on: the browser's question is asked by that switch alone.
 * There is one switch for the page, kept in this browser; nothing is said after the page is closed.
 */
import { browserEntry, type Entry } from './browser-entry.ts'
import { type BrowserStorage, browserStorage } from './browser-storage.ts'

export const NOTIFY_ENTRY = 'bourse-alerts-notify'

/** The same text within that time is said once: a price alert is a notice too. */
const SAME_MS = 2_000

/** The parts of the browser that it takes; `api` undefined: it has no notifications. */
export type NotifyingBrowser = {
  readonly storage: BrowserStorage
  readonly api: Pick<typeof Notification, 'permission' | 'requestPermission'> | undefined
  /** Throws where the browser lets installed pages alone do it. */
  readonly show: (text: string) => void
  /** In milliseconds, of a clock that never goes back. */
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

  /** Calls when it is switched, in this tab or another. It ends when what it gives is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => this.#watchers.delete(onChange)
  }

  /** By a button alone. Asks the browser's question where it was not answered yet. False: the browser does not allow it. */
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
      // Phones have them for installed pages alone: the page says it.
    }
  }

  #show(isOn: boolean): void {
    this.#isOn = isOn
    for (const onChange of this.#watchers) onChange()
  }
}

let made: Notifications | undefined

/** Those of this page. */
export function pageNotifications(): Notifications {
  made ??= new Notifications({
    storage: browserStorage(window),
    api: typeof Notification === 'undefined' ? undefined : Notification,
    show: (text) => void new Notification(location.host, { body: text, tag: 'bourse' }),
    now: () => performance.now(),
  })
  return made
}
