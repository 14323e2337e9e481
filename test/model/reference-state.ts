/**
 * The state of the reference exchange. Everything that can be derived is derived on demand: an order's hold,
 * the free balance, the priority of orders. Nothing here is fast.
 */

import type { WithdrawalAddress } from '../../src/core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
import type { Approval, OpenOrder, WithdrawalHandling } from '../../src/core/questions/view.ts'
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
import type {
  AccountId,
  AssetId,
  KeyNumber,
  ListNumber,
  OrderNumber,
  SessionNumber,
  SymbolId,
} from '../../src/units/ids.ts'
import type { Bucket, ListKind, Side } from '../../src/units/order-enums.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { Administered, Place, Transfer } from '../oracle/administered.ts'
import { PhaseList } from '../oracle/phases.ts'
import type { Limited } from '../oracle/roles.ts'
import { Fraction } from './fraction.ts'
import { ReferenceIds } from './reference-ids.ts'

/**
 * Largest number of resting orders that an arriving order is matched against: small, so that a random order
 * often reaches the limit.
 */
export const STEPS_MOST = 2

/** How an order follows the price. */
export type ReferenceTrailing = {
  /** In hundredths of a percent. */
  readonly delta: number
  /** Whether the order follows from the next trade on, whatever its price. */
  readonly isNext: boolean
  /** The best price since the order began to follow; undefined before that. */
  readonly best: Fraction | undefined
  readonly since: TimeMs | undefined
}

/** The trigger of an order that waits outside the book, or waited there. */
export type ReferenceStop = {
  /** Undefined for an order that follows the price from the next trade on. */
  readonly price: Fraction | undefined
  /** For an order that follows the price. */
  readonly trailing: ReferenceTrailing | undefined
  /** True if the order waits for a trade at the price or above, false for one at the price or below. */
  readonly isRising: boolean
  /** The amount that a BUY at any price may spend, and locks while it waits. */
  readonly total: Fraction | undefined
  readonly triggeredAt: TimeMs | undefined
}

/** An order after its acceptance; figures in whole assets. */
export type ReferenceOrder = {
  readonly number: OrderNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbol: TradingSymbol
  readonly side: Side
  /** Undefined for a MARKET order. */
  readonly price: Fraction | undefined
  quantity: Fraction
  /** The quantity now requested, if it was amended. */
  asked?: Fraction
  /** The order's terms when it was placed; undefined if the rules then did not store them. */
  readonly kept: Pick<OpenOrder, 'type' | 'timeInForce' | 'selfTradeMode'>
  /** When the order last changed, from rules 5 on. */
  updatedAt: TimeMs
  remaining: Fraction
  executed: Fraction
  /** E: the exact sum of price x quantity over the order's fills. */
  exact: Fraction
  /** The exact sum of rate x received amount over the order's fills. */
  commission: Fraction
  stop: ReferenceStop | undefined
  /** The part shown at a time; undefined if the complete order is shown. */
  readonly part: Fraction | undefined
  /** The quantity shown now, while it rests. */
  shown: Fraction
  /** The order does not trade from this time on. */
  readonly expireTime: TimeMs | undefined
  /** Orders that wait for the same price are sorted by this number. */
  turn: number
  /** The key that placed the order; undefined if there is none. */
  readonly key: KeyNumber | undefined
  /** The session with which it ends. */
  session?: SessionNumber
}

/** Linked orders, while one of them is open. */
export type ReferenceList = {
  readonly number: ListNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbol: TradingSymbol
  readonly kind: ListKind
  /** In the order of their numbers, open or not. */
  readonly orders: ReferenceOrder[]
  stage: 'WORKING' | 'DUE' | 'ASIDE' | 'PLACED'
  received: Fraction
}

/** A mass cancel in progress. */
export type ReferenceMassCancel = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  readonly cause: 'USER' | 'DEAD_MAN'
  readonly keepsStops: boolean
  /** Orders that waited for their trigger at that time are spared, if the cancel spares any. */
  readonly since: TimeMs
  readonly before: OrderNumber
  /** The orders still to be examined, newest first; some of them may have ended. */
  left: ReferenceOrder[]
  isAside: boolean
}

export type ReferenceCountdown = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  readonly keepsStops: boolean
  readonly triggerAt: TimeMs
}

/** Orders that end with a connection. */
export type ReferenceSession = {
  readonly number: SessionNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly apiKey: string
  graceMs: number
  /** Number of connections that the session has had. */
  attachment: number
  /** Undefined while the session has a connection. */
  endsAt: number | undefined
  isAside: boolean
}

