import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Side } from '../../units/order-words.ts'
import { price } from '../../units/quantities.ts'
import { OrderBookState } from './order-book-state.ts'

function level(at: number, quantity: bigint) {
  return { price: price(at), quantity }
}

function lines(book: OrderBookState, levelsMax = 25): string[] {
  const { sell, buy } = book.rows(levelsMax)
  return [...sell, ...buy].map((row) => `${row.price} ${row.quantity} ${row.cumulative}`)
}

describe('order book kept from the stream', () => {
  test('a whole book replaces what was there, best levels first whatever the order they came in', () => {
    const book = new OrderBookState()
    book.update('SELL', [level(1, 1n)])
    book.replace({
      sell: [level(103, 3n), level(101, 1n), level(102, 2n)],
      buy: [level(98, 30n), level(100, 10n), level(99, 20n)],
    })
    expect(lines(book)).toEqual(['101 1 1', '102 2 3', '103 3 6', '100 10 10', '99 20 30', '98 30 60'])
    expect(book.best('SELL')).toBe(price(101))
    expect(book.best('BUY')).toBe(price(100))
  })

  test('an update sets what now rests at a price, and 0 takes the level away', () => {
    const book = new OrderBookState()
    book.replace({ sell: [level(101, 1n)], buy: [level(100, 10n)] })
    book.update('SELL', [level(101, 0n), level(105, 5n)])
    book.update('BUY', [level(100, 7n), level(99, 2n)])
    expect(lines(book)).toEqual(['105 5 5', '100 7 7', '99 2 9'])
  })

  test('0 at a price that is not there changes nothing', () => {
    const book = new OrderBookState()
    book.replace({ sell: [level(101, 1n)], buy: [level(99, 0n)] })
    book.update('SELL', [level(102, 0n)])
    book.update('BUY', [level(1, 0n)])
    expect(lines(book)).toEqual(['101 1 1'])
    expect(book.best('BUY')).toBeUndefined()
    expect(book.levelCount('BUY')).toBe(0)
  })

  test('quantities beyond what a float holds keep every digit', () => {
    const book = new OrderBookState()
    book.replace({ sell: [level(1, 9_007_199_254_740_993n), level(2, 1n)], buy: [] })
    expect(lines(book)).toEqual(['1 9007199254740993 9007199254740993', '2 1 9007199254740994'])
  })

  test('only the best levels asked for are given', () => {
    const book = new OrderBookState()
    book.update('BUY', [level(1, 1n), level(2, 1n), level(3, 1n)])
    expect(lines(book, 2)).toEqual(['3 1 1', '2 1 2'])
  })

  test('after any updates the book equals one sorted anew from the last quantity at each price', () => {
    const change = fc.record({
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      at: fc.integer({ min: 1, max: 40 }),
      quantity: fc.bigInt({ min: 0n, max: 5n }),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const book = new OrderBookState()
        const plain = { BUY: new Map<number, bigint>(), SELL: new Map<number, bigint>() }
        for (const { side, at, quantity } of changes) {
          book.update(side, [level(at, quantity)])
          plain[side].set(at, quantity)
        }
        const sorted = (side: Side, direction: number) =>
          [...plain[side]].filter(([, q]) => q > 0n).sort(([a], [b]) => (a - b) * direction)
        const rows = book.rows(100)
        const shown = (side: 'buy' | 'sell') => rows[side].map((row) => [row.price as number, row.quantity])
        expect(shown('buy')).toEqual(sorted('BUY', -1))
        expect(shown('sell')).toEqual(sorted('SELL', 1))
      }),
    )
  })
})
