/**
 * The account's own orders on the chart: as lines, and as buttons above it. A line is dragged by pointer or
 * finger; a button starts the same move by keyboard. Nothing is sent without confirmation, unless the user
 * has switched that off; while nothing can be sent, nothing can be moved.
 */
import type { Order } from '../../../../client/interface/orders.ts'
import { parseDecimal, plainDecimal } from '../../../../units/decimal.ts'
import type { Decimals } from '../../../../units/quantities.ts'
import { onLanguage, TEXTS } from '../../../shared/texts/texts.ts'
import type { ChartAccount } from '../../../trade/account/chart-account.ts'
import { kindText } from '../../../trade/state/draft/order-leg.ts'
import { leftOf } from '../../../trade/state/order-phrase.ts'
import type { ListedSymbol } from '../../connection/symbols.ts'
import type { MarketState } from '../../state/market-state.ts'
import { type MoveEffect, moveEffect } from '../../state/move-effect.ts'
import { groupedDecimal } from '../../state/number-text.ts'
import { type OrderLine, orderLines, steppedPrice } from '../../state/order-lines.ts'
import type { CandleChart } from './candle-chart.ts'
import { MoveBar } from './move-bar.ts'
import { PriceDrag } from './price-drag.ts'
import type { ChartLine } from './price-lines.ts'

/**
 * Maximum number of levels that a moved order is compared with; an order that takes more is treated as taking
 * all of these.
 */
const LEVELS_MAX = 500
const GHOST = 'ghost'

export type OrderMovesOptions = {
  readonly chart: CandleChart
  /** The element of the chart. */
  readonly body: HTMLElement
  readonly account: ChartAccount
  /** The next press belongs to a drawing. */
  readonly isOff: () => boolean
}

type Moving = { readonly line: OrderLine; readonly price: string; readonly by: 'pointer' | 'keys' }

export class OrderMoves {
  readonly bar: MoveBar
  readonly #options: OrderMovesOptions
  #symbol: ListedSymbol | undefined
  #market: MarketState | undefined
  #orders: readonly Order[] = []
  #lines: readonly OrderLine[] = []
  readonly #drag: PriceDrag
  #moving: Moving | undefined

