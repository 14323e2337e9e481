/**
 * Commands of an exchange with known effects, and its books in exact fractions of whole assets, computed from
 * the rules alone without code of the core.
 */
import type { Command } from '../../src/core/commands/command.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { AccountId, SymbolId } from '../../src/units/ids.ts'
import type { Side } from '../../src/units/order-enums.ts'
import { amount, decimals, lots, price, rate } from '../../src/units/quantities.ts'
import { Fraction } from '../model/fraction.ts'
import { randomNumbers } from './random-numbers.ts'

const DAY_MS = 86_400_000
const START_MS = Date.UTC(2026, 0, 30, 21)
const DAYS = 14
const ROUNDS_A_DAY = 16
const BASE = { code: 'AAA', places: 8 }
/** Few decimals, so that rounding matters in every fill. */
const QUOTE = { code: 'BBB', places: 2 }
const LOT_PLACES = 4
const TICK_PLACES = 1
/**
 * In lots: at the lowest price this quantity is worth one unit of the quote asset, the minimum of an order.
 */
const SLICE_LEAST = 10
const SYMBOL = `${BASE.code}/${QUOTE.code}`
const RATES = { maker: Fraction.decimal(123_457n, 8), taker: Fraction.decimal(250_001n, 8) }
const [ANN, BEN] = ['ann', 'ben']
/** The house's accounts come first: outside world, fees, rounding of the symbol. */
const TRADERS = ['alice', 'bob', 'carol, of "two"'] as const
const FIRST_TRADER = 3

type Asset = typeof BASE

/** An order's figures over its life. */
type Life = { worth: Fraction; moved: Fraction; owed: Fraction; charged: Fraction }

export class MadeUpExchange {
  readonly batches: { time: number; commands: Command[] }[] = []
  /** Changes by day, account, asset and cause. */
  readonly changes = new Map<string, Fraction>()
  /** Fees by day, symbol, account and asset. */
  readonly fees = new Map<string, Fraction>()
  /** Turnover by account and side, in the quote asset. */
  readonly turnover = new Map<string, Fraction>()
  /** Balances by account and asset, at the end of each day. */
  readonly closings = new Map<string, ReadonlyMap<string, Fraction>>()
  readonly #owned = new Map<string, Fraction>()
  readonly #random: () => number
  #time = START_MS
  #references = 0

  constructor(seed: number) {
    this.#random = randomNumbers(seed)
    this.#setUp()
    for (let day = 0; day < DAYS; day++) {
      // Nothing happens on one day in four.
      for (let round = 0; round < ROUNDS_A_DAY && day % 4 !== 3; round++) this.#round()
      this.#time = Math.floor(this.#time / DAY_MS + 1) * DAY_MS
    }
    this.closings.set(this.#day, new Map(this.#owned))
  }

  dayBefore(day: string): string {
    return dayText(Date.parse(day) - DAY_MS)
  }

  /** Day of the last command. */
  get #day(): string {
    return dayText(this.batches.at(-1)?.time ?? START_MS)
  }

