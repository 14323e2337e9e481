import { describe, expect, test } from 'bun:test'
import { crc32 as zlibCrc32 } from 'node:zlib'
import fc from 'fast-check'
import type { BookMessage } from '../interface/messages.ts'
import { crc32 } from './crc32.ts'
import { LocalBook } from './local-book.ts'

/** From docs/reference/stream-extensions.md#book. */
const WHOLE: BookMessage = {
  symbol: 'BTC/USDT',
  seq: 1,
  bids: [
    ['59990.00', '0.75000000'],
    ['59980.00', '0.01000000'],
  ],
  asks: [
    ['60000.50', '0.50000000'],
    ['60100.00', '1.00000000'],
  ],
  checksum: 2_814_396_049,
}
const CHANGE: BookMessage = {
  symbol: 'BTC/USDT',
  seq: 2,
  prevSeq: 1,
  bids: [['60000.50', '0.20000000']],
  asks: [['60000.50', '0.00000000']],
}

function bookOf(...messages: BookMessage[]): LocalBook {
  const book = new LocalBook()
  for (const message of messages) book.take(message)
  return book
}

const pairsOf = (book: LocalBook) =>
  [book.bids(), book.asks()].map((side) => side.map(({ price, quantity }) => [price, quantity]))

describe('a book kept from the channel', () => {
  test('is the whole book, and then the book with each change', () => {
    const book = new LocalBook()
    expect(book.isKnown).toBe(false)
    expect(book.take(WHOLE)).toBe('whole')
    expect(pairsOf(book)).toEqual([WHOLE.bids, WHOLE.asks] as never)
    expect(book.take(CHANGE)).toBe('changed')
    expect(book.seq).toBe(2)
    expect(book.bestBid).toMatchObject({ price: '60000.50', ticks: 6_000_050, lots: 20_000_000n })
    expect(book.bestAsk).toMatchObject({ price: '60100.00', quantity: '1.00000000' })
    expect(book.size).toBe(4)
    const text = '6000050:20000000,5999000:75000000,5998000:1000000|6010000:100000000'
    expect(book.checksum()).toBe(zlibCrc32(text))
  })

  test.each([
    ['a change that follows another message', { ...CHANGE, prevSeq: 0 }, 'gap'],
    ['the same change again', { ...CHANGE, prevSeq: 1, seq: 2 }, 'gap'],
    ['a whole book older than what is known', { ...WHOLE, seq: 1 }, 'gap'],
    ['a checksum of another book', { ...CHANGE, seq: 3, prevSeq: 2, checksum: 1 }, 'damaged'],
    ['a price that is none', { ...CHANGE, seq: 3, prevSeq: 2, bids: [['1e3', '1']] }, 'damaged'],
    ['levels that are none', { ...CHANGE, seq: 3, prevSeq: 2, asks: null }, 'damaged'],
  ])('is unknown after %s, until a whole book arrives', (_, message, outcome) => {
    const book = bookOf(WHOLE, CHANGE)
    expect(book.take(message as BookMessage)).toBe(outcome as never)
    expect(book.isKnown).toBe(false)
    expect(book.take({ ...CHANGE, seq: 4, prevSeq: 2 })).toBe('ignored')
    expect(book.take({ ...WHOLE, seq: 9 })).toBe('whole')
    expect(book.isKnown).toBe(true)
  })

  test('holds prices and quantities beyond the precision of a float, digit for digit', () => {
    const book = bookOf({
      symbol: 'A/B',
      seq: 1,
      bids: [['90071992547409.91', '123456789012345678901234567890.00000001']],
      asks: [],
    })
    expect(book.bestBid).toMatchObject({
      ticks: 9_007_199_254_740_991,
      lots: 12_345_678_901_234_567_890_123_456_789_000_000_001n,
    })
  })
})

test('the checksum of any ASCII text equals that of zlib', () => {
  const ascii = fc.string({ unit: fc.integer({ min: 0, max: 127 }).map((code) => String.fromCharCode(code)) })
  fc.assert(fc.property(ascii, (text) => crc32(text) === zlibCrc32(text)))
})
