/**
 * What a second bookkeeper knows of the exchange: everything that commands, answers and events said, kept in
 * the plainest way. It shares no code with the core.
 */
import type { Command } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { Reply } from '../../src/core/exchange/reply.ts'
import type { Account, AddressBan, AdminToken, ApiKey, FeeTier } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { ApprovableKind } from '../../src/units/operator-words.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { Administered } from '../../test/oracle/administered.ts'
import { ViolationError } from '../world/trace.ts'

/** One command as some replica applied it. `command` is undefined for a quarantined one. */
export type Applied = {
  readonly seq: number
  readonly time: number
  readonly command: Command | undefined
  readonly reply: Reply
  readonly events: readonly ExchangeEvent[]
}

export type Bucket = 'free' | 'locked' | 'freeze' | 'savings'
export type Buckets = Record<Bucket, bigint>

export type ShadowAsset = {
  readonly code: string
  readonly fraction: number
  /** These three: 0n where there is none. */
  cap: bigint
  creditMax: bigint
  approvalAbove: bigint
  flags: {
    readonly isDeposit: boolean
    readonly isTrade: boolean
    readonly isWithdraw: boolean
    readonly isSaving: boolean
  }
  /** By account. */
  readonly held: Buckets[]
}

export type Side = 'BUY' | 'SELL'

export type ShadowOrder = {
  readonly number: number
  readonly time: number
  readonly account: number
  readonly symbol: ShadowSymbol
  readonly side: Side
  readonly price: number
  readonly quantity: number
  remaining: number
  executed: number
  decremented: number
  /** Sum of price x quantity over its fills. */
  notional: bigint
  /** Commission of its fills before rounding, in 10^-8 ledger units. */
  commission: bigint
  /** In `locked`, for this order. */
  hold: bigint
}

export type ShadowSymbol = {
  readonly id: number
  readonly name: string
  readonly base: number
  readonly quote: number
  readonly baseFraction: number
  readonly quoteFraction: number
  minTotal: bigint
  minQuantity: number
  selfTradeMode: string
  openOrdersMax: number
  levelsMax: number
  readonly roundingAccount: number
  makerRate: bigint
  takerRate: bigint
  state: string
  /** Least and greatest price. */
  band: readonly [number, number]
  /** In the order of their turn. */
  readonly book: Record<Side, ShadowOrder[]>
}

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

export type ShadowWithdrawal = {
  readonly account: number
  readonly asset: number
  readonly amount: bigint
  state: 'PENDING' | 'COMPLETED' | 'CANCELED'
}

/** What waits for a second person. */
export type ShadowApproval = { readonly command: ApprovableCommand; readonly requestedAt: number }
export type ApprovableCommand = Extract<Command, { readonly kind: ApprovableKind }>

export class ShadowState implements Administered {
  seq = 0
  time = 0 as TimeMs
  lastOrder = 0
  lastTrade = 0
  readonly assets: ShadowAsset[] = []
  readonly symbols: ShadowSymbol[] = []
  /** By id. */
  readonly accounts: Account[] = []
  readonly apiKeys: ApiKey[] = []
  readonly references = new Map<string, string>()
  readonly orders = new Map<number, ShadowOrder>()
  readonly trades: ShadowTrade[] = []
  rules = 1
  readonly feeTiers: FeeTier[] = []
  readonly tokens: AdminToken[] = []
  readonly bans: AddressBan[] = []
  /** By reference. */
  readonly withdrawals = new Map<string, ShadowWithdrawal>()
  readonly approvals = new Map<string, ShadowApproval>()

  constructor() {
    this.openAccount('outside', 'outside')
    this.openAccount('fees', 'fees')
  }

  /** From the second version of the rules on operators are bound by switches, tokens and delistings. */
  get isStrict(): boolean {
    return this.rules >= 2
  }

  /** Whether somebody holds a named token that was not revoked. */
  opens(actor: string): boolean {
    return this.token(actor)?.isRevoked === false
  }

  /** The named token; undefined: there never was one. */
  token(name: string): AdminToken | undefined {
    return this.tokens.find((token) => token.name === name)
  }

  /** Opens an account of the house; a trader's is the oracle's to open. */
  openAccount(name: string, role: Account['role']): void {
    this.accounts.push({ id: this.accounts.length as AccountId, name, role, createdAt: this.time })
  }

