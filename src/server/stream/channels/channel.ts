/**
 * What is published to the members of a room, and in which form. A channel knows the market and how its messages are written;
 * it knows nothing of members, nor of when they are sent anything.
 */
import type { LevelChanged, OrdersMatched } from '../../../core/exchange/event.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import type { Frame } from '../link.ts'

/** What can happen to a market. */
export type MarketEvent = OrdersMatched | LevelChanged

/** Some messages that are sent together. */
export type Part = { readonly frames: readonly Frame[]; readonly bytes: number }

/** Most bytes of a part, unless one message alone is longer. */
export const PART_BYTES = 32 * 1024

export interface Channel {
  /** Matches and changed prices that were added and have not been taken. */
  readonly queued: number

  /**
   * Takes in what happened to the symbol in a batch that ends with command `seq`; false: nothing of it is published here. The
   * market's view has taken the batch in before.
   */
  add(event: MarketEvent, seq: Seq): boolean

  /**
   * The state of the symbol or the phase of the exchange is another with command `seq`; false: nothing of it is published here. The market's view
   * has taken the batch in before.
   */
  changeStatus?(seq: Seq): boolean

  /** Journal time at which time alone next changes what is published here; undefined: it never does. */
  readonly dueAt: TimeMs | undefined

  /**
   * Takes in that journal time has reached `dueAt`, with command `seq` or after it, which is no work: thousands of channels may be
   * due at the same moment. False: nothing of that is published here.
   */
  pass(time: TimeMs, seq: Seq): boolean

  /** The messages about what was added, in order, each part made when it is asked for. What is added later is for the next call. */
  take(): Iterable<Part>

  /** What was added is not published. The next `take` begins from the market as it is then. */
  forget(): void

  /**
   * What a newcomer gets: the state that the next `take` changes. Only to be asked for when nothing has been added since the last.
   * Undefined: it has to be read first, and the host is asked to `refresh` then.
   */
  snapshot(): readonly Frame[] | undefined

  /** Nobody listens any more. */
  close?(): void
}

/** The room of a channel. */
export interface ChannelHost {
  /** The state can be had now. */
  refresh(): void
  /** What was given out as the state is not to be kept. */
  forgetSnapshot(): void
}

/** A part of one message. */
export function singlePart(frame: Frame): Part {
  return { frames: [frame], bytes: frame.length }
}
