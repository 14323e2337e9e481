/**
 * The content and form of messages that are published to the members of a room. A channel depends on the
 * market and the form of its messages; it is independent of the members and of the times of delivery.
 */
import type { LevelChanged, OrdersMatched } from '../../../core/events/event.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import type { Frame } from '../link.ts'

/** Changes of a market. */
export type MarketEvent = OrdersMatched | LevelChanged

/** Messages that are sent together. */
export type Part = { readonly frames: readonly Frame[]; readonly bytes: number }

/** Maximum number of bytes of a part, unless a single message is longer. */
export const PART_BYTES = 32 * 1024

export interface Channel {
  /** Number of matches and changed prices that were added and have not been taken. */
  readonly queued: number

  /**
   * Adds the events of the symbol in a batch that ends with command `seq`; false if this channel publishes
   * none of them. The market's view contains the batch already.
   */
  add(event: MarketEvent, seq: Seq): boolean

  /**
   * The state of the symbol or the phase of the exchange has changed with command `seq`; false if this
   * channel does not publish it. The market's view contains the batch already.
   */
  changeStatus?(seq: Seq): boolean

  /**
   * Journal time at which the published data next changes merely because time passes; undefined if it never
   * does.
   */
  readonly dueAt: TimeMs | undefined

  /**
   * Notes that journal time has reached `dueAt`, with command `seq` or after it. This must do no work, since
   * thousands of channels may be due at the same time. False if this channel publishes nothing of it.
   */
  pass(time: TimeMs, seq: Seq): boolean

  /**
   * The messages about the additions, in order; each part is created on demand. Later additions are for the
   * next call.
   */
  take(): Iterable<Part>

  /** Added changes are not published. The next `take` begins from the market at that time. */
  forget(): void

  /**
   * The state for a new member, which the next `take` changes. Only valid if nothing has been added since the
   * last one. Undefined if it must be read first; the host is then asked to `refresh`.
   */
  snapshot(): readonly Frame[] | undefined

  /** Called when the channel has no more listeners. */
  close?(): void
}

/** The room of a channel. */
export interface ChannelHost {
  /** Called when the state is available. */
  refresh(): void
  /** Called when the returned state is no longer valid. */
  forgetSnapshot(): void
}

/** A part of one message. */
export function singlePart(frame: Frame): Part {
  return { frames: [frame], bytes: frame.length }
}
