/**
 * Announcements of all existing entries, in pages. Each announcement is made by one of several processes. An
 * entry that is opened during an announcement counts as announced. One that ends during an announcement stays
 * ended, since a page that still lists it may have been read before. Names are random and never used again.
 */

/**
 * Maximum number of announcements in progress; beyond it, the oldest one is forgotten, and its process begins
 * again.
 */
export const ANNOUNCEMENTS_MAX = 64
/** An announcement that receives no further page for this long is forgotten. */
export const ANNOUNCEMENT_MS = 120_000
/** An ended name is refused for at least this long, since a request that opens it may still be in transit. */
export const ENDED_MS = 60_000
/** Maximum number of names of ended entries that are remembered. */
export const ENDED_MAX = 400_000

type UnderWay = { readonly began: number; lastMs: number }

export class Announcements {
  readonly #nowMs: () => number
  readonly #underWayById = new Map<string, UnderWay>()
  /** In the order in which the entries ended. */
  readonly #endedAtByName = new Map<string, number>()
  #now = 0

  /** `nowMs`: monotonic milliseconds. */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * The number to store with each entry that is opened or announced now: later numbers are greater or equal.
   */
  get now(): number {
    return this.#now
  }

  /** Begins an announcement; a repeat begins again from the first page. */
  begin(id: string): void {
    this.#underWayById.delete(id)
    this.#underWayById.set(id, { began: ++this.#now, lastMs: this.#nowMs() })
    if (this.#underWayById.size <= ANNOUNCEMENTS_MAX) return
    for (const oldest of this.#underWayById.keys()) {
      this.#underWayById.delete(oldest)
      break
    }
  }

  /**
   * Receives another page of an announcement; returns false if the announcement has not begun here, or is
   * forgotten.
   */
  goOn(id: string): boolean {
    this.#forgetOld()
    const underWay = this.#underWayById.get(id)
    if (underWay === undefined) return false
    underWay.lastMs = this.#nowMs()
    return true
  }

  /**
   * Notes that all pages of the announcement were read: entries stored with a smaller number have ended.
   * Returns undefined if it is not in progress.
   */
  finish(id: string): number | undefined {
    const underWay = this.#underWayById.get(id)
    this.#underWayById.delete(id)
    return underWay?.began
  }

  ended(name: string): void {
    this.#endedAtByName.delete(name)
    this.#endedAtByName.set(name, this.#nowMs())
    if (this.#endedAtByName.size > ENDED_MAX) {
      // A page could reopen the forgotten names.
      this.#underWayById.clear()
      for (const oldest of this.#endedAtByName.keys()) {
        this.#endedAtByName.delete(oldest)
        break
      }
    }
  }

  isEnded(name: string): boolean {
    this.#forgetOld()
    return this.#endedAtByName.has(name)
  }

  /** Forgets all announcements in progress. */
  clear(): void {
    this.#underWayById.clear()
    this.#endedAtByName.clear()
  }

  #forgetOld(): void {
    const nowMs = this.#nowMs()
    for (const [id, { lastMs }] of this.#underWayById)
      if (nowMs - lastMs >= ANNOUNCEMENT_MS) this.#underWayById.delete(id)
    if (this.#underWayById.size > 0) return
    for (const [name, atMs] of this.#endedAtByName) {
      if (nowMs - atMs < ENDED_MS) return
      this.#endedAtByName.delete(name)
    }
  }
}
