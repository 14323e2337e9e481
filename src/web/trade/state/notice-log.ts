/** The notices of the page: the newest ones visible for a while, and the last ones in a log. */
import { signal } from '@preact/signals'

export type Notice = {
  readonly id: number
  /** Its text in the current language, evaluated when it is displayed. */
  readonly say: () => string
  readonly isProblem: boolean
  /** The user of this page did not cause it. */
  readonly isNews: boolean
  /** The order or list that it is about. */
  readonly orderId?: string | undefined
  /** In milliseconds, by this machine's clock. */
  readonly at: number
}

export type NewNotice = {
  /** `count`: the number of notices of its group within a short time, this one included. */
  readonly say: (count: number) => string
  readonly isProblem?: boolean
  readonly isNews?: boolean
  readonly orderId?: string | undefined
  /** A notice replaces the previous one of the same group within a short time. */
  readonly group?: string
}

/** Maximum number of notices that are visible or folded; older ones are only in the log. */
export const SHOWN_MAX = 20
export const LOG_MAX = 100
/** The time within which notices of one group are combined. */
export const GROUP_MS = 3_000
/** The time for which news is visible. */
export const NEWS_MS = 15_000
/**
 * The time for which the outcome of an action on this page is visible: the user is looking at it. A problem
 * stays until it is dismissed.
 */
export const ANSWER_MS = 8_000
/**
 * The time for which notices stay visible after the user has stopped reading them, if their own time is over.
 */
export const RELEASED_MS = 4_000
/** Many trades arrive within a short time: the notice is announced after this pause. */
export const SETTLE_MS = 1_000
/** Number of announced notices that remain readable for a screen reader. */
export const SPOKEN_MAX = 5

/** The text for screen readers: each notice once, as it was at that time. */
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
      // None if the group is about several orders.
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

  /** Dismisses all visible notices. */
  dismissAll(): void {
    this.shown.value = []
  }

  /** While the user is reading them, or the page is not visible, none disappears automatically. */
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

  /**
   * For another account: nothing of the previous one stays visible, in the log or readable for a screen
   * reader, and no later notice joins one of its groups.
   */
  reset(): void {
    this.clear()
    this.spoken.value = []
    this.#groups.clear()
  }

  /** Replaces the notice with the same id; otherwise becomes the first. */
  #with(notices: readonly Notice[], notice: Notice): readonly Notice[] {
    return notices.some(({ id }) => id === notice.id)
      ? notices.map((other) => (other.id === notice.id ? notice : other))
      : [notice, ...notices]
  }

  /** Unless another notice of its group arrives in the meantime, or notices are being held at that time. */
  #fadeLater(notice: Notice, delayMs: number): void {
    if (notice.isProblem) return
    this.#clock.schedule(delayMs, () => {
      if (!this.#isHeld && this.shown.peek().includes(notice)) this.dismiss(notice.id)
    })
  }

  #isOver({ at, isNews }: Notice): boolean {
    return this.#clock.now() - at >= (isNews ? NEWS_MS : ANSWER_MS)
  }

  /** A notice that was removed in the meantime is not announced. */
  #speak(id: number): void {
    const notice = this.log.peek().find((each) => each.id === id)
    if (notice === undefined) return
    this.spoken.value = [...this.spoken.peek(), { id, text: notice.say() }].slice(-SPOKEN_MAX)
  }
}