  #setUp(): void {
    const flags = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: true }
    const operator = { actor: 'setup', note: '' }
    const list = ({ code, places }: Asset): Command => ({
      ...{ kind: 'ListAsset', operator, code, name: code, flags, supplyCap: amount(0n) },
      fraction: decimals(places),
    })
    const terms = {
      baseFraction: decimals(LOT_PLACES),
      quoteFraction: decimals(TICK_PLACES),
      makerRate: rate(Number(RATES.maker.wholeUnits(8))),
      takerRate: rate(Number(RATES.taker.wholeUnits(8))),
      ...{ minTotal: amount(0n), minQuantity: lots(0), selfTradeMode: 'NONE' as const },
      ...{ openOrdersMax: 10_000, levelsMax: 10_000 },
    } as const
    const much = { supplyCap: amount(0n), creditMax: amount(0n), approvalAbove: amount(10n ** 12n) }
    this.#do({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
    this.#do(list(BASE), list(QUOTE))
    this.#do({ kind: 'ListSymbol', operator, base: BASE.code, quote: QUOTE.code, terms })
    this.#do({ kind: 'SetAssetTerms', operator, code: BASE.code, name: BASE.code, ...much })
    for (const [place, name] of [ANN, BEN].entries())
      this.#do({
        kind: 'AddAdminToken',
        operator,
        role: 'OPERATOR',
        name: name as string,
        digest: new Uint8Array(32).fill(place),
      })
    for (const name of TRADERS) this.#do({ kind: 'CreateAccount', operator, name })
    for (const [index] of TRADERS.entries()) {
      this.#credit(index, BASE, Fraction.of(1_000n))
      this.#credit(index, QUOTE, Fraction.of(10_000_000n))
    }
  }

  #round(): void {
    for (let i = 0; i < 2; i++) this.#trade()
    const index = this.#below(TRADERS.length)
    const asset = this.#random() < 0.5 ? BASE : QUOTE
    const sum = Fraction.decimal(BigInt(1 + this.#below(100_000_000)), asset.places)
    const steps = [
      () => this.#credit(index, asset, sum),
      () => this.#approvedCredit(index),
      () => this.#move('Debit', 'DEBIT', index, asset, sum),
      () => this.#withdrawal(index, asset, sum),
      () => this.#savings(index, asset, sum),
      () => this.#payout(),
    ]
    ;(steps[this.#below(steps.length)] as () => void)()
  }

  /** A credit that is sent twice: it counts once. */
  #credit(index: number, asset: Asset, sum: Fraction): void {
    this.#move('Credit', 'CREDIT', index, asset, sum)
  }

  #move(kind: 'Credit' | 'Debit', cause: string, index: number, asset: Asset, sum: Fraction): void {
    const command: Command = { kind, ...this.#transfer(index, asset, sum) }
    this.#do(command)
    this.#outside(cause, TRADERS[index] as string, asset, kind === 'Credit' ? sum : minus(sum))
    if (this.#random() < 0.3) this.#do(command)
  }

  /**
   * A credit that waits for approval, even past midnight, and counts on the day of its approval; a rejected
   * one never counts.
   */
  #approvedCredit(index: number): void {
    const sum = Fraction.decimal(10n ** 12n + BigInt(this.#below(1_000)), BASE.places)
    const asked = {
      kind: 'Credit',
      ...this.#transfer(index, BASE, sum),
      operator: { actor: ANN as string, note: '' },
    } as const
    this.#do(asked)
    if (this.#random() < 0.5) this.#time += DAY_MS / 4
    const operator = { actor: BEN as string, note: '' }
    const { reference } = asked
    if (this.#random() < 0.3) {
      this.#do({ kind: 'Reject', operator, reference })
      return
    }
    this.#do({ kind: 'Approve', operator, reference })
    this.#outside('CREDIT', TRADERS[index] as string, BASE, sum)
    this.#do({ kind: 'Approve', operator, reference }, asked)
  }

  /** A held withdrawal has not left the account; a completed one has, once. */
  #withdrawal(index: number, asset: Asset, sum: Fraction): void {
    const held = this.#transfer(index, asset, sum)
    const { operator, reference } = held
    this.#do({ kind: 'HoldWithdrawal', ...held })
    if (this.#random() < 0.3) {
      this.#do({ kind: 'CancelWithdrawal', operator, reference })
      return
    }
    this.#do(
      { kind: 'CompleteWithdrawal', operator, reference },
      { kind: 'CompleteWithdrawal', operator, reference },
    )
    this.#outside('WITHDRAWAL', TRADERS[index] as string, asset, minus(sum))
  }

  #savings(index: number, asset: Asset, sum: Fraction): void {
    this.#do({ kind: 'MoveSavings', isDeposit: true, ...this.#transfer(index, asset, sum) })
    this.#do({ kind: 'MoveSavings', isDeposit: false, ...this.#transfer(index, asset, sum) })
  }

  #payout(): void {
    const earned = this.#owned.get(`fees ${BASE.code}`) ?? Fraction.ZERO
    const sum = earned.over(Fraction.of(2n)).roundedDown(BASE.places)
    if (!sum.isPositive) return
    const { accountId: _, ...rest } = this.#transfer(0, BASE, sum)
    this.#do({ kind: 'PayOutCommission', ...rest })
    this.#outside('PAYOUT', 'fees', BASE, minus(sum))
  }

  /** One order rests alone in the book, and others take it in slices; the remainder is canceled. */
  #trade(): void {
    const maker = this.#below(TRADERS.length)
    const isBuy = this.#random() < 0.5
    const side = isBuy ? 'BUY' : 'SELL'
    const ticks = 100 + this.#below(5_000)
    let left = SLICE_LEAST + this.#below(20_000)
    this.#order(maker, side, ticks, left, 'GTC')
    const lifeOfMaker = newLife()
    for (let slices = 1 + this.#below(3); slices > 0 && left >= SLICE_LEAST; slices--) {
      const taken = SLICE_LEAST + this.#below(left - SLICE_LEAST + 1)
      const taker = this.#below(TRADERS.length)
      this.#order(taker, isBuy ? 'SELL' : 'BUY', ticks, taken, 'IOC')
      left -= taken
      const [making, taking] = [
        { index: maker, life: lifeOfMaker, rate: RATES.maker },
        { index: taker, life: newLife(), rate: RATES.taker },
      ]
      this.#fill(isBuy ? making : taking, isBuy ? taking : making, ticks, taken)
    }
    this.#do({
      kind: 'CancelOrders',
      operator: { actor: 'x', note: '' },
      accountId: undefined,
      symbol: SYMBOL,
    })
  }

  #fill(buyer: Party, seller: Party, ticks: number, taken: number): void {
    const quantity = Fraction.decimal(taken, LOT_PLACES)
    const worth = quantity.times(Fraction.decimal(ticks, TICK_PLACES))
    const paid = moved(buyer.life, worth, (all) => all.roundedUp(QUOTE.places))
    const received = moved(seller.life, worth, (all) => all.roundedDown(QUOTE.places))
    this.#exchanged(buyer, minus(paid), QUOTE, quantity, BASE)
    this.#exchanged(seller, minus(quantity), BASE, received, QUOTE)
    this.#add('ROUNDING', `rounding:${SYMBOL}`, QUOTE, paid.minus(received))
    this.#sum(this.turnover, `${nameOf(buyer)} BUY`, paid)
    this.#sum(this.turnover, `${nameOf(seller)} SELL`, received)
  }

  #exchanged(party: Party, given: Fraction, of: Asset, received: Fraction, into: Asset): void {
    const { life, rate: share } = party
    const name = nameOf(party)
    life.owed = life.owed.plus(received.times(share))
    const due = life.owed.roundedHalfUp(into.places)
    const commission = due.minus(life.charged)
    life.charged = due
    this.#add('TRADE', name, of, given)
    this.#add('TRADE', name, into, received)
    this.#add('COMMISSION', name, into, minus(commission))
    this.#add('COMMISSION', 'fees', into, commission)
    this.#sum(this.fees, [this.#day, SYMBOL, name, into.code].join(' '), commission)
  }

  #order(index: number, side: Side, ticks: number, quantity: number, timeInForce: 'GTC' | 'IOC'): void {
    this.#do({
      ...{ kind: 'PlaceOrder', accountId: (FIRST_TRADER + index) as AccountId, symbolId: 0 as SymbolId },
      ...{ side, type: 'LIMIT', timeInForce, price: price(ticks), quantity: lots(quantity) },
      ...{ total: undefined, selfTradeMode: undefined, clientOrderId: undefined },
    } as Command)
  }

  #transfer(index: number, asset: Asset, sum: Fraction) {
    return {
      operator: { actor: 'teller', note: '' },
      accountId: (FIRST_TRADER + index) as AccountId,
      asset: asset.code,
      amount: amount(sum.wholeUnits(asset.places)),
      reference: `reference ${++this.#references}`,
    }
  }

  #outside(cause: string, account: string, asset: Asset, sum: Fraction): void {
    this.#add(cause, account, asset, sum)
    this.#add(cause, 'outside', asset, minus(sum))
  }

  #add(cause: string, account: string, asset: Asset, sum: Fraction): void {
    this.#sum(this.changes, [this.#day, account, asset.code, cause].join(' '), sum)
    this.#sum(this.#owned, `${account} ${asset.code}`, sum)
  }

  #sum(sums: Map<string, Fraction>, key: string, sum: Fraction): void {
    sums.set(key, (sums.get(key) ?? Fraction.ZERO).plus(sum))
  }

  #do(...commands: Command[]): void {
    for (let day = this.#day; day < dayText(this.#time); day = dayText(Date.parse(day) + DAY_MS))
      this.closings.set(day, new Map(this.#owned))
    this.batches.push({ time: this.#time, commands })
    this.#time += 1 + this.#below(60_000)
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}

type Party = { readonly index: number; readonly life: Life; readonly rate: Fraction }

function nameOf({ index }: Party): string {
  return TRADERS[index] as string
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function newLife(): Life {
  return { worth: Fraction.ZERO, moved: Fraction.ZERO, owed: Fraction.ZERO, charged: Fraction.ZERO }
}

/**
 * The amount that a fill moves: the rounded total over the order's life after the fill, minus the one before
 * it.
 */
function moved(life: Life, worth: Fraction, round: (all: Fraction) => Fraction): Fraction {
  life.worth = life.worth.plus(worth)
  const after = round(life.worth)
  const fill = after.minus(life.moved)
  life.moved = after
  return fill
}

function minus(sum: Fraction): Fraction {
  return Fraction.ZERO.minus(sum)
}
