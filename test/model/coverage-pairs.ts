/**
 * Coverage of pairs of properties of orders in random runs: each possible pair of a type, a time in force, a
 * self-trade mode, a role in a list and an outcome. Faults that need two of these at once hide in the pairs
 * that a generator never draws.
 */
import { CANCEL_CAUSES, type CancelCause, type ExchangeEvent } from '../../src/core/events/event.ts'
import type { OrderNumber } from '../../src/units/ids.ts'
import {
  isStopType,
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  TIMES_IN_FORCE,
  type TimeInForce,
  takesTimeInForce,
} from '../../src/units/order-enums.ts'
import { GROUP_OF, type Group, TYPES } from './coverage-lists.ts'

type Words = {
  readonly type: OrderType
  readonly time: TimeInForce | 'NO_TIME'
  readonly mode: SelfTradeMode
  readonly role: Group | 'ALONE'
}
type End = 'EXECUTED' | CancelCause

const ENDS: readonly End[] = ['EXECUTED', ...CANCEL_CAUSES]
function areGiven({ type, time, role }: Words): boolean {
  if (role !== 'ALONE' && !TYPES[role].includes(type)) return false
  if (takesTimeInForce(type) !== (time !== 'NO_TIME')) return false
  return role === 'ALONE' || time !== 'GTD'
}

/** Whether the order can be open after the command that placed it. */
function canStayOpen({ type, time, role }: Words): boolean {
  if (isStopType(type) || isPending(role)) return true
  return type !== 'MARKET' && time !== 'IOC' && time !== 'FOK'
}

/** Whether an order with these properties can end in this way. */
function canEnd(words: Words, end: End): boolean {
  const { type, time, role } = words
  switch (end) {
    case 'EXECUTED':
      return true
    case 'USER':
    case 'OPERATOR':
    case 'DEAD_MAN':
    case 'DISCONNECT':
      return canStayOpen(words)
    case 'IOC':
      return time === 'IOC'
    case 'MARKET_REMAINDER':
      return type === 'MARKET' || type === 'STOP_LOSS' || type === 'TAKE_PROFIT'
    // A resting order can be ended by a taker of its own account with this mode.
    case 'SELF_TRADE':
      return time !== 'FOK' && (words.mode !== 'NONE' || canRest(words))
    case 'STEPS':
      return type !== 'LIMIT_MAKER' && time !== 'FOK'
    case 'TRIGGER_REFUSED':
      return isStopType(type)
    case 'EXPIRED':
      return time === 'GTD'
    case 'LIST':
      return role !== 'ALONE' && canStayOpen(words)
    case 'PENDING_REFUSED':
      return isPending(role)
  }
}

function isPending(role: Words['role']): boolean {
  return role === 'PENDING' || role === 'PENDING_PAIR'
}

function canRest({ type, time }: Words): boolean {
  return type === 'LIMIT_MAKER' || time === 'GTC' || time === 'GTD'
}

const GROUPS = Object.keys(TYPES) as Group[]
const NAMES = ['type', 'time', 'mode', 'role'] as const

function pairsOf(words: Words): string[] {
  return NAMES.flatMap((one, at) =>
    NAMES.slice(at + 1).map((other) => `${one} ${words[one]} with ${other} ${words[other]}`),
  )
}

function endPairsOf(words: Words, end: End): string[] {
  return NAMES.map((name) => `${name} ${words[name]} -> ${end}`)
}

/** Each possible pair. */
function possiblePairs(): string[] {
  const all = ORDER_TYPES.flatMap((type) =>
    ([...TIMES_IN_FORCE, 'NO_TIME'] as const).flatMap((time) =>
      SELF_TRADE_MODES.flatMap((mode) =>
        (['ALONE', ...GROUPS] as const).map((role): Words => ({ type, time, mode, role })),
      ),
    ),
  ).filter(areGiven)
  const cells = all.flatMap((words) => [
    ...pairsOf(words),
    ...ENDS.filter((end) => canEnd(words, end)).flatMap((end) => endPairsOf(words, end)),
  ])
  return [...new Set(cells)]
}

/** Follows the orders of runs; numbers start again with each run. */
export class PairCoverage {
  readonly #timesByPair = new Map<string, number>(possiblePairs().map((pair) => [pair, 0]))
  readonly #wordsByOrder = new Map<OrderNumber, Words>()

  count(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      switch (event.kind) {
        case 'OrderPlaced': {
          const { orderNumber, type, timeInForce, selfTradeMode, inList } = event
          const role = inList === undefined ? 'ALONE' : GROUP_OF[inList.role]
          const words: Words = { type, time: timeInForce ?? 'NO_TIME', mode: selfTradeMode, role }
          this.#wordsByOrder.set(orderNumber, words)
          this.#add(pairsOf(words))
          break
        }
        case 'OrderCanceled':
          this.#end(event.orderNumber, event.cause)
          break
        case 'OrdersMatched':
          this.#end(event.maker.orderNumber, 'EXECUTED')
          this.#end(event.taker.orderNumber, 'EXECUTED')
          break
      }
    }
  }

  /** Every pair with its count, the rarest first, including reached pairs that were thought impossible. */
  cells(): [string, number][] {
    return [...this.#timesByPair].sort(([, a], [, b]) => a - b)
  }

  #end(orderNumber: OrderNumber, end: End): void {
    const words = this.#wordsByOrder.get(orderNumber)
    if (words !== undefined) this.#add(endPairsOf(words, end))
  }

  #add(pairs: readonly string[]): void {
    for (const pair of pairs) this.#timesByPair.set(pair, (this.#timesByPair.get(pair) ?? 0) + 1)
  }
}
