/** The newest updates of accounts, kept in memory so that those who follow what happens now never have them read. */
import type { AccountId } from '../units/ids.ts'
import type { Seq } from '../units/quantities.ts'
import type { UpdatesAfter } from './ports.ts'
import { readUpdates, type StoredUpdate, type UpdateBlock } from './update-codec.ts'

type Kept = { readonly last: Seq; readonly data: Uint8Array }

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

  /** Those of each account after a command, oldest first; all of them are here. Blocks are read once for all accounts. */
  after(asked: readonly UpdatesAfter[]): ReadonlyMap<AccountId, readonly StoredUpdate[]> {
    const found = new Map<AccountId, StoredUpdate[]>()
    const afterByAccount = new Map<AccountId, Seq>()
    let oldest = Number.POSITIVE_INFINITY
    for (const { accountId, after } of asked) {
      found.set(accountId, [])
      afterByAccount.set(accountId, after)
      oldest = Math.min(oldest, after)
    }
    for (let i = this.#firstAfter(oldest); i < this.#blocks.length; i++) {
      const { data } = this.#blocks[i] as Kept
      readUpdates(
        data,
        (accountId) => afterByAccount.has(accountId),
        (update) => {
          if (update.seq > (afterByAccount.get(update.accountId) as Seq))
            found.get(update.accountId)?.push(update)
        },
      )
    }
    return found
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
