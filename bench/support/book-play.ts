/** Plays a stream of orders on any book, and summarizes the result in one line. */
import { PlainBook } from '../../test/support/plain-book.ts'
import { CANCEL, GTC, MOVE, type OrderStream } from './order-stream.ts'
import { PeerBook } from './peer-book.ts'
import { PlayedBook } from './played-book.ts'

export type Book = {
  place(number: number, side: number, price: number, quantity: number, mayRest: boolean): unknown
  cancel(number: number): void
}

/** The sums of trades; `chain` depends on every maker and quantity, in their order. */
export class Tally {
  trades = 0
  notional = 0
  chain = 0

  filled(maker: number, price: number, quantity: number): void {
    this.trades++
    this.notional += price * quantity
    this.chain = Math.imul(this.chain ^ maker, 0x01000193) + quantity
  }

  toString(): string {
    return `${this.trades} trades worth ${this.notional}, chain ${hex(this.chain)}`
  }
}

/**
 * Plays operations `from` to `to`; `lastNumber` is the number of the last order placed before, the result
 * that of the last order placed.
 */
export function play(book: Book, stream: OrderStream, from: number, to: number, lastNumber: number): number {
  const { kinds, sides, prices, quantities, targets } = stream
  let number = lastNumber
  for (let i = from; i < to; i++) {
    const kind = kinds[i] as number
    if (kind === CANCEL || kind === MOVE) book.cancel(targets[i] as number)
    if (kind === CANCEL) continue
    const mayRest = kind === GTC || kind === MOVE
    book.place(++number, sides[i] as number, prices[i] as number, quantities[i] as number, mayRest)
  }
  return number
}

/** Ids for the other book, which are texts: they are created before the measurement. */
export function idsOf(stream: OrderStream): string[] {
  return Array.from({ length: stream.length + 1 }, (_, number) => String(number))
}

/**
 * The results of our book and the npm one for a complete stream, trade by trade and level by level; also of
 * the plain book if requested, whose time is proportional to the resting orders. Throws if they differ.
 */
export function digestOf(stream: OrderStream, asksPlain: boolean): string {
  const ours = new Tally()
  const book = new PlayedBook(ours)
  play(book, stream, 0, stream.length, 0)
  const theirs = new Tally()
  const peer = new PeerBook(idsOf(stream), theirs)
  play(peer, stream, 0, stream.length, 0)
  const ends = [`${ours}, depth ${depthOf(book)}`, `${theirs}, depth ${peerDepthOf(peer)}`]
  if (asksPlain) {
    const plain = new Tally()
    const model = new PlayedBook(plain, new PlainBook())
    play(model, stream, 0, stream.length, 0)
    ends.push(`${plain}, depth ${depthOf(model)}`)
  }
  if (new Set(ends).size > 1) throw new Error(`expected one result, found\n${ends.join('\n')}`)
  return `${ends[0]}, ${book.restingCount} resting`
}

type LevelFigures = readonly [price: number, quantity: number]

function depthOf({ book }: PlayedBook): string {
  const levels = (side: 'BUY' | 'SELL') => book.levels(side, Number.POSITIVE_INFINITY)
  const figures = (['BUY', 'SELL'] as const).map((side) =>
    levels(side).map(({ price, quantity }): LevelFigures => [price, Number(quantity)]),
  )
  return chainOf(figures)
}

function peerDepthOf({ book }: PeerBook): string {
  const [asks, bids] = book.depth()
  return chainOf([bids, asks])
}

/** A hash over every level of both sides, by price. */
function chainOf(sides: readonly (readonly LevelFigures[])[]): string {
  const tally = new Tally()
  for (const levels of sides) {
    for (const [price, quantity] of [...levels].sort(([a], [b]) => a - b))
      tally.filled(price, price, quantity)
  }
  return hex(tally.chain)
}

function hex(word: number): string {
  return (word >>> 0).toString(16)
}
