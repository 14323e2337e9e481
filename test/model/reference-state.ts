/**
 * What the reference exchange remembers. Everything that can be worked out is worked out when it is asked for:
 * what an order holds, what is free, who is first in turn. Nothing here is fast.
 */
import type { Approval, OpenOrder, WithdrawalHandling } from '../../src/core/exchange/view.ts'
import type { WithdrawalAddress } from '../../src/core/ledger/withdrawal-addresses.ts'
import type { Withdrawal } from '../../src/core/ledger/withdrawals.ts'
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
  ListNumber,
  OrderNumber,
  SessionNumber,
  SymbolId,
} from '../../src/units/ids.ts'
import type { Bucket, ListKind, Side } from '../../src/units/order-words.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { Administered, Place, Transfer } from '../oracle/administered.ts'
import { PhaseList } from '../oracle/phases.ts'
import type { Limited } from '../oracle/roles.ts'
import { Fraction } from './fraction.ts'
import { ReferenceIds } from './reference-ids.ts'

/** Most resting orders that an arriving one meets: here so few that a random order often meets them all. */
export const STEPS_MOST = 2

/** What an order waits for outside of the book, or has waited for. */
export type ReferenceStop = {
  readonly price: Fraction
  /** A trade at the price or above is waited for; else one at the price or below. */
  readonly isRising: boolean
  /** What a BUY at any price may spend, and holds while it waits. */
  readonly total: Fraction | undefined
  readonly triggeredAt: TimeMs | undefined
}

/** An order from its acceptance on; figures in whole assets. */
export type ReferenceOrder = {
  readonly number: OrderNumber
  readonly time: TimeMs
  readonly accountId: AccountId
  readonly symbol: TradingSymbol
  readonly side: Side
  /** Undefined for MARKET. */
  readonly price: Fraction | undefined
  quantity: Fraction
  /** What was asked for, where it was amended since. */
  asked?: Fraction
  /** What it was placed as; undefined where the rules of its day do not keep that. */
  readonly kept: Pick<OpenOrder, 'type' | 'timeInForce' | 'selfTradeMode'> | undefined
  /** When it last changed, from rules 5 on. */
  updatedAt: TimeMs
  remaining: Fraction
  executed: Fraction
  /** E: the exact sum of price x quantity over its fills. */
  exact: Fraction
  /** The exact sum of rate x received over its fills. */
  commission: Fraction
  stop: ReferenceStop | undefined
  /** How much of it everybody sees at a time; undefined: all. */
  readonly part: Fraction | undefined
  /** While it rests: what everybody sees of it now. */
  shown: Fraction
  /** From then on it does not trade. */
  readonly expireTime: TimeMs | undefined
  /** By which those that wait for the same price follow one another. */
  turn: number
  /** The session that it ends with. */
  session?: SessionNumber
}

/** Orders that belong together, while one of them is open. */
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

/** A cancel of many orders that is under way. */
export type ReferenceMassCancel = {
  readonly accountId: AccountId
  readonly symbolId: SymbolId | undefined
  readonly cause: 'USER' | 'DEAD_MAN'
  readonly keepsStops: boolean
  /** Orders that waited for their trigger then are kept, where any are. */
  readonly since: TimeMs
  readonly before: OrderNumber
  /** Those that it has still to look at, the newest first; some of them may have ended. */
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
  /** Connections that it has had. */
  attachment: number
  /** Undefined: it has one. */
  endsAt: number | undefined
  isAside: boolean
}

