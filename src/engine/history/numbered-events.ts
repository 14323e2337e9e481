/**
 * The numbered feed of events, for programs beside the exchange (docs/reference/events.md). A number follows
 * only from the journal: the command, the trades up to it, and a place among the effects of the command. So a
 * replay gives the same numbers, numbers never fall, and a kind that a later version adds changes none of
 * them.
 */
import type { PublicTrade } from '../../core/questions/view.ts'
import type { EventKind } from '../../units/event-enums.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import type { Amount, Seq, TimeMs } from '../../units/quantities.ts'

/**
 * Number of places of one command between two trade numbers: each kind of fact that may occur together with
 * another has its own place.
 */
const PLACES = 16

/**
 * The place of a fact among the facts of its command. A trade has the first place of its own trade number.
 */
export const MAIN_PLACE = 0
export const APPROVAL_PLACE = 1
/** From this place to the last: approvals that expired by the time of the command. */
export const LAPSE_PLACE = 2
/** The last place: all expired approvals for which no other place is left. */
export const LAST_PLACE = PLACES - 1

/**
 * Fields of a fact besides its account, for people and programs: decimals as text. Inapplicable fields are
 * absent.
 */
export type EventFields = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** The events of the feed besides trades. */
export type FactKind = Exclude<EventKind, 'FILL'>

/** A fact caused by an operator's command, or by the time of a command. */
export type NumberedEvent = {
  readonly kind: FactKind
  readonly number: number
  /** The command that caused the fact. */
  readonly seq: Seq
  readonly time: TimeMs
  /** The account concerned; undefined for the house, or for all accounts. */
  readonly accountId: AccountId | undefined
  /** The actor of the command, and the reason; an empty actor means that the command became due by time. */
  readonly actor: string
  readonly note: string
  readonly fields: EventFields
}

/** The feed's fields of one side of a trade. */
export type FilledParty = {
  readonly accountId: AccountId
  readonly record: {
    readonly orderNumber: OrderNumber
    readonly orderTime: TimeMs
    readonly total: Amount
    readonly commission: Amount
    readonly commissionAssetId: AssetId
  }
}

/** A trade, read from the trades in history. */
export type NumberedFill = {
  readonly kind: 'FILL'
  readonly number: number
  readonly trade: {
    readonly seq: Seq
    readonly symbolId: SymbolId
    readonly trade: PublicTrade
    readonly maker: FilledParty
    readonly taker: FilledParty
  }
}

export type FeedEvent = NumberedEvent | NumberedFill

/** The number of the event at `place` of command `seq`; `trades`: the number of trades up to that command. */
export function eventNumber(seq: Seq, trades: number, place: number): number {
  return PLACES * (seq + trades) + place
}

/** The number in the feed of a trade, computed from its trade number and its command. */
export function fillNumber(seq: Seq, tradeNumber: number): number {
  return eventNumber(seq, tradeNumber, MAIN_PLACE)
}

/** The last number that command `seq` can have: all later commands have higher numbers. */
export function lastNumberOf(seq: Seq, trades: number): number {
  return eventNumber(seq, trades, LAST_PLACE)
}

export function commandOf(event: FeedEvent): Seq {
  return event.kind === 'FILL' ? event.trade.seq : event.seq
}
