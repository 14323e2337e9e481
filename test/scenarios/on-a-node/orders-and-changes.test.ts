/**
 * Orders that take liquidity or must not, hide, change, or end at a time or with others, from a trader's view
 * on a node: each story is one situation.
 */
import { afterAll, beforeAll, describe, setDefaultTimeout, test } from 'bun:test'
import { type NodeProcess, startSandbox } from '../../acceptance/support/node-process.ts'
import { tell } from './node-story.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

let node: NodeProcess
beforeAll(async () => {
  node = await startSandbox()
})
afterAll(() => node.stop())

const story = (text: string) => tell({ ann: node.alice, ben: node.bob }, text)

describe('an order that may only rest', () => {
  test('rests beside the spread and inside of it, and is refused at the best price of the other side and beyond', () =>
    story(`
      ask: ben sells 2 at 100                        => NEW
      bid: ben buys 2 at 90                          => NEW
      a: ann buys 2 at 90, maker                     => NEW
      b: ann buys 2 at 99.99, maker                  => NEW
      ann buys 3 at 100, maker                       => LIMIT_MAKER_WOULD_TAKE
      ann buys 3 at 101, maker                       => LIMIT_MAKER_WOULD_TAKE
      ann sells 1 at 99.99, maker                    => LIMIT_MAKER_WOULD_TAKE
      c: ann sells 1 at 100, maker                   => NEW
      book ask 3 at 100, bid 2 at 99.99, bid 4 at 90
      ben cancels ask                                => done
      ann cancels c                                  => done
      d: ann buys 3 at 100, maker                    => NEW
      ben sells 1 at 100                             => FILLED: 1 at 100
      d is PARTIALLY_FILLED, rests, 1 of 3
    `))

  test('has no other time in force, and is not meant by the values of other exchanges', () =>
    story(`
      ann buys 1 at 90, maker, IOC                   => PARAMETER_NOT_TAKEN
      ann buys 1 at 90, maker, FOK                   => PARAMETER_NOT_TAKEN
      ann buys 1 at 90, timeInForce=GTX              => UNSUPPORTED_VALUE
      ann buys 1 at 90, postOnly=true                => UNSUPPORTED_PARAMETER
      book empty
    `))
})

describe('an order that must be filled at once and in full', () => {
  test('takes nothing where its price reaches less than its quantity, however much rests beyond', () =>
    story(`
      a: ben sells 2 at 100                          => NEW
      b: ben sells 20 at 110                         => NEW
      ann buys 3 at 100, FOK                         => FOK_NOT_FILLABLE
      ann buys 30 at 120, FOK                        => FOK_NOT_FILLABLE
      ann buys 1 at 99, FOK                          => FOK_NOT_FILLABLE
      ann sells 1 at 90, FOK                         => FOK_NOT_FILLABLE
      book ask 2 at 100, ask 20 at 110
      ann holds nothing
      ann buys 2 at 100, FOK                         => FILLED: 2 at 100
      ann buys 20 at 120, FOK                        => FILLED: 20 at 110
    `))

  test('is filled across prices, best first, the last order in part', () =>
    story(`
      a: ben buys 4 at 100                           => NEW
      b: ben buys 1 at 99                            => NEW
      c: ben buys 4 at 98                            => NEW
      ann sells 6 at 98, FOK                         => FILLED: 4 at 100, 1 at 99, 1 at 98
      book bid 3 at 98
    `))

  test('counts hidden quantity of icebergs', () =>
    story(`
      a: ben sells 9 at 100, showing 3               => NEW
      ann buys 10 at 100, FOK                        => FOK_NOT_FILLABLE
      ann buys 9 at 100, FOK                         => FILLED: 3 at 100, 3 at 100, 3 at 100
      book empty
    `))

  test('skips own orders where they are canceled, and is refused at one where it would end', () =>
    story(`
      own: ann sells 1 at 99                         => NEW
      a: ben sells 2 at 100                          => NEW
      ann buys 3 at 100, FOK, EXPIRE_MAKER           => FOK_NOT_FILLABLE
      ann buys 2 at 100, FOK, EXPIRE_TAKER           => FOK_NOT_FILLABLE
      own is NEW, rests, 0 of 1
      ann buys 2 at 100, FOK, EXPIRE_MAKER           => FILLED: 2 at 100
      own is CANCELED by SELF_TRADE, 0 of 1
    `))

  test('cannot be one at market, nor one that rests until it is filled in full', () =>
    story(`
      ask: ben sells 1 at 100                        => NEW
      ann buys at market for 100, FOK                => INVALID_PARAMETER
      ann buys 1 at 100, timeInForce=AON             => INVALID_PARAMETER
      book ask 1 at 100
    `))
})

