/**
 * Identifiers. Inside the exchange every id is a small number; outside, orders and trades have UUIDs that
 * contain that number, so the same journal always gives the same identifiers and no table maps one to the
 * other.
 */
import type { Branded } from './brand.ts'
import { invariant } from './invariant.ts'
import type { TimeMs } from './quantities.ts'

/** Index of an asset in the order of listing, from 0. */
export type AssetId = Branded<number, 'AssetId'>
/** Index of a symbol in the order of listing, from 0. */
export type SymbolId = Branded<number, 'SymbolId'>
/** Index of an account in the order of creation; the first ones belong to the house. */
export type AccountId = Branded<number, 'AccountId'>

/** The outside world: its balances are the negated sum of all others. */
export const OUTSIDE_ACCOUNT = 0 as AccountId
/** The house's commission. */
export const FEES_ACCOUNT = 1 as AccountId

/** Number of an order, from 1, never issued again. Higher is later. */
export type OrderNumber = Branded<number, 'OrderNumber'>
/** Number of a trade, from 1, never issued again. Higher is later. */
export type TradeNumber = Branded<number, 'TradeNumber'>
/**
 * Number of an order list, from the same sequence as those of orders: its orders have the numbers that follow
 * it.
 */
export type ListNumber = Branded<number, 'ListNumber'>
/** Number of a session, from the same sequence as those of orders. */
export type SessionNumber = Branded<number, 'SessionNumber'>
/**
 * Number of a key in its account, from 1 in the order of creation; no other key of the account ever has it.
 */
export type KeyNumber = Branded<number, 'KeyNumber'>
/** Number of a withdrawal requested by its trader, from the same sequence as those of orders. */
export type WithdrawalNumber = Branded<number, 'WithdrawalNumber'>
/** A UUID in the canonical lower-case form. */
export type Uuid = Branded<string, 'Uuid'>

/** The kinds of UUIDs that the exchange issues. */
export type UuidKind = 'order' | 'trade' | 'list' | 'session' | 'withdrawal'
/** The number in such a UUID. */
export type NumberedId = OrderNumber | TradeNumber | ListNumber | SessionNumber | WithdrawalNumber

const KIND_NIBBLE = {
  order: '1',
  trade: '2',
  list: '3',
  session: '4',
  withdrawal: '5',
} as const satisfies Record<UuidKind, string>
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[12345]00-80[01][0-9a-f]-[0-9a-f]{12}$/
const LOW = 2 ** 48
const ZEROS = '000000000000'

/**
 * The part of a UUID that depends on its time, kept for the many ids with the same time
 * (`npm run bench -- order-to-ack`).
 */
let lastTime = -1
let lastTimeText = ''

/**
 * The UUID (version 7 layout, RFC 9562: 48 bits of milliseconds first) of order, trade, list, session or
 * withdrawal `number` created at `time`. The kind is in the first hexadecimal digit after the version, the
 * number in the last 53 bits.
 */
export function uuidOf(kind: UuidKind, number: NumberedId, time: TimeMs): Uuid {
  if (time !== lastTime) {
    invariant(time < LOW, () => `time must fit in 48 bits, found ${time}`)
    const text = hex(time, 12)
    lastTimeText = `${text.slice(0, 8)}-${text.slice(8)}`
    lastTime = time
  }
  const high = number < LOW ? '00' : hex(Math.floor(number / LOW), 2)
  return `${lastTimeText}-7${KIND_NIBBLE[kind]}00-80${high}-${hex(number % LOW, 12)}` as Uuid
}

/** `value` as exactly `length` hexadecimal digits, at most 12; it must not need more. */
function hex(value: number, length: number): string {
  const digits = value.toString(16)
  return ZEROS.slice(0, length - digits.length) + digits
}

/**
 * The contents of a UUID that the exchange issued: its number, and the time that must belong to that number.
 */
export type UuidParts<N> = { readonly number: N; readonly time: TimeMs }

function parse(text: string, kind: UuidKind): { number: number; time: TimeMs } | undefined {
  const lower = text.toLowerCase()
  if (!UUID.test(lower) || lower[15] !== KIND_NIBBLE[kind]) return undefined
  const time = Number.parseInt(lower.slice(0, 8) + lower.slice(9, 13), 16) as TimeMs
  const number = Number.parseInt(lower.slice(21, 23), 16) * LOW + Number.parseInt(lower.slice(24), 16)
  return { number, time }
}

/** Reads an order's UUID in upper or lower case; undefined if the exchange cannot have issued it. */
export function parseOrderUuid(text: string): UuidParts<OrderNumber> | undefined {
  return parse(text, 'order') as UuidParts<OrderNumber> | undefined
}

/** Reads a trade's UUID in upper or lower case; undefined if the exchange cannot have issued it. */
export function parseTradeUuid(text: string): UuidParts<TradeNumber> | undefined {
  return parse(text, 'trade') as UuidParts<TradeNumber> | undefined
}

/** Reads a list's UUID in upper or lower case; undefined if the exchange cannot have issued it. */
export function parseListUuid(text: string): UuidParts<ListNumber> | undefined {
  return parse(text, 'list') as UuidParts<ListNumber> | undefined
}

/** Reads a session's UUID in upper or lower case; undefined if the exchange cannot have issued it. */
export function parseSessionUuid(text: string): UuidParts<SessionNumber> | undefined {
  return parse(text, 'session') as UuidParts<SessionNumber> | undefined
}

/** Reads a withdrawal's UUID in upper or lower case; undefined if the exchange cannot have issued it. */
export function parseWithdrawalUuid(text: string): UuidParts<WithdrawalNumber> | undefined {
  return parse(text, 'withdrawal') as UuidParts<WithdrawalNumber> | undefined
}

/** Whether a text has the 8-4-4-4-12 form, which UUIDs issued by others have too. */
export function isUuidText(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
