/** A channel whose every message is its whole state: the newest, and only when it is another than the one before. */
import type { TradingSymbol } from '../../../core/registry/records.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { eventJson } from '../../../wire/stream.ts'
import { seqMembers, type Topic, topicMembers } from '../../../wire/stream-channels.ts'
import { Frame } from '../link.ts'
import { type Channel, type MarketEvent, type Part, singlePart } from './channel.ts'

export type StateChannelOptions = {
  readonly topic: Topic
  readonly symbol: TradingSymbol
  /** The last command whose effects the market shows. */
  readonly seq: Seq
  /** The state of the market as members of an object, each behind a comma. */
  readonly write: () => string
  /** Whether an event may change it. */
  readonly isOfConcern: (event: MarketEvent) => boolean
  /** Whether it is of what may be done in the symbol; else of its market. */
  readonly isStatus?: boolean
  /** A member that says of when the state is, behind a comma; undefined: none does. */
  readonly writeTime?: () => string
  /** When time alone next changes the state; undefined: it never does. */
  readonly nextChangeAt?: () => TimeMs
}

export const CHANGES_BOOK: StateChannelOptions['isOfConcern'] = ({ kind }) => kind === 'LevelChanged'
export const CHANGES_NOTHING: StateChannelOptions['isOfConcern'] = () => false
export const CHANGES_MARKET: StateChannelOptions['isOfConcern'] = () => true

export class StateChannel implements Channel {
  readonly #options: StateChannelOptions
  readonly #head: string
  /** Of the newest message. */
  #seq: Seq
  #state: string
  /** Of the state. */
  #time: string
  #dueAt: TimeMs | undefined
  /** Of what was added last; undefined: nothing was since the last `take`. */
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

  /** Nothing waits here but the fact that there is something newer, which does not grow. */
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