describe('an order that takes what it can at once', () => {
  test('gives up all of it, some of it or none of it', () =>
    story(`
      a: ben sells 1 at 101                          => NEW
      b: ben sells 4 at 102                          => NEW
      n: ann buys 1 at 100, IOC                      => CANCELED
      n is CANCELED by IOC, 0 of 1
      p: ann buys 3 at 101, IOC                      => CANCELED: 1 at 101
      p is CANCELED by IOC, 1 of 3
      ann buys 3 at 102, IOC                         => FILLED: 3 at 102
      book ask 1 at 102
      ann holds nothing
    `))
})

describe('a market order', () => {
  test('stops at its quantity or at its total, whichever comes first', () =>
    story(`
      a: ben sells 1 at 10                           => NEW
      b: ben sells 1 at 20                           => NEW
      c: ben sells 1 at 30                           => NEW
      ann buys 2.4 at market for 60                  => FILLED: 1 at 10, 1 at 20, 0.4 at 30
      book ask 0.6 at 30
      ann buys 2.4 at market for 6                   => FILLED: 0.2 at 30
      book ask 0.4 at 30
    `))

  test('leaves nothing waiting where the book runs out, and the next order of the other side rests', () =>
    story(`
      a: ben sells 1 at 10                           => NEW
      b: ben sells 1 at 20                           => NEW
      m: ann buys 2.4 at market for 60               => CANCELED: 1 at 10, 1 at 20
      m is CANCELED by MARKET_REMAINDER, 2 of 2.4
      c: ben sells 1 at 10                           => NEW
      book ask 1 at 10
      ann holds nothing
    `))

  test('is refused where there is nothing to take, and names what it needs', () =>
    story(`
      ann buys at market for 60                      => NO_LIQUIDITY
      ann sells 1 at market                          => NO_LIQUIDITY
      ann buys 1 at market                           => MISSING_PARAMETER
      ann sells at market for 60                     => MISSING_PARAMETER
    `))

  test('spends its total to the last unit that pays for something', () =>
    story(`
      a: ben sells 1 at 10                           => NEW
      b: ben sells 5 at 11                           => NEW
      ann buys at market for 21                      => FILLED: 1 at 10, 1 at 11
      ann buys at market for 5.5                     => FILLED: 0.5 at 11
      book ask 3.5 at 11
    `))
})

describe('an order that hides a part of itself', () => {
  test('shows the next part when the one before is used up, and not while something of it is left', () =>
    story(`
      i: ann buys 10 at 90, showing 4                => NEW
      book bid 4 at 90
      ann holds 900 USDT
      ben sells 3 at 90                              => FILLED: 3 at 90
      book bid 1 at 90
      ben sells 1 at 90                              => FILLED: 1 at 90
      book bid 4 at 90
      i is PARTIALLY_FILLED, rests, 4 of 10
      ben sells 4 at 90                              => FILLED: 4 at 90
      book bid 2 at 90
      ann holds 180 USDT
    `))

  test('is behind all others at its price with each next part', () =>
    story(`
      i: ann sells 6 at 100, showing 4               => NEW
      o: ann sells 3 at 100                          => NEW
      book ask 7 at 100
      ben buys 11 at 101                             => PARTIALLY_FILLED: 4 at 100, 3 at 100, 2 at 100
      i is FILLED, 6 of 6
      o is FILLED, 3 of 3
      book bid 2 at 101
    `))

  test('keeps its place in the queue while its part lasts', () =>
    story(`
      i: ann sells 6 at 100, showing 4               => NEW
      o: ann sells 3 at 100                          => NEW
      ben buys 2 at 100                              => FILLED: 2 at 100
      ben buys 2 at 100                              => FILLED: 2 at 100
      o is NEW, rests, 0 of 3
      ben buys 2 at 100                              => FILLED: 2 at 100
      i is PARTIALLY_FILLED, rests, 4 of 6
      o is PARTIALLY_FILLED, rests, 2 of 3
    `))

  test('takes with its full quantity when it arrives, and rests with one part', () =>
    story(`
      a: ben sells 7 at 100                          => NEW
      i: ann buys 10 at 100, showing 2               => PARTIALLY_FILLED: 7 at 100
      book bid 2 at 100
      i is PARTIALLY_FILLED, rests, 7 of 10
      j: ann sells 9 at 101, maker, showing 1        => NEW
      book ask 1 at 101, bid 2 at 100
    `))

  test('loses hidden quantity first when it is amended, and its place when it is replaced', () =>
    story(`
      i: ann sells 10 at 100, showing 4              => NEW
      o: ann sells 3 at 100                          => NEW
      ann amends i to 12                             => AMENDED_QUANTITY_TOO_LARGE
      ann amends i to 5                              => NEW, rests, 0 of 5
      book ask 7 at 100
      ann amends i to 3                              => AMENDED_QUANTITY_TOO_SMALL
      ann replaces i by j: ann sells 12 at 100, showing 4  => both
      ben buys 3 at 100                              => FILLED: 3 at 100
      o is FILLED, 3 of 3
      j is NEW, rests, 0 of 12
    `))

  test('meets another iceberg when its price is moved into it, and trades with all of both', () =>
    story(`
      i: ann sells 16 at 100, showing 5              => NEW
      j: ben buys 10 at 80, showing 2                => NEW
      ben replaces j by k: ben buys 10 at 100, showing 2  => both
      k is FILLED, 10 of 10
      i is PARTIALLY_FILLED, rests, 10 of 16
      book ask 5 at 100
    `))

  test('is canceled with all of it, and is refused where it could not rest or is none', () =>
    story(`
      i: ann buys 10 at 90, showing 4                => NEW
      ann cancels i                                  => done
      book empty
      ann holds nothing
      ann buys 10 at 90, IOC, showing 4              => PARAMETER_NOT_TAKEN
      ann buys 10 at 90, FOK, showing 4              => PARAMETER_NOT_TAKEN
      ann buys at market for 90, showing 4           => PARAMETER_NOT_TAKEN
      ann buys 10 at 90, showing 11                  => ICEBERG_QUANTITY_TOO_LARGE
      ann buys 1000 at 9, showing 9                  => ICEBERG_QUANTITY_TOO_SMALL
      ann buys 10 at 90, showing 0                   => INVALID_PARAMETER
    `))
})

