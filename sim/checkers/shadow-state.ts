/**
 * The second bookkeeper's record of the exchange: everything that commands, answers and events stated, stored
 * in the simplest form. It shares no code with the core.
 */
import type { Command, EngineCommand } from '../../src/core/commands/command.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { WithdrawalAddress } from '../../src/core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { Approval, WithdrawalHandling } from '../../src/core/questions/view.ts'
import type {
  Account,
  AddressBan,
  AdminToken,
  ApiKey,
  ApprovalsNeeded,
  Asset,
  FeeTier,
  OwnRole,
  TradingSymbol,
} from '../../src/core/registry/records.ts'
import type { Bucket, ListKind, Side } from '../../src/units/order-enums.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { type Administered, FEES, OUTSIDE, type Transfer } from '../../test/oracle/administered.ts'
import { PhaseList } from '../../test/oracle/phases.ts'
import type { Limited } from '../../test/oracle/roles.ts'
import { ViolationError } from '../world/trace.ts'
import { ShadowIds } from './shadow-ids.ts'

/** One command as a replica applied it. `command` is undefined for a quarantined one. */
export type Applied = {
  readonly seq: number
  readonly time: number
  readonly command: Command | undefined
  /** The quarantined command, if it was an engine command. */
  readonly own: EngineCommand | undefined
  readonly reply: Reply
  readonly events: readonly ExchangeEvent[]
}

export type Buckets = Record<Bucket, bigint>

/** A rate of 1; also the number of parts of a ledger unit to which commission is exact. */
export const RATE_ONE = 100_000_000n

/**
 * Maximum number of resting orders that an arriving order is matched against: small, so that a simulation
 * reaches the limit.
 */
export const STEPS_MOST = 6

export type ShadowOrder = {
  readonly number: number
  readonly time: number
  readonly account: number
  /** The symbol as it was when the order arrived; the parts that an order needs later never change. */
  readonly symbol: TradingSymbol
  readonly side: Side
  readonly price: number
  quantity: number
  /**
   * Type, time in force and self-trade mode of an open order, and the time of its last change, as far as the
   * rules in force store them.
   */
  readonly words: string
  updatedAt: number
  remaining: number
  executed: number
  decremented: number
  /** Sum of price x quantity over its fills. */
  notional: bigint
  /** Commission of its fills before rounding, in 10^-8 ledger units. */
  commission: bigint
  /** Amount in `locked` for this order. */
  hold: bigint
  /** Undefined for a type that never waits. */
  stop: ShadowStop | undefined
  /** The order's client order id, under rules that support one. */
  readonly clientOrderId: string | undefined
  /** The part that the book shows at a time; undefined if the book shows the complete order. */
  readonly part: number | undefined
  /** The quantity that the book shows while it rests. */
  shown: number
  /** The order does not trade from this time on. */
  readonly expireTime: number | undefined
  /** The key that placed the order; undefined if there is none. */
  readonly key: number | undefined
  /** The session with which it ends. */
  readonly session: number | undefined
  /**
   * Of the orders that wait for the same price, the one with the lowest turn is due first: the order's
   * number, or a number assigned when the order began to wait.
   */
  turn: number
  /** Set once for an order of a list. */
  list: ShadowList | undefined
  /** The time at which the order ended, if it was then waiting for its trigger. */
  waitedUntil: number | undefined
}

/** Linked orders. */
export type ShadowList = {
  readonly number: number
  readonly time: number
  readonly account: number
  readonly symbol: TradingSymbol
  readonly kind: ListKind
  /** In the order of their roles, open or not. */
  readonly legs: ShadowOrder[]
  /**
   * `WORKING`: the working order is not filled yet. `DUE`: it is filled, and the engine must place the
   * pending orders. `ASIDE`: the engine will never place them.
   */
  stage: 'WORKING' | 'DUE' | 'ASIDE' | 'PLACED'
  /** Proceeds of the working order, after commission, once it is filled. */
  received: bigint
}

/**
 * The distance at which an order follows the price, the time since which it follows, and the best price since
 * then.
 */
export type ShadowTrailing = {
  readonly delta: number
  /** Whether the order follows from the next trade on, whatever the price. */
  readonly isNext: boolean
  readonly since: number | undefined
  readonly best: number | undefined
}

/** The price that an order waits for, or waited for. */
export type ShadowStop = {
  /** Undefined for an order that follows the price from the next trade on. */
  readonly price: number | undefined
  /** For an order that follows the price. */
  readonly trailing: ShadowTrailing | undefined
  readonly isRising: boolean
  /** Largest amount that it may spend at any price, while it waits. */
  readonly total: bigint | undefined
  readonly triggeredAt: number | undefined
}

