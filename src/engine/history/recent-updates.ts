/** The newest updates of accounts, kept in memory so that clients that follow in real time cause no reads. */
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { UpdatesAfter } from '../port/ports.ts'
import { UPDATE_PARTS_MAX } from './account-updates.ts'
import { partsOf, readUpdates, type StoredUpdate, type UpdateBlock } from './update-codec.ts'
import type { FoundUpdates } from './update-pages.ts'

type Kept = { readonly last: Seq; readonly data: Uint8Array }

/**
 * The updates found for an account. The search for an account ends when its answer is full: a client that is
 * far behind asks again, and continues from there.
 */
type Search = UpdatesAfter & { readonly updates: StoredUpdate[]; parts: number }

export class RecentUpdates {
  readonly #bytesMax: number
  /** Oldest first; blocks before `start` are released in bulk. */
  #blocks: Kept[] = []
  #start = 0
  #bytes = 0
  /** All updates after this command are in memory. */
  #after: Seq

  /** Keeps at most `bytesMax` of the updates after command `after`. */
  constructor(bytesMax: number, after: Seq) {
    this.#bytesMax = bytesMax
    this.#after = after
  }

  /** Adds the updates of the next commands, up to `last`. */
  add({ data }: UpdateBlock, last: Seq): void {
    this.#blocks.push({ last, data })
    this.#bytes += data.length
    while (this.#bytes > this.#bytesMax) {
      const oldest = this.#blocks[this.#start++] as Kept
      this.#bytes -= oldest.data.length
      this.#after = oldest.last
    }
    if (this.#start > this.#blocks.length / 2) {
      this.#blocks = this.#blocks.slice(this.#start)
      this.#start = 0
    }
  }

  has({ after }: UpdatesAfter): boolean {
    return after >= this.#after
  }

  /**
   * Updates of each account after a command, oldest first, limited to one answer. All updates up to `end`
   * must be in memory. A block is read once for all accounts that need more, and not at all if none does.
   */
  after(asked: readonly UpdatesAfter[], end: Seq): ReadonlyMap<AccountId, FoundUpdates> {
    const searching = new Map<AccountId, Search>()
    const found = new Map<AccountId, FoundUpdates>()
    for (const { accountId, after } of asked) {
      const search = { accountId, after, updates: [], parts: 0 }
      searching.set(accountId, search)
      found.set(accountId, { updates: search.updates, upTo: end })
    }
    let i = this.#firstFor(searching)
    const take = (update: StoredUpdate): void => {
      const search = searching.get(update.accountId)
      if (search === undefined || update.seq <= search.after) return
      search.updates.push(update)
      search.parts += partsOf(update)
      if (search.parts < UPDATE_PARTS_MAX) return
      searching.delete(update.accountId)
      found.set(update.accountId, { updates: search.updates, upTo: update.seq })
    }
    while (i < this.#blocks.length) {
      const left = searching.size
      readUpdates((this.#blocks[i] as Kept).data, (accountId) => searching.has(accountId), take)
      i++
      if (searching.size < left) i = Math.max(i, this.#firstFor(searching))
    }
    return found
  }

  /** The index of the first block that any of the accounts needs; past the last block if none does. */
  #firstFor(searching: ReadonlyMap<AccountId, Search>): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const { after } of searching.values()) oldest = Math.min(oldest, after)
    return this.#firstAfter(oldest)
  }

  #firstAfter(after: number): number {
    let low = this.#start
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#blocks[middle] as Kept).last > after) high = middle
      else low = middle + 1
    }
    return low
  }
}