describe('an order that is changed', () => {
  test('keeps its place in the queue when it becomes smaller', () =>
    story(`
      a: ann sells 5 at 100                          => NEW
      b: ann sells 5 at 100                          => NEW
      ann amends a to 3                              => NEW, rests, 0 of 3
      ann holds 8 BTC
      ben buys 4 at 100                              => FILLED: 3 at 100, 1 at 100
      a is FILLED, 3 of 3
      b is PARTIALLY_FILLED, rests, 1 of 5
    `))

  test('counts what was executed into its new quantity', () =>
    story(`
      a: ann sells 8 at 100                          => NEW
      ben buys 3 at 100                              => FILLED: 3 at 100
      ann amends a to 6                              => PARTIALLY_FILLED, rests, 3 of 6
      book ask 3 at 100
      ann amends a to 3                              => AMENDED_QUANTITY_TOO_SMALL
      ann amends a to 2                              => AMENDED_QUANTITY_TOO_SMALL
      ann amends a to 0                              => INVALID_PARAMETER
      ann amends a to -1                             => INVALID_PARAMETER
      a is PARTIALLY_FILLED, rests, 3 of 6
    `))

  test('becomes larger only as a new one, behind all others at its price', () =>
    story(`
      a: ann sells 5 at 100                          => NEW
      b: ann sells 5 at 100                          => NEW
      ann amends a to 8                              => AMENDED_QUANTITY_TOO_LARGE
      a is NEW, rests, 0 of 5
      ann replaces a by c: ann sells 8 at 100        => both
      ben buys 3 at 100                              => FILLED: 3 at 100
      b is PARTIALLY_FILLED, rests, 3 of 5
      c is NEW, rests, 0 of 8
    `))

  test('is last at the price that it moves to', () =>
    story(`
      a: ann buys 2 at 90                            => NEW
      b: ann buys 1 at 91                            => NEW
      ann replaces a by c: ann buys 2 at 91          => both
      book bid 3 at 91
      ben sells 1 at 91                              => FILLED: 1 at 91
      b is FILLED, 1 of 1
      c is NEW, rests, 0 of 2
    `))

  test('takes what its new price reaches, and rests with what is left', () =>
    story(`
      x: ben sells 5 at 100                          => NEW
      y: ben sells 10 at 101                         => NEW
      a: ann buys 20 at 90                           => NEW
      ann replaces a by b: ann buys 4 at 101         => both
      b is FILLED, 4 of 4
      c: ann buys 20 at 90                           => NEW
      ann replaces c by d: ann buys 20 at 102        => both
      d is PARTIALLY_FILLED, rests, 11 of 20
      book bid 9 at 102
    `))

  test('stays as it is where the new one is refused beforehand, and is gone where the book refuses it', () =>
    story(`
      x: ben sells 5 at 100                          => NEW
      a: ann buys 1 at 90                            => NEW
      ann replaces a by b: ann buys 0 at 91          => INVALID_PARAMETER
      ann replaces a by b: ann buys 1 at 91, postOnly=true  => UNSUPPORTED_PARAMETER
      a is NEW, rests, 0 of 1
      ann replaces a by b: ann buys 1 at 100, maker  => canceled, LIMIT_MAKER_WOULD_TAKE
      a is CANCELED by USER, 0 of 1
      c: ann buys 1 at 90                            => NEW
      ann replaces c by d: ann buys 9 at 100, FOK    => canceled, FOK_NOT_FILLABLE
      ann holds nothing
    `))

  test('is changed by its owner alone, and only while it is open', () =>
    story(`
      a: ann sells 2 at 100                          => NEW
      ben amends a to 1                              => UNKNOWN_ORDER
      ben replaces a by b: ben sells 1 at 101        => UNKNOWN_ORDER
      ben cancels a                                  => UNKNOWN_ORDER
      ben buys 2 at 100                              => FILLED: 2 at 100
      ann amends a to 1                              => UNKNOWN_ORDER
      ann replaces a by b: ann sells 1 at 101        => UNKNOWN_ORDER
      ann cancels a                                  => UNKNOWN_ORDER
      book empty
    `))
})

