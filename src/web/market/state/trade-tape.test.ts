import { describe, expect, test } from 'bun:test'
import { lots, price, timeMs } from '../../../units/quantities.ts'
import { TAPE_MAX, TradeTape } from './trade-tape.ts'

/** Trades from prices in the order of their occurrence, listed newest first as in the stream. */
function trades(...prices: number[]) {
  return prices
    .map((at, index) => ({ price: price(at), quantity: lots(1), time: timeMs(1_000 + index) }))
    .reverse()
}

function shown(tape: TradeTape): string[] {
  return tape.trades.map((trade) => `${trade.price} ${trade.direction}`)
}

describe('trade tape', () => {
  test('a trade is up above the one before it, down below it, and equal continues as before', () => {
    const tape = new TradeTape()
    tape.replace(trades(10, 10, 11, 11, 9, 9, 10))
    expect(shown(tape)).toEqual(['10 up', '9 down', '9 down', '11 up', '11 up', '10 flat', '10 flat'])
  })

  test('new trades continue from the last one', () => {
    const tape = new TradeTape()
    tape.replace(trades(10))
    tape.add(trades(9, 12))
    tape.add(trades(12))
    expect(shown(tape)).toEqual(['12 up', '12 up', '9 down', '10 flat'])
    expect(tape.last?.price).toBe(price(12))
  })

  test('recent trades replace all previous ones', () => {
    const tape = new TradeTape()
    tape.replace(trades(10, 11))
    tape.replace([])
    expect(tape.trades).toEqual([])
    expect(tape.last).toBeUndefined()
  })

  test('trades older than the tape holds are dropped', () => {
    const tape = new TradeTape()
    for (let i = 1; i <= 5; i++) tape.add(trades(...Array.from({ length: 50 }, (_, n) => i * 100 + n)))
    expect(tape.trades.length).toBe(TAPE_MAX)
    expect(tape.last?.price).toBe(price(549))
  })
})
