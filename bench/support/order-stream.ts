/**
 * Streams of orders for a book: columns of numbers, so that reading them costs little compared with the
 * measured work. Order numbers are 1, 2, 3 ... in the order of placing.
 */
import type { RandomSource } from '../../test/model/random-source.ts'
import { PlayedBook } from './played-book.ts'

export const GTC = 0
export const IOC = 1
export const CANCEL = 2
/** Cancel, then place: a move in a book without moves. It counts as one operation. */
export const MOVE = 3

export const BUY = 0
export const SELL = 1

export type OrderStream = {
  readonly kinds: Uint8Array
  readonly sides: Uint8Array
  readonly prices: Float64Array
  readonly quantities: Float64Array
  /** Number of the resting order to be canceled. */
  readonly targets: Float64Array
  /** The first operations only fill the book and are not measured. */
  readonly filling: number
  readonly length: number
}

/** Writes a stream that never cancels a closed order: it plays every operation on a book of its own. */
export class StreamWriter {
  readonly random: RandomSource
  readonly #stream: OrderStream
  readonly #book: PlayedBook
  readonly #resting: number[] = []
  readonly #indexByNumber = new Map<number, number>()
  #at = 0
  #lastNumber = 0

  constructor(random: RandomSource, filling: number, measured: number) {
    const length = filling + measured
    this.random = random
    this.#book = new PlayedBook({
      filled: (maker, _price, _quantity, left) => left === 0 && this.#forget(maker),
    })
    this.#stream = {
      kinds: new Uint8Array(length),
      sides: new Uint8Array(length),
      prices: new Float64Array(length),
      quantities: new Float64Array(length),
      targets: new Float64Array(length),
      filling,
      length,
    }
  }

  get restingCount(): number {
    return this.#resting.length
  }

  /** Whether there is room for another operation. */
  get isOpen(): boolean {
    return this.#at < this.#stream.length
  }

  place(kind: typeof GTC | typeof IOC, side: number, price: number, quantity: number): void {
    this.#write(kind, side, price, quantity, 0)
    this.#place(kind, side, price, quantity)
  }

  /** Cancels a random resting order; at least one must exist. */
  cancel(): void {
    const target = this.#any()
    this.#write(CANCEL, BUY, 0, 0, target)
    this.#cancel(target)
  }

  /** Gives a random resting order another price on its side. */
  move(priceOf: (side: number) => number, quantity: number): void {
    const target = this.#any()
    const side = this.#book.side(target)
    const price = priceOf(side)
    this.#write(MOVE, side, price, quantity, target)
    this.#cancel(target)
    this.#place(GTC, side, price, quantity)
  }

  end(): OrderStream {
    return this.#stream
  }

  #any(): number {
    return this.random.pick(this.#resting)
  }

  #place(kind: typeof GTC | typeof IOC, side: number, price: number, quantity: number): void {
    const number = ++this.#lastNumber
    if (!this.#book.place(number, side, price, quantity, kind === GTC)) return
    this.#indexByNumber.set(number, this.#resting.length)
    this.#resting.push(number)
  }

  #cancel(target: number): void {
    this.#book.cancel(target)
    this.#forget(target)
  }

  #forget(number: number): void {
    const index = this.#indexByNumber.get(number) as number
    const last = this.#resting.pop() as number
    this.#indexByNumber.delete(number)
    if (last === number) return
    this.#resting[index] = last
    this.#indexByNumber.set(last, index)
  }

  #write(kind: number, side: number, price: number, quantity: number, target: number): void {
    const { kinds, sides, prices, quantities, targets } = this.#stream
    kinds[this.#at] = kind
    sides[this.#at] = side
    prices[this.#at] = price
    quantities[this.#at] = quantity
    targets[this.#at] = target
    this.#at++
  }
}
