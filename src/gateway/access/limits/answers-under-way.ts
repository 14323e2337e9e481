/**
 * How much memory answers hold that have been begun and that their clients have not taken yet, in all and for each address.
 * Short answers are not counted: a connection has one at a time, and the system's socket buffer takes it.
 */

import type { LimitUse } from '../../../wire/account-limits.ts'

export type AnswersUnderWayConfig = {
  /** Most bytes for all addresses together. */
  readonly answerBytesMax: number
  /** Most bytes for one address. */
  readonly answerBytesPerAddressMax: number
}

/** Gives a reservation back; doing so again changes nothing. */
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

  /** What an address holds of what it may. */
  use(address: string): LimitUse {
    return { used: this.#bytesByAddress.get(address) ?? 0, max: this.#config.answerBytesPerAddressMax }
  }

  /** Reserves `bytes` for an answer to `address`; undefined: there is no room. */
  reserve(address: string, bytes: number): Release | undefined {
    const { answerBytesMax, answerBytesPerAddressMax } = this.#config
    const own = this.#bytesByAddress.get(address) ?? 0
    if (own + bytes > answerBytesPerAddressMax) return undefined
    if (this.#bytes + bytes > answerBytesMax) return undefined
    this.#add(address, bytes)
    let isReserved = true
    return () => {
      if (isReserved) this.#add(address, -bytes)
      isReserved = false
    }
  }

  #add(address: string, bytes: number): void {
    this.#bytes += bytes
    const own = (this.#bytesByAddress.get(address) ?? 0) + bytes
    if (own > 0) this.#bytesByAddress.set(address, own)
    else this.#bytesByAddress.delete(address)
  }
}
