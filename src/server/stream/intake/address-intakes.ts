/**
 * What all connections of one address may send together: frames, bytes and messages, each at a rate with a burst. A connection alone stays within
 * its own allowance by sending little, and an address may have hundreds; what they send is work for the one thread that serves everybody.
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

/** Addresses without a connection whose use is remembered: who leaves and comes back does not begin anew. */
const GONE_MAX = 10_000

export class AddressIntake {
  readonly #frames: Allowance
  readonly #bytes: Allowance
  readonly #messages: Allowance
  /** Of the networks that the address lies in. */
  readonly #wider: readonly AddressIntake[]

  /** `times`: how many times as much as one address. */
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

  /** Counts frames with so many bytes together. False: it is more than the address, or a network that it lies in, may send. */
  admits(bytes: number, frames: number, now: number): boolean {
    const areFramesThere = this.#frames.takeIfThere(frames, now)
    if (!this.#bytes.takeIfThere(bytes, now) || !areFramesThere) return false
    return this.#wider.every((network) => network.admits(bytes, frames, now))
  }

  /** Counts messages, before they are read. False: they are not to be. */
  admitsMessages(count: number, now: number): boolean {
    if (!this.#messages.takeIfThere(count, now)) return false
    return this.#wider.every((network) => network.admitsMessages(count, now))
  }
}

type Entry = { readonly intake: AddressIntake; connections: number }

export class AddressIntakes {
  readonly #config: AddressIntakeConfig
  /** Of addresses, and of the networks that they lie in. */
  readonly #entryByKey = new Map<string, Entry>()
  /** Those without a connection, in the order in which they lost their last. */
  readonly #gone = new Set<string>()

  constructor(config: AddressIntakeConfig) {
    this.#config = config
  }

  /** Of a connection that is being opened, `key` as `limitKey` gives it; to be followed by `closed`. */
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
