/** The newest updates of accounts, kept in memory so that those who follow what happens now never have them read. */
import type { AccountId } from '../units/ids.ts'
import type { Seq } from '../units/quantities.ts'
import { partsOf } from './account-updates.ts'
import type { StoredUpdate } from './ports.ts'

/** An account's, oldest first; those before `start` are let go of in bulk. */
type Kept = { updates: StoredUpdate[]; start: number }

export class RecentUpdates {
  readonly #partsMax: number
  readonly #keptByAccount = new Map<AccountId, Kept>()
  /** Of all accounts, oldest first; as above. */
  #all: StoredUpdate[] = []
  #start = 0
  #parts = 0
  /** Everything after this command is here. */
  #after: Seq

  /** Keeps at most so much (`partsOf`) of what comes after command `after`. */
  constructor(partsMax: number, after: Seq) {
    this.#partsMax = partsMax
    this.#after = after
  }

  /** Those of commands that come after all before. */
  add(updates: readonly StoredUpdate[]): void {
    for (const update of updates) {
      this.#all.push(update)
      this.#parts += partsOf(update)
      const kept = this.#keptByAccount.get(update.accountId)
      if (kept === undefined) this.#keptByAccount.set(update.accountId, { updates: [update], start: 0 })
      else kept.updates.push(update)
    }
    while (this.#parts > this.#partsMax) this.#dropOldest()
    if (this.#start > this.#all.length / 2) {
      this.#all = this.#all.slice(this.#start)
      this.#start = 0
    }
  }

  /** Those of an account after a command; undefined when some may be no longer here. */
  after(accountId: AccountId, after: Seq): readonly StoredUpdate[] | undefined {
    if (after < this.#after) return undefined
    const kept = this.#keptByAccount.get(accountId)
    if (kept === undefined) return []
    let low = kept.start
    let high = kept.updates.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((kept.updates[middle] as StoredUpdate).seq > after) high = middle
      else low = middle + 1
    }
    return kept.updates.slice(low)
  }

  #dropOldest(): void {
    const oldest = this.#all[this.#start++] as StoredUpdate
    this.#parts -= partsOf(oldest)
    this.#after = oldest.seq
    const kept = this.#keptByAccount.get(oldest.accountId) as Kept
    kept.start++
    if (kept.start === kept.updates.length) this.#keptByAccount.delete(oldest.accountId)
    else if (kept.start > kept.updates.length / 2) {
      kept.updates = kept.updates.slice(kept.start)
      kept.start = 0
    }
  }
}