/** A mass cancel in progress. */
export type ShadowMassCancel = {
  readonly account: number
  readonly symbol: number | undefined
  readonly cause: 'USER' | 'DEAD_MAN'
  readonly keepsStops: boolean
  readonly since: number
  readonly before: number
  /** The orders still to be examined, newest first; some of them may have ended. */
  left: ShadowOrder[]
  isAside: boolean
}

export type ShadowCountdown = {
  readonly account: number
  readonly symbol: number | undefined
  readonly keepsStops: boolean
  readonly triggerAt: number
}

/** Orders that end with a connection. */
export type ShadowSession = {
  readonly number: number
  readonly openedAt: number
  readonly account: number
  readonly apiKey: string
  readonly graceMs: number
  readonly attachment: number
  /** Undefined while the session has a connection. */
  endsAt: number | undefined
  isAside: boolean
}

/** The resting orders, by priority. */
export type ShadowBook = Record<Side, ShadowOrder[]>

export type ShadowTrade = {
  readonly seq: number
  readonly number: number
  readonly symbol: number
  readonly price: number
  readonly quantity: number
  readonly time: number
  readonly buyer: ShadowParty
  readonly seller: ShadowParty
}

export type ShadowParty = {
  readonly account: number
  readonly order: number
  readonly orderTime: number
  readonly total: bigint
  readonly commission: bigint
  readonly isTaker: boolean
}

export class ShadowState implements Administered {
  seq = 0
  time = 0 as TimeMs
  lastOrder = 0
  lastTrade = 0
  /** Number of the last trade in each symbol, under rules that number trades by symbol. */
  readonly symbolTrades: number[] = []
  rulesVersion = 1
  readonly assets: Asset[] = []
  readonly symbols: TradingSymbol[] = []
  readonly accounts: Account[] = [
    { id: OUTSIDE, name: 'outside', role: 'outside', createdAt: 0 as TimeMs },
    { id: FEES, name: 'fees', role: 'fees', createdAt: 0 as TimeMs },
  ]
  readonly apiKeys: ApiKey[] = []
  readonly keyNumbers = new Map<string, number>()
  readonly keysMade: number[] = []
  readonly feeTiers: FeeTier[] = []
  readonly roles: OwnRole[] = []
  readonly limited: Limited[] = []
  readonly approvalsNeeded: ApprovalsNeeded[] = []
  readonly tokens: AdminToken[] = []
  readonly bans: AddressBan[] = []
  readonly phases = new PhaseList()
  readonly withdrawals: Withdrawal[] = []
  readonly endedWithdrawals: string[] = []
  readonly addresses: WithdrawalAddress[] = []
  readonly approvals: Approval[] = []
  readonly handlings: WithdrawalHandling[] = []
  readonly transfers = new Map<string, Transfer>()
  readonly orders = new Map<number, ShadowOrder>()
  readonly trades: ShadowTrade[] = []
  readonly ids = new ShadowIds()
  /** Price of the last trade, by symbol. */
  readonly lastPrices: number[] = []
  /**
   * Orders whose stop price has not been reached; orders that are due, in their order; and orders that are
   * set aside.
   */
  readonly waiting: ShadowOrder[] = []
  readonly due: ShadowOrder[] = []
  readonly aside: ShadowOrder[] = []
  /** The time at which a due order ended with another one of its list. */
  readonly passedOver = new Map<number, number>()
  /** Lists with an open order, by number; and lists whose pending orders are due, in their order. */
  readonly lists = new Map<number, ShadowList>()
  readonly dueLists: ShadowList[] = []
  /** The command by which each order or list became due. */
  readonly dueSince = new WeakMap<ShadowOrder | ShadowList, number>()
  /** Oldest first. */
  massCancels: ShadowMassCancel[] = []
  countdowns: ShadowCountdown[] = []
  readonly sessions = new Map<number, ShadowSession>()
  /** Orders whose expiry is set aside. */
  readonly expireAside = new Set<number>()
  /** By asset, then by account. */
  readonly #held: Buckets[][] = []
  readonly #books: ShadowBook[] = []

  nextNumber(): number {
    return ++this.lastOrder
  }

  isEmpty(account: number): boolean {
    const holdsMoney = this.#held.some((held) => Object.values(held[account] ?? {}).some((sum) => sum > 0n))
    return !holdsMoney && this.openOrders(account).length === 0
  }

  hasOpenOrders(symbol: number): boolean {
    for (const order of this.orders.values()) if (order.symbol.id === symbol) return true
    return false
  }

  symbolNamed(name: string): TradingSymbol | undefined {
    return this.symbols.find((symbol) => symbol.name === name)
  }

  book(symbol: number): ShadowBook {
    this.#books[symbol] ??= { BUY: [], SELL: [] }
    return this.#books[symbol]
  }

