/**
 * A channel whose messages each contain its whole state: the newest one, and only if it differs from the
 * previous one.
 */

import { eventJson } from '../../../contract/stream/stream.ts'
import { seqMembers, type Topic, topicMembers } from '../../../contract/stream/stream-channels.ts'
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { Frame } from '../link.ts'
import { type Channel, type MarketEvent, type Part, singlePart } from './channel.ts'

export type StateChannelOptions = {
  readonly topic: Topic
  readonly symbol: TradingSymbol
  /** The last command whose effects the market shows. */
  readonly seq: Seq
  /** The state of the market as members of an object, each after a comma. */
  readonly write: () => string
  /** Whether an event may change the state. */
  readonly isOfConcern: (event: MarketEvent) => boolean
  /** Whether the state is about the symbol's permitted operations; otherwise about its market. */
  readonly isStatus?: boolean
  /** Writes a member with the time of the state, after a comma; undefined if the state has no time. */
  readonly writeTime?: () => string
  /** The time at which the state next changes merely because time passes; undefined if it never does. */
  readonly nextChangeAt?: () => TimeMs
}

export const CHANGES_BOOK: StateChannelOptions['isOfConcern'] = ({ kind }) => kind === 'LevelChanged'
export const CHANGES_NOTHING: StateChannelOptions['isOfConcern'] = () => false
export const CHANGES_MARKET: StateChannelOptions['isOfConcern'] = () => true

export class StateChannel implements Channel {
  readonly #options: StateChannelOptions
  readonly #head: string
  /** The command of the newest message. */
  #seq: Seq
  #state: string
  /** The member with the time of the state; empty if there is none. */
  #time: string
  #dueAt: TimeMs | undefined
  /** The command of the last addition; undefined if there was none since the last `take`. */
  #addedSeq: Seq | undefined

  constructor(options: StateChannelOptions) {
    this.#options = options
    this.#head = topicMembers(options.symbol.name, options.topic)
    this.#seq = options.seq
    this.#state = options.write()
    this.#time = options.writeTime?.() ?? ''
    this.#dueAt = options.nextChangeAt?.()
  }

  get queued(): number {
    return this.#addedSeq === undefined ? 0 : 1
  }

  get dueAt(): TimeMs | undefined {
    return this.#dueAt
  }

  add(event: MarketEvent, seq: Seq): boolean {
    if (!this.#options.isOfConcern(event)) return false
    this.#addedSeq = seq
    return true
  }

  changeStatus(seq: Seq): boolean {
    if (this.#options.isStatus !== true) return false
    this.#addedSeq = seq
    return true
  }

  pass(_time: TimeMs, seq: Seq): boolean {
    this.#dueAt = this.#options.nextChangeAt?.()
    this.#addedSeq = seq
    return true
  }

  take(): Iterable<Part> {
    const [seq, prevSeq, state] = [this.#addedSeq, this.#seq, this.#options.write()]
    this.#addedSeq = undefined
    if (seq === undefined || state === this.#state) return []
    this.#seq = seq
    this.#state = state
    this.#time = this.#options.writeTime?.() ?? ''
    return [singlePart(this.#message(prevSeq))]
  }

  /** Only the fact that there is a newer state is kept, and its size does not grow. */
  forget(): void {}

  snapshot(): readonly Frame[] {
    return [this.#message(undefined)]
  }

  #message(prevSeq: Seq | undefined): Frame {
    const members = seqMembers(this.#seq, prevSeq)
    return new Frame(
      eventJson(this.#options.topic.channel, `{${this.#head},${members}${this.#state}${this.#time}}`),
    )
  }
}