  isEmpty(account: number): boolean {
    const holdsMoney = this.assets.some(({ held }) =>
      Object.values(held[account] ?? {}).some((sum) => sum > 0n),
    )
    return !holdsMoney && this.openOrders(account).length === 0
  }

  assetByCode(code: string): number {
    return this.assets.findIndex((asset) => asset.code === code)
  }

  buckets(asset: number, account: number): Buckets {
    const { held } = this.assets[asset] as ShadowAsset
    let buckets = held[account]
    if (buckets === undefined) {
      buckets = { free: 0n, locked: 0n, freeze: 0n, savings: 0n }
      held[account] = buckets
    }
    return buckets
  }

  /** Books `amount` out of one bucket into another; an inner bucket below zero is a violation. */
  move(asset: number, from: readonly [number, Bucket], to: readonly [number, Bucket], amount: bigint): void {
    const source = this.buckets(asset, from[0])
    source[from[1]] -= amount
    demand(amount >= 0n, () => `an amount moved is at least 0, found ${amount}`)
    demand(
      from[0] === 0 || source[from[1]] >= 0n,
      () => `no negative balance: account ${from[0]}, asset ${asset}, ${from[1]} ${source[from[1]]}`,
    )
    this.buckets(asset, to[0])[to[1]] += amount
  }

  isTrader(account: number): boolean {
    return this.accounts[account]?.role === 'trader'
  }

  openOrders(account: number, symbol?: number): ShadowOrder[] {
    const found: ShadowOrder[] = []
    for (const order of this.orders.values()) {
      if (order.account === account && (symbol === undefined || order.symbol.id === symbol)) found.push(order)
    }
    return found.sort((a, b) => b.number - a.number)
  }
}

/** A rule of the exchange: what breaks it ends the run. */
export function demand(holds: boolean, rule: string | (() => string)): asserts holds {
  if (!holds) throw new ViolationError(typeof rule === 'string' ? rule : rule())
}

/** Ledger units of the quote asset for `notional` ticks x lots, as numerator and denominator. */
function quoteUnits(state: ShadowState, symbol: ShadowSymbol): readonly [bigint, bigint] {
  const { fraction } = state.assets[symbol.quote] as ShadowAsset
  return [10n ** BigInt(fraction), 10n ** BigInt(symbol.baseFraction + symbol.quoteFraction)]
}

export function roundedUp(state: ShadowState, symbol: ShadowSymbol, notional: bigint): bigint {
  const [over, under] = quoteUnits(state, symbol)
  const exact = notional * over
  return exact / under + (exact % under === 0n ? 0n : 1n)
}

export function roundedDown(state: ShadowState, symbol: ShadowSymbol, notional: bigint): bigint {
  const [over, under] = quoteUnits(state, symbol)
  return (notional * over) / under
}

/** The largest notional that is worth at most `total` ledger units. */
export function affordableNotional(state: ShadowState, symbol: ShadowSymbol, total: bigint): bigint {
  const [over, under] = quoteUnits(state, symbol)
  return (total * under) / over
}

export function lotUnits(state: ShadowState, symbol: ShadowSymbol): bigint {
  const { fraction } = state.assets[symbol.base] as ShadowAsset
  return 10n ** BigInt(fraction - symbol.baseFraction)
}

/** What an open order must hold: all that it may still have to pay or deliver. */
export function neededFor(state: ShadowState, order: ShadowOrder): bigint {
  const { symbol, side, remaining, price, notional } = order
  if (side === 'SELL') return BigInt(remaining) * lotUnits(state, symbol)
  const atLimit = notional + BigInt(price) * BigInt(remaining)
  return roundedUp(state, symbol, atLimit) - roundedUp(state, symbol, notional)
}

export function levelQuantity(symbol: ShadowSymbol, side: Side, price: number): bigint {
  let sum = 0n
  for (const order of symbol.book[side]) if (order.price === price) sum += BigInt(order.remaining)
  return sum
}

/** The levels of a side, best first. */
export function levelsOf(symbol: ShadowSymbol, side: Side): { price: number; quantity: bigint }[] {
  const levels: { price: number; quantity: bigint }[] = []
  for (const { price, remaining } of symbol.book[side]) {
    const last = levels.at(-1)
    if (last?.price === price) last.quantity += BigInt(remaining)
    else levels.push({ price, quantity: BigInt(remaining) })
  }
  return levels
}