describe('a cancel of all orders', () => {
  test('ends those of its owner alone, resting, hidden, waiting and in lists, and frees what they held', () =>
    story(`
      last 100
      a: ann sells 2 at 110                          => NEW
      b: ann buys 2 at 90, showing 1                 => NEW
      c: ann sells 1 at market, stop 80              => NEW
      d: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=120 belowType=STOP_LOSS belowStopPrice=85 => placed
      e: ben sells 2 at 110                          => NEW
      f: ben buys 2 at 90                            => NEW
      ann cancels all                                => 5
      book ask 2 at 110, bid 2 at 90
      ann holds nothing
      c is CANCELED by USER, 0 of 1
      e is NEW, rests, 0 of 2
    `))

  test('leaves what was executed, and finds nothing the second time', () =>
    story(`
      a: ann sells 3 at 100                          => NEW
      ben buys 1 at 100                              => FILLED: 1 at 100
      ann cancels all                                => 1
      a is CANCELED by USER, 1 of 3
      ann cancels all                                => 0
      b: ann sells 3 at 100                          => NEW
      book ask 3 at 100
    `))

  test('keeps waiting orders from being triggered', () =>
    story(`
      last 100
      a: ben buys 5 at 90                            => NEW
      s: ann sells 1 at market, stop 95              => NEW
      ann cancels all                                => 1
      ben sells 1 at 90                              => FILLED: 1 at 90
      s is CANCELED by USER, 0 of 1
      book bid 4 at 90
    `))
})

describe('an order that is good until a date', () => {
  test('ends then in any state: resting, partly filled, hidden or waiting; filled before, it stays filled', () =>
    story(`
      last 100
      rests: ann sells 2 at 110, for 2500 ms         => NEW
      hides: ann buys 4 at 90, showing 1, for 2500 ms  => NEW
      waits: ann sells 1 at 79, stop 80, for 2500 ms => NEW
      part: ann sells 2 at 105, for 2500 ms          => NEW
      ben buys 1 at 105                              => FILLED: 1 at 105
      full: ann sells 1 at 104, for 2500 ms          => NEW
      ben buys 1 at 104                              => FILLED: 1 at 104
      stays: ann sells 1 at 120                      => NEW
      was: ann sells 1 at 115, for 2500 ms           => NEW
      ann replaces was by now: ann sells 1 at 115    => both
      rests is CANCELED by EXPIRED, 0 of 2
      hides is CANCELED by EXPIRED, 0 of 4
      waits is CANCELED by EXPIRED, 0 of 1
      part is CANCELED by EXPIRED, 1 of 2
      full is FILLED, 1 of 1
      was is CANCELED by USER, 0 of 1
      book ask 1 at 115, ask 1 at 120
      ann holds 2 BTC
    `))

  test('needs a date in the future, which no other order takes', () =>
    story(`
      last 100
      ann sells 1 at 110, for -1000 ms               => EXPIRE_TIME_PASSED
      ann sells 1 at 110, timeInForce=GTD            => MISSING_PARAMETER
      ann sells 1 at 110, expireTime=99999999999999  => PARAMETER_NOT_TAKEN
      ann sells 1 at 110, timeInForce=GTD, expireTime=9999999999999  => EXPIRE_TIME_TOO_FAR
      ann sells 1 at 110, timeInForce=GTD, goodTillDate=1  => UNSUPPORTED_PARAMETER
      ann sells 1 at 110, maker, for 9000 ms         => PARAMETER_NOT_TAKEN
      ann sells 1 at market, for 9000 ms             => INVALID_PARAMETER
      ann sells 1 at market, stop 90, for 9000 ms    => PARAMETER_NOT_TAKEN
      book empty
    `))
})
