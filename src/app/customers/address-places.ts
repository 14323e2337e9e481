/** Limits the concurrent requests of one address, so that a flood from it leaves room for others. */
import { limitKey } from '../../server/access/auth/address.ts'
import { ConnectionCounter } from '../../server/access/limits/connection-counter.ts'

/**
 * Maximum number of concurrent requests of one address (in IPv6, of a /64). A /56 may have four times as
 * many: half of the places of a process.
 */
export const OF_ADDRESS_MAX = 8

export class AddressPlaces {
  readonly #counter = new ConnectionCounter({
    connectionsMax: Number.POSITIVE_INFINITY,
    connectionsPerAddressMax: OF_ADDRESS_MAX,
  })

  /** Returns undefined, without doing any work, if too many requests of this address are in progress. */
  async within<Result>(address: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const key = limitKey(address)
    if (!this.#counter.admits(key)) return undefined
    this.#counter.opened(key)
    try {
      return await work()
    } finally {
      this.#counter.closed(key)
    }
  }
}
