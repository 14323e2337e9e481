/**
 * Limits for all connections of one address together: frames, bytes and messages, each at a rate with a
 * burst. A single connection stays within its own limit by sending little, but an address may have hundreds,
 * and they all use the one thread that serves every client.
 */
import { WIDER_TIMES, widerKeys } from '../../access/auth/address.ts'
import type { StreamConfig } from '../config.ts'
import { Allowance } from './allowance.ts'

export type AddressIntakeConfig = Pick<
  StreamConfig,
  | 'framesPerAddressPerSecondMax'
  | 'framesPerAddressBurstMax'
  | 'receivedBytesPerAddressPerSecondMax'
  | 'receivedBytesPerAddressBurstMax'
  | 'messagesPerAddressPerSecondMax'
  | 'messagesPerAddressBurstMax'
>

/**
 * Number of addresses without a connection whose use is remembered, so that a client cannot reset it by
 * reconnecting.
 */
const GONE_MAX = 10_000

export class AddressIntake {
  readonly #frames: Allowance
  readonly #bytes: Allowance
  readonly #messages: Allowance
  /** The limits of the networks that contain the address. */
  readonly #wider: readonly AddressIntake[]

  /** `times`: the multiple of the limits of one address. */
  constructor(config: AddressIntakeConfig, times = 1, wider: readonly AddressIntake[] = []) {
    const allowance = (perSecond: number, burst: number) => new Allowance(times * perSecond, times * burst)
    this.#frames = allowance(config.framesPerAddressPerSecondMax, config.framesPerAddressBurstMax)
    this.#bytes = allowance(
      config.receivedBytesPerAddressPerSecondMax,
      config.receivedBytesPerAddressBurstMax,
    )
    this.#messages = allowance(config.messagesPerAddressPerSecondMax, config.messagesPerAddressBurstMax)
    this.#wider = wider
  }

  /**
   * Counts frames with this number of bytes together. False if it exceeds the limit of the address, or of a
   * network that contains it.
   */
  admits(bytes: number, frames: number, now: number): boolean {
    const areFramesThere = this.#frames.takeIfThere(frames, now)
    if (!this.#bytes.takeIfThere(bytes, now) || !areFramesThere) return false
    return this.#wider.every((network) => network.admits(bytes, frames, now))
  }

  /** Counts messages before they are read; if it returns false, they must not be read. */
  admitsMessages(count: number, now: number): boolean {
    if (!this.#messages.takeIfThere(count, now)) return false
    return this.#wider.every((network) => network.admitsMessages(count, now))
  }
}

type Entry = { readonly intake: AddressIntake; connections: number }

export class AddressIntakes {
  readonly #config: AddressIntakeConfig
  /** The number of addresses and of networks that contain them. */
  readonly #entryByKey = new Map<string, Entry>()
  /** Addresses without a connection, in the order in which they lost their last one. */
  readonly #gone = new Set<string>()

  constructor(config: AddressIntakeConfig) {
    this.#config = config
  }

  /** A connection is being opened, `key` in the form of `limitKey`; must be followed by `closed`. */
  opened(key: string): AddressIntake {
    const networks = widerKeys(key).map((network, at) => this.#opened(network, WIDER_TIMES[at] ?? 1, []))
    return this.#opened(key, 1, networks)
  }

  closed(key: string): void {
    for (const each of [key, ...widerKeys(key)]) this.#closed(each)
  }

  #opened(key: string, times: number, wider: readonly AddressIntake[]): AddressIntake {
    let entry = this.#entryByKey.get(key)
    if (entry === undefined) {
      entry = { intake: new AddressIntake(this.#config, times, wider), connections: 0 }
      this.#entryByKey.set(key, entry)
    }
    this.#gone.delete(key)
    entry.connections++
    return entry.intake
  }

  #closed(key: string): void {
    const entry = this.#entryByKey.get(key)
    if (entry === undefined || --entry.connections > 0) return
    this.#gone.add(key)
    if (this.#gone.size <= GONE_MAX) return
    const [oldest = key] = this.#gone
    this.#gone.delete(oldest)
    this.#entryByKey.delete(oldest)
  }
}
