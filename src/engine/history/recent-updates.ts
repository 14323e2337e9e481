/** The newest updates of accounts, kept in memory so that those who follow what happens now never have them read. */
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import type { UpdatesAfter } from '../port/ports.ts'
import { UPDATE_PARTS_MAX } from './account-updates.ts'
import { partsOf, readUpdates, type StoredUpdate, type UpdateBlock } from './update-codec.ts'
import type { FoundUpdates } from './update-pages.ts'

type Kept = { readonly last: Seq; readonly data: Uint8Array }

/** What is found of an account. One has enough with as much as an answer holds: who is far behind asks again, and reads on from there. */
type Search = UpdatesAfter & { readonly updates: StoredUpdate[]; parts: number }

export class RecentUpdates {
  readonly #bytesMax: number
  /** Oldest first; those before `start` are let go of in bulk. */
  #blocks: Kept[] = []
  #start = 0
  #bytes = 0
  /** Everything after this command is here. */
  #after: Seq

  /** Keeps at most so much of what comes after command `after`. */
  constructor(bytesMax: number, after: Seq) {
    this.#bytesMax = bytesMax
    this.#after = after
  }

  /** Those of the commands after all before, up to `last`. */
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
   * Those of each account after a command, oldest first, as far as one answer goes; all of them up to `end` are here. A block is read once for
   * all accounts that have not enough, and not at all where all who want it have.
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

  /** The place of the first block that one of them wants; behind the last: none does. */
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