export class ReferenceState implements Administered {
  time = 0 as TimeMs
  /** Time of the previous command. */
  timeBefore = 0 as TimeMs
  sessions: ReferenceSession[] = []
  rulesVersion = 1
  /** Largest number of resting orders that an arriving order reaches. */
  readonly stepsMost: number
  orderCount = 0
  tradeCount = 0
  /** Number of trades in each symbol, under rules that number them by symbol. */
  readonly symbolTrades = new Map<SymbolId, number>()
  readonly assets: Asset[] = []
  readonly symbols: TradingSymbol[] = []
  readonly accounts: Account[] = [
    { id: 0 as AccountId, name: 'outside', role: 'outside', createdAt: 0 as TimeMs },
    { id: 1 as AccountId, name: 'fees', role: 'fees', createdAt: 0 as TimeMs },
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
  /** All withdrawals ever. */
  readonly withdrawals: Withdrawal[] = []
  readonly endedWithdrawals: string[] = []
  readonly addresses: WithdrawalAddress[] = []
  readonly approvals: Approval[] = []
  readonly handlings: WithdrawalHandling[] = []
  readonly ids = new ReferenceIds()
  readonly transfers = new Map<string, Transfer>()
  /** Resting orders of all symbols; those whose shown part is oldest come first. */
  open: ReferenceOrder[] = []
  /** Orders whose stop price no trade has reached. */
  waiting: ReferenceOrder[] = []
  /** Triggered orders, in the order in which they are carried out. */
  due: ReferenceOrder[] = []
  /** Triggered orders whose execution is quarantined. */
  aside: ReferenceOrder[] = []
  /** Oldest first. */
  massCancels: ReferenceMassCancel[] = []
  /** Accounts with mass cancels, in the order of their first mass cancel. */
  massCancelAccounts: AccountId[] = []
  countdowns: ReferenceCountdown[] = []
  /** Orders whose expiry is quarantined. */
  readonly expireAside = new Set<OrderNumber>()
  /** Orders of lists whose working order is not filled, or that are still to be placed. */
  pending: ReferenceOrder[] = []
  lists: ReferenceList[] = []
  /** Lists whose working order was filled, in the order in which their pending orders are placed. */
  dueLists: ReferenceList[] = []
  /** The number of commands, and the command that made each order or list due, from rules 13 on. */
  commands = 0
  readonly dueSince = new WeakMap<ReferenceOrder | ReferenceList, number>()
  /** Price of each symbol's last trade, from rules 6 on. */
  readonly lastPrice = new Map<SymbolId, Fraction>()
  /** By `account/asset`: the account's money outside freeze and savings, locked or not. */
  readonly #own = new Map<string, Fraction>()
  readonly #freeze = new Map<string, Fraction>()
  readonly #savings = new Map<string, Fraction>()

  constructor(stepsMost: number) {
    this.stepsMost = stepsMost
  }

  /** Every open order, oldest first. */
  get all(): ReferenceOrder[] {
    return this.unsorted.sort((a, b) => a.number - b.number)
  }

  /** Every open order, unsorted. */
  get unsorted(): ReferenceOrder[] {
    return this.open.concat(this.waiting, this.due, this.aside, this.pending)
  }

  /** Waiting, due and set-aside orders, oldest first. */
  get notResting(): ReferenceOrder[] {
    return [...this.waiting, ...this.due, ...this.aside, ...this.pending].sort((a, b) => a.number - b.number)
  }

  /** Called when the order, or the list, becomes due with this command. */
  becameDue(one: ReferenceOrder | ReferenceList): void {
    this.dueSince.set(one, this.commands)
  }

  /** Called when the order is no longer open. */
  leave(order: ReferenceOrder): void {
    const others = (orders: ReferenceOrder[]) => orders.filter((other) => other !== order)
    this.open = others(this.open)
    this.waiting = others(this.waiting)
    this.due = others(this.due)
    this.aside = others(this.aside)
    this.pending = others(this.pending)
  }

  startMassCancel(running: ReferenceMassCancel, isReplaced: (one: ReferenceMassCancel) => boolean): void {
    this.massCancels = [...this.massCancels.filter((one) => !isReplaced(one)), running]
    const { accountId } = running
    if (!this.massCancelAccounts.includes(accountId)) this.massCancelAccounts.push(accountId)
  }

  /** After a command: a mass cancel is over when none of the orders left to examine is open. */
  dropDoneMassCancels(): void {
    if (this.massCancels.length === 0) return
    const open = new Set(this.all)
    this.massCancels = this.massCancels.filter(({ left }) => left.some((order) => open.has(order)))
    const accounts = new Set(this.massCancels.map(({ accountId }) => accountId))
    this.massCancelAccounts = this.massCancelAccounts.filter((accountId) => accounts.has(accountId))
  }

  /** Adds to a bucket; `free` stands for everything except freeze and savings. */
  add(accountId: AccountId, assetId: AssetId, bucket: Bucket, change: Fraction): void {
    const figures = this.#bucket(bucket)
    const key = `${accountId}/${assetId}`
    figures.set(key, (figures.get(key) ?? Fraction.ZERO).plus(change))
  }

  /** Balance of a bucket, in whole assets. */
  balance(accountId: AccountId, assetId: AssetId, bucket: Bucket): Fraction {
    return this.balances(accountId, assetId)[bucket]
  }

  /** Balance of each bucket, in whole assets. */
  balances(accountId: AccountId, assetId: AssetId): Readonly<Record<Bucket, Fraction>> {
    const key = `${accountId}/${assetId}`
    const locked = this.#held(accountId, assetId)
    return {
      free: (this.#own.get(key) ?? Fraction.ZERO).minus(locked),
      locked,
      freeze: this.#freeze.get(key) ?? Fraction.ZERO,
      savings: this.#savings.get(key) ?? Fraction.ZERO,
    }
  }

  nextNumber(): number {
    return ++this.orderCount
  }

  /** Whether the account has neither money nor open orders. */
  isEmpty(accountId: AccountId): boolean {
    const hasMoney = this.assets.some(({ id }) =>
      (['free', 'locked', 'freeze', 'savings'] as const).some(
        (bucket) => !this.balance(accountId, id, bucket).equals(Fraction.ZERO),
      ),
    )
    return !hasMoney && !this.all.some((order) => order.accountId === accountId)
  }

  hasOpenOrders(symbolId: SymbolId): boolean {
    return this.all.some(({ symbol }) => symbol.id === symbolId)
  }

  unitsIn(assetId: AssetId, [accountId, bucket]: Place): bigint {
    return this.balance(accountId, assetId, bucket).wholeUnits(this.#precision(assetId))
  }

  moveUnits(assetId: AssetId, from: Place, to: Place, units: bigint): void {
    const sum = Fraction.decimal(units, this.#precision(assetId))
    this.add(from[0], assetId, from[1], Fraction.ZERO.minus(sum))
    this.add(to[0], assetId, to[1], sum)
  }

  /** Part of an order was executed or removed. The time of its last change is recorded. */
  touch(order: ReferenceOrder): void {
    order.updatedAt = this.time
  }

  /**
   * The hold of an OCO pair is the larger of the two needs; pending orders have no hold. The first order of a
   * pair is recorded with the hold.
   */
  holdIn(order: ReferenceOrder): Fraction {
    if (this.pending.includes(order)) return Fraction.ZERO
    const list = this.lists.find(({ orders }) => orders.includes(order))
    const pair = list === undefined || list.kind === 'OTO' ? [] : list.orders.slice(-2)
    const [first, second] = pair.filter((one) => this.all.includes(one))
    if (first === undefined || second === undefined || !pair.includes(order)) return holdOf(order)
    if (order === second) return Fraction.ZERO
    return holdOf(first).isBelow(holdOf(second)) ? holdOf(second) : holdOf(first)
  }

  #precision(assetId: AssetId): number {
    return (this.assets[assetId] as Asset).fraction
  }

  #bucket(bucket: Bucket): Map<string, Fraction> {
    return bucket === 'freeze' ? this.#freeze : bucket === 'savings' ? this.#savings : this.#own
  }

  #held(accountId: AccountId, assetId: AssetId): Fraction {
    // Each list separately and unsorted, because this is computed for every balance after every step.
    let sum = Fraction.ZERO
    for (const orders of [this.open, this.waiting, this.due, this.aside]) {
      for (const order of orders) {
        if (order.accountId === accountId && paysWith(order) === assetId) sum = sum.plus(this.holdIn(order))
      }
    }
    return sum
  }

  /** Number of a trade that has just happened: from rules 17 on the trade's number in its symbol, from 1. */
  numberInSymbol(symbolId: SymbolId): number {
    if (this.rulesVersion < 17) return 0
    const number = (this.symbolTrades.get(symbolId) ?? 0) + 1
    this.symbolTrades.set(symbolId, number)
    return number
  }
}

/** The asset that an order pays with. */
function paysWith({ side, symbol }: ReferenceOrder): AssetId {
  return side === 'BUY' ? symbol.quote : symbol.base
}

/**
 * Over its life so far a BUY has paid E rounded up, and a SELL received E rounded down
 * (docs/reference/matching.md#money-and-rounding).
 */
export function movedFor(order: ReferenceOrder, exact: Fraction): Fraction {
  const places = order.symbol.quotePrecision
  return order.side === 'BUY' ? exact.roundedUp(places) : exact.roundedDown(places)
}

/**
 * A LIMIT BUY locks E + price x remaining, rounded up, minus the amount paid; a SELL locks its remaining
 * quantity; a waiting BUY at any price locks its total.
 */
export function holdOf(order: ReferenceOrder): Fraction {
  if (order.side === 'SELL') return order.remaining
  if (order.stop?.total !== undefined) return order.stop.total
  const whole = order.exact.plus((order.price ?? Fraction.ZERO).times(order.remaining))
  return movedFor(order, whole).minus(movedFor(order, order.exact))
}

/** The largest multiple of a symbol's step size, as it is now, that is at most `quantity`. */
export function inSteps(state: ReferenceState, symbolId: SymbolId, quantity: Fraction): Fraction {
  const { baseFraction, increments } = state.symbols[symbolId] as TradingSymbol
  const step = Fraction.decimal(increments?.stepSize ?? 1, baseFraction)
  return Fraction.of(quantity.over(step).floor()).times(step)
}
