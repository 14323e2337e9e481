import { expect, test } from 'bun:test'
import { drawBook, parseBook } from './book-drawing.ts'
import { BTC_USDT, tell } from './story.ts'

const DRAWING = ['ask 101.00 | 1 ben, 2 cleo', 'ask 100.00 | 1 cleo', '----------', 'bid 99.00 | 3 ann']

test('a book that is parsed and drawn again is the same drawing', () => {
  expect(drawBook(parseBook(DRAWING))).toEqual(DRAWING)
  expect(parseBook(DRAWING)[1]).toEqual({ side: 'SELL', price: '101.00', quantity: '2', who: 'cleo' })
})

test('an invalid drawing is refused', () => {
  const [worst = '', best = '', line = '', bid = ''] = DRAWING
  for (const wrong of [
    [worst, best, bid],
    [line, worst],
    [bid, line],
    [line, line],
    ['ask 1.00 - 1 ben', line],
  ]) {
    expect(() => parseBook(wrong)).toThrow()
  }
})

test('a story fails where the exchange differs from it, or where it has an unknown word', () => {
  const opening = `
  traders  ann 1000 USDT
           ben 1 BTC
  book     ask 100.00 | 1 ben
           ----------
  order    ann buys 1 at 100.00
`
  tell(BTC_USDT, `${opening}  answer   FILLED`)
  for (const wrong of [
    '  answer   NEW',
    '  fills    none',
    '  fills    1 at 100.00 from ann',
    '  book     ask 100.00 | 1 ben\n           ----------',
    '  purses   ann 1 BTC, 901 USDT',
    '  purses   ann 1 BTC, 800 + 100 held USDT',
    '  order    ann wants 1 at 100.00',
    "  cancel   ann's bid at 100.00",
    '  wonder   at all this',
  ]) {
    expect(() => tell(BTC_USDT, opening + wrong)).toThrow()
  }
})