  /** Each account's balances in an asset. */
  holdings(asset: number): [account: number, buckets: Buckets][] {
    return Object.entries(this.#held[asset] ?? []).map(([account, buckets]) => [Number(account), buckets])
  }

  buckets(asset: number, account: number): Buckets {
    this.#held[asset] ??= []
    const held = this.#held[asset]
    held[account] ??= { free: 0n, locked: 0n, freeze: 0n, savings: 0n }
    return held[account]
  }

  unitsIn(asset: number, [account, bucket]: readonly [number, Bucket]): bigint {
    return this.buckets(asset, account)[bucket]
  }

  /** Moves `amount` from one bucket to another; an inner bucket below zero is a violation. */
  moveUnits(
    asset: number,
    from: readonly [number, Bucket],
    to: readonly [number, Bucket],
    amount: bigint,
  ): void {
    const source = this.buckets(asset, from[0])
    source[from[1]] -= amount
    demand(amount >= 0n, () => `an amount moved is at least 0, found ${amount}`)
    demand(
      from[0] === 0 || source[from[1]] >= 0n,
      () => `no negative balance: account ${from[0]}, asset ${asset}, ${from[1]} ${source[from[1]]}`,
    )
    this.buckets(asset, to[0])[to[1]] += amount
  }

  openOrders(account: number, symbol?: number): ShadowOrder[] {
    const found: ShadowOrder[] = []
    for (const order of this.orders.values()) {
      if (order.account === account && (symbol === undefined || order.symbol.id === symbol)) found.push(order)
    }
    return found.sort((a, b) => b.number - a.number)
  }
}

/** A rule of the exchange: a violation ends the run. */
export function demand(holds: boolean, rule: string | (() => string)): asserts holds {
  if (!holds) throw new ViolationError(typeof rule === 'string' ? rule : rule())
}

/** Ledger units of the quote asset for `notional` ticks x lots, as numerator and denominator. */
function quoteUnits({
  quotePrecision,
  baseFraction,
  quoteFraction,
}: TradingSymbol): readonly [bigint, bigint] {
  return [10n ** BigInt(quotePrecision), 10n ** BigInt(baseFraction + quoteFraction)]
}

export function roundedUp(symbol: TradingSymbol, notional: bigint): bigint {
  const [over, under] = quoteUnits(symbol)
  const exact = notional * over
  return exact / under + (exact % under === 0n ? 0n : 1n)
}

export function roundedDown(symbol: TradingSymbol, notional: bigint): bigint {
  const [over, under] = quoteUnits(symbol)
  return (notional * over) / under
}

/** Commission in whole ledger units, rounded from the exact one. */
export function halfUp(exact: bigint): bigint {
  return (2n * exact + RATE_ONE) / (2n * RATE_ONE)
}

/** The largest notional that is worth at most `total` ledger units. */
export function affordableNotional(symbol: TradingSymbol, total: bigint): bigint {
  const [over, under] = quoteUnits(symbol)
  return (total * under) / over
}

/** All of the wanted lots, or as many whole steps as are paid for. */
export function paidLots({ increments }: TradingSymbol, paid: bigint, wanted: number): number {
  const step = BigInt(increments?.stepSize ?? 1)
  return paid < BigInt(wanted) ? Number(paid - (paid % step)) : wanted
}

/** Ledger units of the base asset in a lot. */
export function lotUnits({ basePrecision, baseFraction }: TradingSymbol): bigint {
  return 10n ** BigInt(basePrecision - baseFraction)
}

/** The hold that an open order needs: all that it may still have to pay or deliver. */
export function neededFor({ symbol, side, remaining, price, notional, stop }: ShadowOrder): bigint {
  if (side === 'SELL') return BigInt(remaining) * lotUnits(symbol)
  if (stop?.total !== undefined) return stop.total
  const atLimit = notional + BigInt(price) * BigInt(remaining)
  return roundedUp(symbol, atLimit) - roundedUp(symbol, notional)
}

/** The lowest and the highest price at which a symbol trades. */
export function pricesOf({ priceBand }: TradingSymbol): readonly [least: number, greatest: number] {
  return priceBand === undefined ? [1, Number.MAX_SAFE_INTEGER] : [priceBand.min, priceBand.max]
}

export function levelQuantity(book: ShadowBook, side: Side, price: number): bigint {
  let sum = 0n
  for (const order of book[side]) if (order.price === price) sum += BigInt(order.shown)
  return sum
}

/** The levels of a side, best first. */
export function levelsOf(book: ShadowBook, side: Side): { price: number; quantity: bigint }[] {
  const levels: { price: number; quantity: bigint }[] = []
  for (const { price, shown } of book[side]) {
    const last = levels.at(-1)
    if (last?.price === price) last.quantity += BigInt(shown)
    else levels.push({ price, quantity: BigInt(shown) })
  }
  return levels
}
