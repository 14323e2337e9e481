/**
 * What all connections of one address may send together: frames, bytes and messages, each at a rate with a burst. A connection alone stays within
 * its own allowance by sending little, and an address may have hundreds; what they send is work for the one thread that serves everybody.
 */
import { Allowance } from './allowance.ts'
import type { StreamConfig } from './config.ts'

export type AddressIntakeConfig = Pick<
  StreamConfig,
  | 'framesPerAddressPerSecondMax'
  | 'framesPerAddressBurstMax'
  | 'receivedBytesPerAddressPerSecondMax'
  | 'receivedBytesPerAddressBurstMax'
  | 'messagesPerAddressPerSecondMax'
  | 'messagesPerAddressBurstMax'
>

/** Addresses without a connection whose use is remembered: who leaves and comes back does not begin anew. */
const GONE_MAX = 10_000

export class AddressIntake {
  readonly #frames: Allowance
  readonly #bytes: Allowance
  readonly #messages: Allowance

  constructor(config: AddressIntakeConfig) {
    this.#frames = new Allowance(config.framesPerAddressPerSecondMax, config.framesPerAddressBurstMax)
    this.#bytes = new Allowance(
      config.receivedBytesPerAddressPerSecondMax,
      config.receivedBytesPerAddressBurstMax,
    )
    this.#messages = new Allowance(config.messagesPerAddressPerSecondMax, config.messagesPerAddressBurstMax)
  }

  /** Counts frames with so many bytes together. False: it is more than the address may send. */
  admits(bytes: number, frames: number, now: number): boolean {
    const areFramesThere = this.#frames.takeIfThere(frames, now)
    return this.#bytes.takeIfThere(bytes, now) && areFramesThere
  }

  /** Counts messages, before they are read. False: they are not to be, and are not counted. */
  admitsMessages(count: number, now: number): boolean {
    return this.#messages.takeIfThere(count, now)
  }
}

type Entry = { readonly intake: AddressIntake; connections: number }

export class AddressIntakes {
  readonly #config: AddressIntakeConfig
  readonly #entryByAddress = new Map<string, Entry>()
  /** Addresses without a connection, in the order in which they lost their last. */
  readonly #gone = new Set<string>()

  constructor(config: AddressIntakeConfig) {
    this.#config = config
  }

  /** Of a connection that is being opened; to be followed by `closed`. */
  opened(address: string): AddressIntake {
    let entry = this.#entryByAddress.get(address)
    if (entry === undefined) {
      entry = { intake: new AddressIntake(this.#config), connections: 0 }
      this.#entryByAddress.set(address, entry)
    }
    this.#gone.delete(address)
    entry.connections++
    return entry.intake
  }

  closed(address: string): void {
    const entry = this.#entryByAddress.get(address)
    if (entry === undefined || --entry.connections > 0) return
    this.#gone.add(address)
    if (this.#gone.size <= GONE_MAX) return
    const [oldest = address] = this.#gone
    this.#gone.delete(oldest)
    this.#entryByAddress.delete(oldest)
  }
}