export class ReferenceState implements Administered {
  time = 0 as TimeMs
  /** Of the command before. */
  timeBefore = 0 as TimeMs
  sessions: ReferenceSession[] = []
  rulesVersion = 1
  orderCount = 0
  tradeCount = 0
  readonly assets: Asset[] = []
  readonly symbols: TradingSymbol[] = []
  readonly accounts: Account[] = [
    { id: 0 as AccountId, name: 'outside', role: 'outside', createdAt: 0 as TimeMs },
    { id: 1 as AccountId, name: 'fees', role: 'fees', createdAt: 0 as TimeMs },
  ]
  readonly apiKeys: ApiKey[] = []
  readonly feeTiers: FeeTier[] = []
  readonly roles: OwnRole[] = []
  readonly limited: Limited[] = []
  readonly approvalsNeeded: ApprovalsNeeded[] = []
  readonly tokens: AdminToken[] = []
  readonly bans: AddressBan[] = []
  readonly phases = new PhaseList()
  /** All there ever were. */
  readonly withdrawals: Withdrawal[] = []
  readonly endedWithdrawals: string[] = []
  readonly addresses: WithdrawalAddress[] = []
  readonly approvals: Approval[] = []
  readonly handlings: WithdrawalHandling[] = []
  readonly ids = new ReferenceIds()
  readonly transfers = new Map<string, Transfer>()
  /** Resting orders of all symbols, those first in turn that have rested longest as they are shown. */
  open: ReferenceOrder[] = []
  /** Orders whose price no trade has reached. */
  waiting: ReferenceOrder[] = []
  /** Those that were reached, in the order in which they are carried out. */
  due: ReferenceOrder[] = []
  /** Those of which the carrying out is quarantined. */
  aside: ReferenceOrder[] = []
  /** The oldest first. */
  massCancels: ReferenceMassCancel[] = []
  /** Accounts that have any, in the order in which they came to have one. */
  massCancelAccounts: AccountId[] = []
  countdowns: ReferenceCountdown[] = []
  /** Orders of which the end in time is quarantined. */
  readonly expireAside = new Set<OrderNumber>()
  /** Orders of lists whose working order is not filled, or that are still to be placed. */
  pending: ReferenceOrder[] = []
  lists: ReferenceList[] = []
  /** Those whose working order was filled, in the order in which their pending orders are placed. */
  dueLists: ReferenceList[] = []
  /** Of each symbol's last trade, from rules 6 on. */
  readonly lastPrice = new Map<SymbolId, Fraction>()
  /** By `account/asset`: what is the account's own outside of freeze and savings, held by orders or not. */
  readonly #own = new Map<string, Fraction>()
  readonly #freeze = new Map<string, Fraction>()
  readonly #savings = new Map<string, Fraction>()

  /** Every open order, oldest first. */
  get all(): ReferenceOrder[] {
    return this.unsorted.sort((a, b) => a.number - b.number)
  }

  /** The same in no order. */
  get unsorted(): ReferenceOrder[] {
    return this.open.concat(this.waiting, this.due, this.aside, this.pending)
  }

  /** Those that wait, are due or are set aside, oldest first. */
  get notResting(): ReferenceOrder[] {
    return [...this.waiting, ...this.due, ...this.aside, ...this.pending].sort((a, b) => a.number - b.number)
  }

  /** The order is open no more. */
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

  /** After a command: a mass cancel is over when none of the orders that it has still to look at is open. */
  dropDoneMassCancels(): void {
    if (this.massCancels.length === 0) return
    const open = new Set(this.all)
    this.massCancels = this.massCancels.filter(({ left }) => left.some((order) => open.has(order)))
    const accounts = new Set(this.massCancels.map(({ accountId }) => accountId))
    this.massCancelAccounts = this.massCancelAccounts.filter((accountId) => accounts.has(accountId))
  }

  /** Adds to a bucket; `free` is where everything but freeze and savings is. */
  add(accountId: AccountId, assetId: AssetId, bucket: Bucket, change: Fraction): void {
    const figures = this.#bucket(bucket)
    const key = `${accountId}/${assetId}`
    figures.set(key, (figures.get(key) ?? Fraction.ZERO).plus(change))
  }

  /** What is in a bucket, in whole assets. */
  balance(accountId: AccountId, assetId: AssetId, bucket: Bucket): Fraction {
    return this.balances(accountId, assetId)[bucket]
  }

  /** What is in each bucket, in whole assets. */
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

  /** Something of an order was executed or taken off. "Rules 5: an open order keeps when it last changed." */
  touch(order: ReferenceOrder): void {
    if (this.rulesVersion >= 5) order.updatedAt = this.time
  }

  /** "An OCO pair holds what the larger of them needs; pending orders hold nothing." Of a pair the first is said to hold it. */
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
    // Each list by itself, and in no order: this is asked for every balance after every step.
    let sum = Fraction.ZERO
    for (const orders of [this.open, this.waiting, this.due, this.aside]) {
      for (const order of orders) {
        if (order.accountId === accountId && paysWith(order) === assetId) sum = sum.plus(this.holdIn(order))
      }
    }
    return sum
  }
}

/** The asset that an order gives. */
function paysWith({ side, symbol }: ReferenceOrder): AssetId {
  return side === 'BUY' ? symbol.quote : symbol.base
}

/** Over its life so far a BUY has paid E rounded up, a SELL received E rounded down (docs/reference/http.md#money-and-rounding). */
export function movedFor(order: ReferenceOrder, exact: Fraction): Fraction {
  const places = order.symbol.quotePrecision
  return order.side === 'BUY' ? exact.roundedUp(places) : exact.roundedDown(places)
}

/**
 * "A LIMIT BUY locks E + price x remaining, rounded up, minus what it has paid; a SELL its remaining quantity." What waits to buy at any
 * price locks its total.
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
