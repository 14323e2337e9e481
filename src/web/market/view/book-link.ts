/**
 * Connects the book and the order form: a click on a price fills the form, and prices of own orders are
 * marked.
 */
import type { Side } from '../../../client/interface/words.ts'
import { plainNumber } from '../state/number-text.ts'
import { byId, setData } from './dom.ts'

export type BookPrice = {
  /** As an exact decimal. */
  readonly price: string
  /** The side of an order that takes the orders there: BUY at an ask, SELL at a bid. */
  readonly side: Side
  /** The price under the pointer changed while the button was pressed. */
  readonly hasMoved: boolean
}

export type OwnOrders = {
  /** Called when the user chooses a price of the book. */
  takePrice(choice: BookPrice): void
  /** The prices of own orders in the book of a symbol, each once. */
  ownPrices(symbol: string, side: Side): ReadonlySet<string>
}

export class BookLink {
  readonly #orders: OwnOrders
  readonly #asks = byId('asks', HTMLTableSectionElement)
  readonly #bids = byId('bids', HTMLTableSectionElement)
  #isMarked = false

  constructor(orders: OwnOrders) {
    this.#orders = orders
    for (const section of [this.#asks, this.#bids]) {
      let pressed = ''
      section.addEventListener('pointerdown', ({ target }) => {
        pressed = priceAt(target)
      })
      section.addEventListener('click', ({ target, detail }) => {
        const price = priceAt(target)
        // The second click of a double click is not a second choice.
        if (price === '' || detail > 1) return
        orders.takePrice({ price, side: this.#sideOf(section), hasMoved: pressed !== price })
      })
    }
  }

  /** The price under the pointer. */
  get pointed(): BookPrice | undefined {
    for (const section of [this.#asks, this.#bids]) {
      const price = priceAt(section.querySelector('tr:hover'))
      if (price !== '') return { price, side: this.#sideOf(section), hasMoved: false }
    }
    return undefined
  }

  #sideOf(section: HTMLTableSectionElement): Side {
    return section === this.#asks ? 'BUY' : 'SELL'
  }

  /** Must be called after each drawing of the book. */
  mark(symbol: string): void {
    const [buys, sells] = [this.#orders.ownPrices(symbol, 'BUY'), this.#orders.ownPrices(symbol, 'SELL')]
    if (buys.size === 0 && sells.size === 0 && !this.#isMarked) return
    this.#isMarked = buys.size > 0 || sells.size > 0
    markSide(this.#bids, buys, -1)
    markSide(this.#asks, sells, 1)
  }
}

/**
 * An order is marked in the row of its price, or of its group: the nearest one below for bids (-1), above for
 * asks (1). Prices are compared as floating-point numbers, to which equal texts always convert equally:
 * thousands of own orders are searched in every frame.
 */
function markSide(section: HTMLTableSectionElement, own: Iterable<string>, direction: -1 | 1): void {
  const rows = [...section.rows].map((row) => ({ row, price: priceOf(row) }))
  const levels = rows.flatMap(({ row, price }) => (price === '' ? [] : [{ row, at: Number(price) }]))
  const marked = new Set<HTMLTableRowElement>()
  for (const text of own) {
    const price = Number(text)
    let nearest: (typeof levels)[number] | undefined
    for (const level of levels) {
      if ((price - level.at) * direction > 0) continue
      if (nearest === undefined || (level.at - nearest.at) * direction < 0) nearest = level
    }
    if (nearest !== undefined) marked.add(nearest.row)
  }
  for (const { row } of rows) setData(row, 'own', marked.has(row) ? '' : undefined)
}

function priceAt(target: EventTarget | null): string {
  const row = target instanceof Element ? target.closest('tr') : null
  return row === null ? '' : priceOf(row)
}

/** Empty if the row has no level. */
function priceOf(row: HTMLTableRowElement): string {
  return plainNumber(row.cells[0]?.textContent ?? '')
}
