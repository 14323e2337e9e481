/**
 * Plays a story written in text against the core, and compares the result with the story. Its words:
 *
 *     traders  ann 1000 USDT               names and balances; several lines
 *     book     ...                         see `book-drawing.ts`: the first one places its orders, later ones must match
 *     order    ann buys 5 at 101.00        a LIMIT order; `, IOC` or a self-trade mode may follow
 *              ann buys for 5.00           a MARKET order by total; `sells 3 at market` one by quantity
 *     answer   FILLED                      the state of the order, or the reason why it was refused
 *     fills    2 at 100.00 from ben        each fill of the order, in turn: `from` the seller, `to` the buyer
 *     purses   ann 1.5 BTC, 3 + 2 held USDT    free and held; `fees` and `rounding` are the house's
 *     cancel   ann's bid at 101.00         all of ann's orders at that price
 *     halt, resume                         the market's state
 */
import { expect } from 'bun:test'
import type { OrdersMatched } from '../../src/core/events/event.ts'
import {
  ExchangeHarness,
  OPERATOR,
  type OrderWords,
} from '../../src/core/exchange/exchange-harness.fixture.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { fixedDecimal, parseDecimal, plainDecimal } from '../../src/units/decimal.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { FEES_ACCOUNT } from '../../src/units/ids.ts'
import { SELF_TRADE_MODES, type SelfTradeMode, type Side } from '../../src/units/order-enums.ts'
import { type Decimals, decimals, rate } from '../../src/units/quantities.ts'
import { type DrawnOrder, drawBook, parseBook } from './book-drawing.ts'

/** The market of a story: BTC/USDT, or USDT against another asset. */
export type Place = {
  readonly base: string
  readonly quote: string
  /** Decimals of the quote asset's ledger. */
  readonly quoteLedger: number
  /** Decimals of quantities; prices have two. */
  readonly quantityDecimals: number
  /** Commission of maker and taker, in units of 10^-8: 100,000 is 0.1 %. */
  readonly commission: number
}

export const BTC_USDT: Place = {
  base: 'BTC',
  quote: 'USDT',
  quoteLedger: 8,
  quantityDecimals: 8,
  commission: 0,
}

/** Small figures: the value of one lot has, at any price, more decimals than the ledger of TRY. */
export const USDT_TRY: Place = {
  base: 'USDT',
  quote: 'TRY',
  quoteLedger: 2,
  quantityDecimals: 2,
  commission: 0,
}

const SECTION = /^ {2}(\w+) +(.*)$|^ {2}(\w+)$/
const ORDER = /^(\w+) (buys|sells) (?:(?:([\d.]+) at (market|[\d.]+))|for ([\d.]+))((?:, \w+)*)$/
const CANCEL = /^(\w+)'s (bid|ask) at ([\d.]+)$/

/** Plays a story; throws if the exchange behaves differently. */
export function tell(place: Place, text: string): void {
  const story = new Story(place)
  for (const { word, lines } of sectionsOf(text)) {
    story.act(word, lines)
    story.harness.mustAddUp()
  }
}

type Section = { readonly word: string; readonly lines: string[] }

