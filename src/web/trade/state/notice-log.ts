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

/** In sight, or behind a fold. Older ones are in the log alone. */
export const SHOWN_MAX = 20
export const LOG_MAX = 100
/** For so long things of one kind are one notice. */
export const GROUP_MS = 3_000
/** For so long what happened by itself is in sight. */
export const NEWS_MS = 15_000
/** For so long the answer to what was done on this page is in sight: whoever did it looks at it. One of a problem stays until it is dismissed. */
export const ANSWER_MS = 8_000
/** For so long notices stay that were held beyond their time. */
export const RELEASED_MS = 4_000
/** Trades of a storm come within a moment: what is said of them aloud is said behind it. */
export const SETTLE_MS = 1_000
/** What was said aloud and stays readable. */
export const SPOKEN_MAX = 5

/** What a screen reader says: each notice once, in the words that it had then. */
export type Spoken = { readonly id: number; readonly text: string }

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
  /** Oldest first. */
  readonly spoken = signal<readonly Spoken[]>([])
  readonly #clock: NoticeClock
  readonly #groups = new Map<string, Grouped>()
  #count = 0
  #isHeld = false

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
    this.#fadeLater(notice, isNews ? NEWS_MS : ANSWER_MS)
    if (!isSame && isNews) this.#clock.schedule(SETTLE_MS, () => this.#speak(notice.id))
    else if (!isSame) this.#speak(notice.id)
    for (const [name, last] of this.#groups) if (now - last.notice.at > GROUP_MS) this.#groups.delete(name)
  }

  dismiss(id: number): void {
    this.shown.value = this.shown.peek().filter((notice) => notice.id !== id)
  }

  /** All that are in sight. */
  dismissAll(): void {
    this.shown.value = []
  }

  /** While somebody reads them, or nobody looks at the page, none goes by itself. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    if (!isHeld)
      for (const notice of this.shown.peek()) if (this.#isOver(notice)) this.#fadeLater(notice, RELEASED_MS)
  }

  clear(): void {
    this.shown.value = []
    this.log.value = []
  }

  /** Another account: nothing of the one before is in sight, in the log or for a screen reader, and nothing that comes is of a group of it. */
  reset(): void {
    this.clear()
    this.spoken.value = []
    this.#groups.clear()
  }

  /** In place of itself, otherwise first. */
  #with(notices: readonly Notice[], notice: Notice): readonly Notice[] {
    return notices.some(({ id }) => id === notice.id)
      ? notices.map((other) => (other.id === notice.id ? notice : other))
      : [notice, ...notices]
  }

  /** Unless another one of its group comes meanwhile, or it is held then. */
  #fadeLater(notice: Notice, delayMs: number): void {
    if (notice.isProblem) return
    this.#clock.schedule(delayMs, () => {
      if (!this.#isHeld && this.shown.peek().includes(notice)) this.dismiss(notice.id)
    })
  }

  #isOver({ at, isNews }: Notice): boolean {
    return this.#clock.now() - at >= (isNews ? NEWS_MS : ANSWER_MS)
  }

  /** Cleared meanwhile, it is not said. */
  #speak(id: number): void {
    const notice = this.log.peek().find((each) => each.id === id)
    if (notice === undefined) return
    this.spoken.value = [...this.spoken.peek(), { id, text: notice.say() }].slice(-SPOKEN_MAX)
  }
}
