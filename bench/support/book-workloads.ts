/** The three loads of the benchmark "book". */
import { RandomSource } from '../../test/model/random-source.ts'
import { BUY, GTC, IOC, type OrderStream, SELL, StreamWriter } from './order-stream.ts'

const MIDDLE = 1_000_000

/** Alternating sides at any of ten prices: orders that do not trade stay. */
export function band(operations: number): OrderStream {
  const writer = new StreamWriter(new RandomSource(1), 0, operations)
  for (let i = 0; writer.isOpen; i++) {
    const price = MIDDLE + writer.random.below(10)
    writer.place(GTC, i % 2 === 0 ? BUY : SELL, price, quantity(writer))
  }
  return writer.end()
}

/** 9 % GTC, 3 % IOC, 6 % cancel, 82 % move, around 1,000 resting orders on 750 levels. */
export function mix(operations: number): OrderStream {
  const resting = 1_000
  const writer = new StreamWriter(new RandomSource(2), resting, operations)
  const priceOf = (side: number) => away(writer, side, 750)
  fill(writer, resting, priceOf)
  while (writer.isOpen) {
    const share = writer.random.below(100)
    const side = writer.random.below(2)
    if (share < 9 || writer.restingCount === 0) writer.place(GTC, side, priceOf(side), quantity(writer))
    else if (share < 12) writer.place(IOC, side, side === BUY ? 2 * MIDDLE : 1, quantity(writer))
    else if (share < 18) writer.cancel()
    else writer.move(priceOf, quantity(writer))
  }
  return writer.end()
}

/**
 * `resting` orders on the mix's number of levels; repeatedly, one of them is canceled, then another one
 * placed.
 */
export function deep(operations: number, resting: number): OrderStream {
  const writer = new StreamWriter(new RandomSource(3), resting, operations)
  const priceOf = (side: number) => away(writer, side, 375)
  fill(writer, resting, priceOf)
  while (writer.isOpen) {
    if (writer.restingCount >= resting) writer.cancel()
    else {
      const side = writer.random.below(2)
      writer.place(GTC, side, priceOf(side), quantity(writer))
    }
  }
  return writer.end()
}

function fill(writer: StreamWriter, resting: number, priceOf: (side: number) => number): void {
  for (let i = 0; i < resting; i++) {
    const side = i % 2 === 0 ? BUY : SELL
    writer.place(GTC, side, priceOf(side), quantity(writer))
  }
}

/** A price up to `ticks` away from the middle, on the side that does not trade. */
function away(writer: StreamWriter, side: number, ticks: number): number {
  const distance = 1 + writer.random.below(ticks)
  return side === BUY ? MIDDLE - distance : MIDDLE + distance
}

function quantity(writer: StreamWriter): number {
  return 100 + writer.random.below(901)
}
