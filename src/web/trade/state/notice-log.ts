/** What the page says by itself: the newest notices in sight for a while, and the last ones in a log. */
import { signal } from '@preact/signals'

export type Notice = {
  readonly id: number
  /** Its words, in the language that is shown when they are read. */
  readonly say: () => string
  readonly isProblem: boolean
  /** It happened by itself, and not as the answer to something that was done on this page. */
  readonly isNews: boolean
  /** Of the order or list that it is about. */
  readonly orderId?: string | undefined
  /** In milliseconds, by this machine's clock. */
  readonly at: number
}

export type NewNotice = {
  /** `count`: how often there was one of its group within a moment, this time included. */
  readonly say: (count: number) => string
  readonly isProblem?: boolean
  readonly isNews?: boolean
  readonly orderId?: string | undefined
  /** A notice of the same group within a moment takes the place of the one before. */
  readonly group?: string
}

/** In sight at once. */
export const SHOWN_MAX = 4
export const LOG_MAX = 100
/** For so long things of one kind are one notice. */
export const GROUP_MS = 3_000
/** For so long a notice is in sight; one of a problem until it is dismissed. */
export const SHOWN_MS = 15_000

export type NoticeClock = {
  readonly now: () => number
  readonly schedule: (delayMs: number, callback: () => void) => void
}

type Grouped = { readonly notice: Notice; readonly count: number }

export class NoticeLog {
  /** Newest first. */
  readonly shown = signal<readonly Notice[]>([])
  /** Newest first. */
  readonly log = signal<readonly Notice[]>([])
  readonly #clock: NoticeClock
  readonly #groups = new Map<string, Grouped>()
  #count = 0

  constructor(clock: NoticeClock) {
    this.#clock = clock
  }

  add({ say, isProblem = false, isNews = false, orderId, group }: NewNotice): void {
    const now = this.#clock.now()
    const before = group === undefined ? undefined : this.#groups.get(group)
    const isSame = before !== undefined && now - before.notice.at <= GROUP_MS
    const count = isSame ? before.count + 1 : 1
    const notice: Notice = {
      id: isSame ? before.notice.id : ++this.#count,
      say: () => say(count),
      isProblem,
      isNews,
      // Of several orders none.
      orderId: isSame && before.notice.orderId !== orderId ? undefined : orderId,
      at: now,
    }
    if (group !== undefined) this.#groups.set(group, { notice, count })
    this.shown.value = this.#with(this.shown.peek(), notice).slice(0, SHOWN_MAX)
    this.log.value = this.#with(this.log.peek(), notice).slice(0, LOG_MAX)
    if (!isProblem) this.#clock.schedule(SHOWN_MS, () => this.#fade(notice))
    for (const [name, last] of this.#groups) if (now - last.notice.at > GROUP_MS) this.#groups.delete(name)
  }

  dismiss(id: number): void {
    this.shown.value = this.shown.peek().filter((notice) => notice.id !== id)
  }

  clear(): void {
    this.shown.value = []
    this.log.value = []
  }

  /** In place of itself, otherwise first. */
  #with(notices: readonly Notice[], notice: Notice): readonly Notice[] {
    return notices.some(({ id }) => id === notice.id)
      ? notices.map((other) => (other.id === notice.id ? notice : other))
      : [notice, ...notices]
  }

  /** Unless another one of its group came meanwhile. */
  #fade(notice: Notice): void {
    if (this.shown.peek().includes(notice)) this.dismiss(notice.id)
  }
}
