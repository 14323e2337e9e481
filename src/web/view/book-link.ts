/** The book and the order form: a click on a price fills the form, and prices of own orders are marked. */
import { Decimal } from '../../client/decimal.ts'
import { plainNumber } from '../state/number-text.ts'
import { byId, setData } from './dom.ts'

export type OwnOrders = {
  /** A price of the book was chosen, as an exact decimal. */
  takePrice(price: string): void
  /** The prices of own orders in the book of a symbol. */
  ownPrices(symbol: string, side: 'BUY' | 'SELL'): readonly string[]
}

export class BookLink {
  readonly #orders: OwnOrders
  readonly #asks = byId('asks', HTMLTableSectionElement)
  readonly #bids = byId('bids', HTMLTableSectionElement)
  #isMarked = false

  constructor(orders: OwnOrders) {
    this.#orders = orders
    for (const section of [this.#asks, this.#bids]) {
      section.addEventListener('click', ({ target }) => {
        const row = target instanceof Element ? target.closest('tr') : null
        const price = row === null ? '' : priceOf(row)
        if (price !== '') orders.takePrice(price)
      })
    }
  }

  /** After the book was drawn. */
  mark(symbol: string): void {
    const [buys, sells] = [this.#orders.ownPrices(symbol, 'BUY'), this.#orders.ownPrices(symbol, 'SELL')]
    if (buys.length === 0 && sells.length === 0 && !this.#isMarked) return
    this.#isMarked = buys.length > 0 || sells.length > 0
    markSide(this.#bids, buys, -1)
    markSide(this.#asks, sells, 1)
  }
}

/** An order stands in the row of its price, or of its group: the nearest one below of bids (-1), above of asks (1). */
function markSide(section: HTMLTableSectionElement, own: readonly string[], direction: -1 | 1): void {
  const rows = [...section.rows].map((row) => ({ row, price: priceOf(row) }))
  const levels = rows.filter(({ price }) => price !== '')
  const marked = new Set<HTMLTableRowElement>()
  for (const text of own) {
    const price = Decimal.from(text)
    let nearest: (typeof levels)[number] | undefined
    for (const level of levels) {
      if (price.compare(level.price) * direction > 0) continue
      if (nearest === undefined || Decimal.from(level.price).compare(nearest.price) * direction < 0)
        nearest = level
    }
    if (nearest !== undefined) marked.add(nearest.row)
  }
  for (const { row } of rows) setData(row, 'own', marked.has(row) ? '' : undefined)
}

/** Empty: the row has no level. */
function priceOf(row: HTMLTableRowElement): string {
  return plainNumber(row.cells[0]?.textContent ?? '')
}
