/**
 * The memory of answers that have been started and not yet read by their clients, in total and for each
 * address. Short answers are not counted: a connection has one at a time, and the system's socket buffer
 * takes it.
 */

import type { LimitUse } from '../../../contract/api/account-limits.ts'
import { keysOf, timesOf } from '../auth/address.ts'

export type AnswersUnderWayConfig = {
  /** Maximum number of bytes for all addresses together. */
  readonly answerBytesMax: number
  /** Maximum number of bytes for one address; a /56 of IPv6 has four times as many, a /48 sixteen times. */
  readonly answerBytesPerAddressMax: number
}

/** Releases a reservation; a repeat changes nothing. */
export type Release = () => void

export class AnswersUnderWay {
  readonly #config: AnswersUnderWayConfig
  readonly #bytesByAddress = new Map<string, number>()
  #bytes = 0

  constructor(config: AnswersUnderWayConfig) {
    this.#config = config
  }

  /** Bytes reserved now. */
  get bytes(): number {
    return this.#bytes
  }

  /** The share of its limit that an address uses. */
  use(address: string): LimitUse {
    return { used: this.#bytesByAddress.get(address) ?? 0, max: this.#config.answerBytesPerAddressMax }
  }

  /** Reserves `bytes` for an answer to `address`; undefined if there is no room. */
  reserve(address: string, bytes: number): Release | undefined {
    const { answerBytesMax, answerBytesPerAddressMax } = this.#config
    const fits = keysOf(address).every(
      (key, at) => (this.#bytesByAddress.get(key) ?? 0) + bytes <= timesOf(at) * answerBytesPerAddressMax,
    )
    if (!fits || this.#bytes + bytes > answerBytesMax) return undefined
    this.#add(address, bytes)
    let isReserved = true
    return () => {
      if (isReserved) this.#add(address, -bytes)
      isReserved = false
    }
  }

  #add(address: string, bytes: number): void {
    this.#bytes += bytes
    for (const key of keysOf(address)) {
      const held = (this.#bytesByAddress.get(key) ?? 0) + bytes
      if (held > 0) this.#bytesByAddress.set(key, held)
      else this.#bytesByAddress.delete(key)
    }
  }
}