  constructor(options: OrderMovesOptions) {
    this.#options = options
    this.bar = new MoveBar({
      onBegin: (id) => this.#begin(this.#lineOf(id), 'keys'),
      onStep: (steps) => this.#step(steps),
      onConfirm: () => this.#confirm(),
      onLeave: () => this.#leave(),
      onLost: () => options.body.focus(),
    })
    this.#drag = new PriceDrag({
      body: options.body,
      chart: options.chart,
      lines: () => this.#lines,
      tickSize: () => this.#tickSize,
      isOff: options.isOff,
      onBegin: (line) => this.#begin(line, 'pointer'),
      onPrice: (price) => this.#pointTo(price),
      onEnd: () => this.#confirm(),
      onCancel: () => this.#leave(),
    })
    onLanguage(() => this.#write())
  }

  /** Whether the pointer is moving an order. */
  get isTaken(): boolean {
    return this.#moving !== undefined || this.#drag.takes()
  }

  choose(symbol: ListedSymbol): void {
    this.#leave()
    this.#symbol = symbol
    this.#market = undefined
    this.bar.say('')
    this.accountChanged()
  }

  /** Must be called in a frame of the browser, with the current market. */
  see(market: MarketState): void {
    this.#market = market
    if (this.#moving !== undefined) this.#write()
  }

  accountChanged(): void {
    if (this.#symbol === undefined) return
    const orders = this.#options.account.orders(this.#symbol.name)
    this.#orders = orders
    this.#lines = orderLines(orders, this.lastPrice)
    if (this.#moving !== undefined) this.#follow(this.#moving)
    this.#write()
  }

  /** The order being moved may have changed, or have ended. */
  #follow(moving: Moving): void {
    const line = this.#lineOf(moving.line.id)
    const why = line === undefined ? TEXTS.moves.gone : this.#options.account.whyNot(line.order)
    if (why !== undefined) {
      this.#leave()
      this.bar.say(why)
    } else if (line !== undefined) this.#moving = { ...moving, line }
  }

  /** False if it cannot be moved; the bar then shows the reason. */
  #begin(line: OrderLine | undefined, by: Moving['by']): boolean {
    if (line === undefined || this.#symbol === undefined) return false
    const why = this.#options.account.whyNot(line.order)
    this.bar.say(why ?? '')
    if (why !== undefined) return false
    this.#moving = { line, price: line.price, by }
    this.#write()
    return true
  }

  #pointTo(price: string): void {
    if (this.#moving === undefined) return
    this.#moving = { ...this.#moving, price }
    this.#write()
  }

  #step(steps: number): void {
    if (this.#moving !== undefined) this.#pointTo(steppedPrice(this.#moving.price, this.#tickSize, steps))
  }

  get #tickSize(): string {
    const { name, quoteFraction } = this.#symbol ?? { name: '', quoteFraction: 0 as Decimals }
    return this.#options.account.tickSize(name, quoteFraction)
  }

  #confirm(): void {
    const moving = this.#moving
    if (moving === undefined) return
    const { line, price } = moving
    this.#leave()
    if (price !== line.price)
      this.#options.account.move({
        ...{ order: line.order, field: line.field, price },
        effect: () => this.#effectText(moving),
      })
  }

  #leave(): void {
    this.#moving = undefined
    this.#write()
  }

  #lineOf(id: string): OrderLine | undefined {
    return this.#lines.find((line) => line.id === id)
  }

  /** The price of the last trade, as an exact decimal. */
  get lastPrice(): string | undefined {
    const last = this.#market?.tape.last?.price
    return last === undefined || this.#symbol === undefined
      ? undefined
      : plainDecimal(last, this.#symbol.quoteFraction)
  }

  #write(): void {
    const moving = this.#moving
    const names = this.#lines.map((line) => ({ line, name: this.#nameOf(line) }))
    const lines = names.map(({ line, name }): ChartLine => drawn(line.id, line, line.price, name, false))
    if (moving !== undefined) {
      const text = TEXTS.moves.ghost(this.#priceText(moving.price), this.#effectText(moving))
      lines.push(drawn(GHOST, moving.line, moving.price, this.#effectText(moving), true))
      this.bar.showMove({ ...moving, name: this.#nameOf(moving.line), text })
    } else this.bar.showOrders(names.map(({ line, name }) => this.#chipOf(line, name)))
    this.#options.chart.setLines(lines)
  }

  #chipOf(line: OrderLine, name: string) {
    const { id, order } = line
    return { id, side: order.side, text: TEXTS.moves.chip(name, this.#priceText(line.price)) }
  }

  /** Side, remaining quantity, and type. */
  #nameOf({ order, field }: OrderLine): string {
    const words = [TEXTS.side[order.side], this.#leftText(order), kindText(order, this.#orders)] as const
    return field === 'price' ? TEXTS.moves.line(...words) : TEXTS.moves.stopLine(...words)
  }

  #leftText(order: Order): string {
    const { baseCode = '', quoteCode = '' } = this.#symbol ?? {}
    const left = leftOf(order)
    return left === undefined ? `${order.total ?? ''} ${quoteCode}` : `${left} ${baseCode}`
  }

  #priceText(price: string): string {
    return this.#symbol === undefined ? price : groupedDecimal(price, this.#symbol.quoteFraction)
  }

  #effectText(moving: Moving): string {
    const [effect, symbol] = [this.#effectOf(moving), this.#symbol]
    const { effects } = TEXTS.moves
    if (effect.kind !== 'TAKES') return effects[effect.kind]
    if (symbol === undefined) return ''
    const { baseFraction, quoteFraction, baseCode, quoteCode } = symbol
    const cost = plainDecimal(effect.cost, (baseFraction + quoteFraction) as Decimals)
    return effects.TAKES(`${plainDecimal(effect.lots, baseFraction)} ${baseCode}`, `${cost} ${quoteCode}`)
  }

  #effectOf({ line: { order, field }, price }: Moving): MoveEffect {
    const [symbol, market] = [this.#symbol, this.#market]
    if (symbol === undefined || market === undefined) return { kind: 'RESTS' }
    const ticks = Number(parseDecimal(price, symbol.quoteFraction))
    const left = leftOf(order)
    const lots = left === undefined ? undefined : parseDecimal(left, symbol.baseFraction)
    const { book, tape } = market
    return moveEffect(order, field, ticks, typeof lots === 'bigint' ? lots : undefined, {
      opposite: order.side === 'BUY' ? book.asks(LEVELS_MAX) : book.bids(LEVELS_MAX),
      lastTicks: tape.last?.price,
    })
  }
}

function drawn(
  id: string,
  { order, field }: OrderLine,
  price: string,
  title: string,
  isGhost: boolean,
): ChartLine {
  const color = field === 'stopPrice' ? 'warn' : order.side === 'BUY' ? 'up' : 'down'
  return { id, price: Number(price), title, color, isGhost }
}