/** A word indented by two spaces begins a section; lines with more indentation continue the section. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [, word, first, alone] = SECTION.exec(line) ?? []
    if (word !== undefined) sections.push({ word, lines: [tidy(first ?? '')] })
    else if (alone !== undefined) sections.push({ word: alone, lines: [] })
    else sections.at(-1)?.lines.push(tidy(line))
  }
  return sections
}

function tidy(line: string): string {
  return line.trim().replaceAll(/ +/g, ' ')
}

class Story {
  readonly harness: ExchangeHarness
  readonly #symbol: TradingSymbol
  readonly #accounts = new Map<string, AccountId>()
  readonly #place: Place
  #reply: Reply | undefined
  #isBookPlaced = false

  constructor(place: Place) {
    const { base, quote, quoteLedger, quantityDecimals, commission } = place
    this.#place = place
    const rates = { makerRate: rate(commission), takerRate: rate(commission) }
    const terms = { baseFraction: decimals(quantityDecimals), quoteFraction: decimals(2), ...rates }
    this.harness = new ExchangeHarness({ terms })
    this.harness.give({ kind: 'SetRulesVersion', operator: OPERATOR, version: RULES_VERSION })
    const isListed = this.harness.exchange.symbols().some(({ name }) => name === `${base}/${quote}`)
    if (!isListed) this.harness.asset(quote, quoteLedger)
    const id = isListed ? 0 : this.harness.symbol(base, quote, terms)
    this.#symbol = this.harness.exchange.symbols()[id] as TradingSymbol
    this.#accounts.set('fees', FEES_ACCOUNT)
    this.#accounts.set('rounding', this.#symbol.roundingAccountId)
  }

  act(word: string, lines: readonly string[]): void {
    switch (word) {
      case 'traders':
        for (const line of lines) this.#meet(line)
        break
      case 'book':
        if (!this.#isBookPlaced) this.#placeBook(lines)
        this.#expect(word, this.#book(), drawnAgain(lines))
        break
      case 'order':
        for (const line of lines) this.#reply = this.harness.order(this.#orderOf(line))
        break
      case 'answer':
        this.#expect(word, [this.#answer()], lines)
        break
      case 'fills':
        this.#expect(word, this.#fills(), lines[0] === 'none' ? [] : lines)
        break
      case 'purses': {
        const names = lines.map((line) => line.split(' ')[0] ?? '')
        this.#expect(
          word,
          names.map((name) => this.#purse(name)),
          lines,
        )
        break
      }
      case 'cancel':
        for (const line of lines) this.#cancel(line)
        break
      case 'halt':
      case 'resume':
        this.harness.state(this.#symbol.name, word === 'halt' ? 'HALTED' : 'TRADING')
        break
      default:
        throw new Error(`no word of a story: ${word}`)
    }
  }

  #expect(what: string, is: readonly string[], wanted: readonly string[]): void {
    expect({ [what]: is }).toEqual({ [what]: wanted })
  }

  /** `ann 1000 USDT, 2 BTC` */
  #meet(line: string): void {
    const [name = '', ...rest] = line.split(' ')
    const account = this.harness.trader(name, {})
    this.#accounts.set(name, account)
    for (const sum of rest.join(' ').split(', ')) {
      const [units = '', code] = sum.split(' ')
      const isBase = code === this.#place.base
      if (!isBase && code !== this.#place.quote) throw new Error(`no asset of this market: ${sum}`)
      const precision = isBase ? this.#symbol.basePrecision : this.#symbol.quotePrecision
      this.harness.credit(account, code ?? '', unitsOf(units, precision))
    }
  }

  #placeBook(lines: readonly string[]): void {
    this.#isBookPlaced = true
    for (const { who, side, price, quantity } of parseBook(lines)) {
      const words = { price: this.#ticks(price), quantity: this.#lots(quantity) }
      const { status } = this.harness.accepted({ ...this.#by(who), side, ...words })
      if (status !== 'NEW') throw new Error(`the first book crosses at ${price}`)
    }
  }

  #orderOf(line: string): OrderWords {
    const [, who = '', verb, quantity, price, total, more = ''] = ORDER.exec(line) ?? []
    if (verb === undefined) throw new Error(`no order: ${line}`)
    const words = more.split(', ').filter((word) => word !== '')
    const selfTradeMode = SELF_TRADE_MODES.find((mode): mode is SelfTradeMode => words.includes(mode))
    const side: Side = verb === 'buys' ? 'BUY' : 'SELL'
    const head = { ...this.#by(who), side, selfTradeMode }
    if (total !== undefined) {
      return { ...head, type: 'MARKET', total: unitsOf(total, this.#symbol.quotePrecision) }
    }
    const lots = this.#lots(quantity ?? '')
    if (price === 'market') return { ...head, type: 'MARKET', quantity: lots }
    const timeInForce = words.includes('IOC') ? 'IOC' : 'GTC'
    return { ...head, timeInForce, price: this.#ticks(price ?? ''), quantity: lots }
  }

  #answer(): string {
    const reply = this.#reply
    if (reply?.kind === 'OrderAccepted') return reply.status
    return reply?.kind === 'Refused' ? reply.reason : 'no order was given'
  }

  #fills(): string[] {
    const fills = this.harness.events.filter(
      (event): event is OrdersMatched => event.kind === 'OrdersMatched',
    )
    return fills.map(({ quantity, price, takerSide, maker }) => {
      const other = `${takerSide === 'BUY' ? 'from' : 'to'} ${this.#nameOf(maker.accountId)}`
      return `${plainDecimal(quantity, this.#symbol.baseFraction)} at ${fixedDecimal(price, decimals(2))} ${other}`
    })
  }

  #cancel(line: string): void {
    const [, who = '', word, price = ''] = CANCEL.exec(line) ?? []
    if (word === undefined) throw new Error(`no cancel: ${line}`)
    const { who: accountId } = this.#by(who)
    const side = word === 'bid' ? 'BUY' : 'SELL'
    const meant = this.#openOf(accountId).filter(
      (order) => order.side === side && order.price === this.#ticks(price),
    )
    if (meant.length === 0) throw new Error(`there is none: ${line}`)
    for (const { orderNumber, time } of meant) {
      const reply = this.harness.give({ kind: 'CancelOrder', accountId, orderNumber, orderTime: time })
      expect(reply.kind).toBe('Done')
    }
  }

  /** `ann 1.5 BTC, 3 + 2 held USDT` */
  #purse(name: string): string {
    const { base, quote, basePrecision, quotePrecision } = this.#symbol
    const { who } = this.#by(name)
    const sum = (asset: number, precision: Decimals, code: string): string => {
      const { free, locked } = this.harness.money(who, asset)
      const held = locked === 0n ? '' : ` + ${plainDecimal(locked, precision)} held`
      return `${plainDecimal(free, precision)}${held} ${code}`
    }
    const { base: baseCode, quote: quoteCode } = this.#place
    return `${name} ${sum(base, basePrecision, baseCode)}, ${sum(quote, quotePrecision, quoteCode)}`
  }

  /** The book drawn from every trader's open orders, which must add up to the levels of the book. */
  #book(): string[] {
    const open = [...this.#accounts].flatMap(([who, account]) =>
      this.#openOf(account).map((order) => ({ ...order, who })),
    )
    const { exchange } = this.harness
    const levels = exchange.book(this.#symbol.id)
    for (const side of ['sell', 'buy'] as const) {
      for (const { price, quantity } of levels[side]) {
        const there = open.filter((order) => order.price === price)
        expect(there.reduce((sum, { remaining }) => sum + BigInt(remaining), 0n)).toBe(quantity)
      }
    }
    const oldestFirst = open.toSorted((a, b) => a.orderNumber - b.orderNumber)
    return drawBook(
      oldestFirst.map(({ side, price, remaining, who }): DrawnOrder => {
        const quantity = plainDecimal(remaining, this.#symbol.baseFraction)
        return { side, price: fixedDecimal(price, decimals(2)), quantity, who }
      }),
    )
  }

  #openOf(account: AccountId) {
    return this.harness.exchange.openOrders(account, this.#symbol.id)
  }

  #by(name: string): { readonly who: AccountId; readonly symbol: TradingSymbol['id'] } {
    const who = this.#accounts.get(name)
    if (who === undefined) throw new Error(`nobody of this story: ${name}`)
    return { who, symbol: this.#symbol.id }
  }

  #nameOf(accountId: AccountId): string {
    return [...this.#accounts].find(([, id]) => id === accountId)?.[0] ?? `account ${accountId}`
  }

  #ticks(text: string): number {
    return Number(unitsOf(text, decimals(2)))
  }

  #lots(text: string): number {
    return Number(unitsOf(text, this.#symbol.baseFraction))
  }
}

/** A drawing in the format of `drawBook`, so that differences of format do not matter. */
function drawnAgain(lines: readonly string[]): string[] {
  return drawBook(parseBook(lines))
}

function unitsOf(text: string, places: Decimals): bigint {
  const units = parseDecimal(text, places)
  if (typeof units !== 'bigint') throw new Error(`no figure of ${places} decimals: ${text}`)
  return units
}
