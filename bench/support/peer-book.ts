/** The npm package `nodejs-order-book` with the interface of our book. */
import { OrderBook } from 'nodejs-order-book'
import type { TradeSink } from './played-book.ts'

type LimitOrder = Parameters<OrderBook['limit']>[0]

export class PeerBook {
  readonly #book = new OrderBook()
  /** Undefined if trades are not needed, so that none are extracted from the answers. */
  readonly #sink: TradeSink | undefined
  /** The other book's ids are texts, which come with the load. */
  readonly #ids: readonly string[]

  constructor(ids: readonly string[], sink?: TradeSink) {
    this.#ids = ids
    this.#sink = sink
  }

  get book(): OrderBook {
    return this.#book
  }

  place(number: number, side: number, price: number, quantity: number, mayRest: boolean): void {
    const id = this.#ids[number] as string
    const timeInForce = mayRest ? 'GTC' : 'IOC'
    const order = { id, side: side === 0 ? 'buy' : 'sell', size: quantity, price, timeInForce } as LimitOrder
    const { done, partial, partialQuantityProcessed } = this.#book.limit(order)
    if (this.#sink === undefined) return
    for (const maker of done) {
      if (maker.id !== id && 'price' in maker) this.#sink.filled(Number(maker.id), maker.price, maker.size, 0)
    }
    if (partial === null || partial.id === id) return
    this.#sink.filled(Number(partial.id), partial.price, partialQuantityProcessed, partial.size)
  }

  cancel(number: number): void {
    this.#book.cancel(this.#ids[number] as string)
  }
}
