/**
 * Orders that wait for a price, and lists of orders, from a trader's view on a node: each story is one
 * situation.
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

describe('an order that waits for a price', () => {
  test('neither trades nor is seen while trades stay between the stops above and below', () =>
    story(`
      last 100
      up: ann buys at market for 206, stop 103       => NEW
      down: ann sells 2 at market, stop 97           => NEW
      a: ann sells 3 at 102.99                       => NEW
      ben buys 3 at 102.99                           => FILLED: 3 at 102.99
      b: ann buys 3 at 97.01                         => NEW
      ben sells 3 at 97.01                           => FILLED: 3 at 97.01
      up is NEW, waits, 0 for 206
      down is NEW, waits, 0 of 2
      book empty
      ann holds 2 BTC, 206 USDT
    `))

  test('is triggered by a trade at its price, and takes what the book has then', () =>
    story(`
      last 100
      ask: ben sells 1 at 105                        => NEW
      bid: ben buys 1 at 95                          => NEW
      up: ann buys 1 at market for 200, stop 103     => NEW
      down: ann sells 1 at market, stop 97           => NEW
      t: ben sells 1 at 103                          => NEW
      ann buys 1 at 103                              => FILLED: 1 at 103
      up is FILLED, 1 of 1
      ask is FILLED, 1 of 1
      down is NEW, waits, 0 of 1
      u: ben buys 1 at 97                            => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      down is FILLED, 1 of 1
      bid is FILLED, 1 of 1
      ann holds nothing
    `))

  test('is triggered by a trade that passes its price', () =>
    story(`
      last 100
      bid: ben buys 9 at 90                          => NEW
      down: ann sells 2 at market, stop 97           => NEW
      ann sells 1 at 90, IOC                         => FILLED: 1 at 90
      down is FILLED, 2 of 2
      bid is PARTIALLY_FILLED, rests, 3 of 9
    `))

  test('is refused where the last trade has reached its price, instead of trading at once', () =>
    story(`
      last 100
      bid: ben buys 9 at 90                          => NEW
      ann sells 1 at market, stop 100                => STOP_PRICE_REACHED
      ann sells 1 at market, stop 101                => STOP_PRICE_REACHED
      ann sells 1 at 99, stop 100                    => STOP_PRICE_REACHED
      ann buys at market for 100, stop 100           => STOP_PRICE_REACHED
      ann buys 1 at 101, stop 99                     => STOP_PRICE_REACHED
      ann sells 1 at market, take 100                => STOP_PRICE_REACHED
      ann buys at market for 100, take 100           => STOP_PRICE_REACHED
      book bid 9 at 90
      ann holds nothing
    `))

  test('is triggered once: another trade at its price finds it gone', () =>
    story(`
      last 100
      far: ben buys 9 at 80                          => NEW
      down: ann sells 2 at market, stop 97           => NEW
      bid: ben buys 2 at 97                          => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      down is FILLED, 2 of 2
      far is PARTIALLY_FILLED, rests, 1 of 9
      ann sells 1 at 80                              => FILLED: 1 at 80
      far is PARTIALLY_FILLED, rests, 2 of 9
    `))

  test('is canceled like any other, and is not triggered then', () =>
    story(`
      last 100
      down: ann sells 2 at market, stop 97           => NEW
      ben cancels down                               => UNKNOWN_ORDER
      ann cancels down                               => done
      ann cancels down                               => UNKNOWN_ORDER
      bid: ben buys 5 at 97                          => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      down is CANCELED by USER, 0 of 2
      book bid 4 at 97
      ann holds nothing
    `))

  test('rests at its limit where the book has nothing for it when it is triggered', () =>
    story(`
      last 100
      down: ann sells 2 at 96, stop 97               => NEW
      bid: ben buys 1 at 97                          => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      down is NEW, rests, 0 of 2
      book ask 2 at 96
      ben buys 2 at 96                               => FILLED: 2 at 96
      down is FILLED, 2 of 2
    `))

  test('takes what its limit reaches, and rests with what is left', () =>
    story(`
      last 100
      a: ben sells 1 at 104                          => NEW
      b: ben sells 1 at 106                          => NEW
      up: ann buys 3 at 105, stop 103                => NEW
      c: ben sells 1 at 103                          => NEW
      ann buys 1 at 103                              => FILLED: 1 at 103
      up is PARTIALLY_FILLED, rests, 1 of 3
      book ask 1 at 106, bid 2 at 105
    `))

  test('gives up what is left under IOC, counted from when it is triggered', () =>
    story(`
      last 100
      a: ben sells 1 at 104                          => NEW
      up: ann buys 3 at 105, stop 103, IOC           => NEW
      c: ben sells 1 at 103                          => NEW
      ann buys 1 at 103                              => FILLED: 1 at 103
      up is CANCELED by IOC, 1 of 3
      book empty
      ann holds nothing
    `))

  test('ends under FOK where the book cannot fill it when it is triggered', () =>
    story(`
      last 100
      a: ben sells 1 at 104                          => NEW
      up: ann buys 3 at 105, stop 103, FOK           => NEW
      c: ben sells 1 at 103                          => NEW
      ann buys 1 at 103                              => FILLED: 1 at 103
      up is CANCELED by TRIGGER_REFUSED, 0 of 3
      book ask 1 at 104
      ann holds nothing
    `))

  test('ends without a limit where the book is empty when it is triggered', () =>
    story(`
      last 100
      down: ann sells 2 at market, stop 97           => NEW
      bid: ben buys 1 at 97                          => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      down is CANCELED by TRIGGER_REFUSED, 0 of 2
      ann holds nothing
    `))

  test('takes profit on the other side: selling as the price rises, buying as it falls', () =>
    story(`
      last 100
      high: ann sells 1 at market, take 105          => NEW
      low: ann buys 1 at 95, take 95                 => NEW
      bid: ben buys 1 at 104                         => NEW
      top: ben buys 1 at 105                         => NEW
      ann sells 1 at 105                             => FILLED: 1 at 105
      high is FILLED, 1 of 1
      bid is FILLED, 1 of 1
      low is NEW, waits, 0 of 1
      ask: ben sells 1 at 95                         => NEW
      ann buys 1 at 95                               => FILLED: 1 at 95
      low is NEW, rests, 0 of 1
    `))

  test('has trades that count like any other: stops below stops are triggered one by the other', () =>
    story(`
      last 100
      a: ben buys 1 at 97                            => NEW
      b: ben buys 1 at 94                            => NEW
      c: ben buys 1 at 91                            => NEW
      d: ben buys 1 at 88                            => NEW
      one: ann sells 1 at market, stop 97            => NEW
      two: ann sells 1 at market, stop 94            => NEW
      three: ann sells 1 at market, stop 91          => NEW
      four: ann sells 1 at market, stop 87           => NEW
      ann sells 1 at 97                              => FILLED: 1 at 97
      one is FILLED, 1 of 1
      two is FILLED, 1 of 1
      three is FILLED, 1 of 1
      d is FILLED, 1 of 1
      four is NEW, waits, 0 of 1
    `))

  test('goes before one that waits for a farther price, and after an older one at the same price', () =>
    story(`
      last 100
      far: ann sells 1 at 80, stop 95                => NEW
      near: ann sells 1 at 80, stop 97               => NEW
      younger: ann sells 1 at 80, stop 97            => NEW
      a: ben buys 1 at 95                            => NEW
      b: ben buys 2 at 90                            => NEW
      ann sells 1 at 95                              => FILLED: 1 at 95
      near is FILLED, 1 of 1
      younger is FILLED, 1 of 1
      far is NEW, rests, 0 of 1
      b is FILLED, 2 of 2
    `))

  test('has its priority from when it is triggered, not from when it was placed', () =>
    story(`
      last 100
      old: ann sells 1 at 98, stop 97                => NEW
      young: ann sells 1 at 98                       => NEW
      bid: ben buys 1 at 97                          => NEW
      ben sells 1 at 97                              => FILLED: 1 at 97
      book ask 2 at 98
      ben buys 1 at 98                               => FILLED: 1 at 98
      young is FILLED, 1 of 1
      old is NEW, rests, 0 of 1
    `))

  test('holds what it may need, and frees what its trades did not', () =>
    story(`
      last 100
      up: ann buys at market for 500, stop 103       => NEW
      limit: ann buys 2 at 110, stop 103             => NEW
      ann holds 720 USDT
      a: ben sells 2 at 103                          => NEW
      b: ben sells 9 at 105                          => NEW
      ben buys 1 at 103                              => FILLED: 1 at 103
      limit is FILLED, 2 of 2
      ann holds nothing
    `))

  test('gets another price only by a replacement: its price is not amended', () =>
    story(`
      last 100
      s: ann sells 2 at market, stop 97              => NEW
      ann amends s to 1                              => ORDER_NOT_AMENDABLE
      ann replaces s by t: ann sells 2 at market, stop 101 => STOP_PRICE_REACHED
      s is NEW, waits, 0 of 2
      ann replaces s by v: ann sells 2 at market, stop 95  => both
      s is CANCELED by USER, 0 of 2
      bid: ben buys 1 at 96                          => NEW
      ann sells 1 at 96                              => FILLED: 1 at 96
      v is NEW, waits, 0 of 2
      ann holds 2 BTC
    `))

  test('follows the price at a distance where that is requested, from the next trade on', () =>
    story(`
      last 100
      s: ann sells 2 at market, type=STOP_LOSS, trailingDelta=500   => NEW
      s is NEW, waits, 0 of 2
      bid: ben buys 1 at 110                         => NEW
      ann sells 1 at 110                             => FILLED: 1 at 110
      bid2: ben buys 1 at 104.5                      => NEW
      ann sells 1 at 104.5                           => FILLED: 1 at 104.5
      s is CANCELED by TRIGGER_REFUSED, 0 of 2
      ann sells 1 at market, type=STOP_LOSS, trailingDelta=9        => INVALID_PARAMETER
      ann sells 1 at 97, trailingDelta=100                          => PARAMETER_NOT_TAKEN
    `))

  test('is mistaken for nothing else where that is requested', () =>
    story(`
      last 100
      ann sells 1 at market, stop 97, strategyId=100     => UNSUPPORTED_PARAMETER
      ann sells 1 at market, type=TRAILING_STOP_MARKET   => UNSUPPORTED_VALUE
      ann sells 1 at market, stop 97, reduceOnly=true    => UNSUPPORTED_PARAMETER
      ann sells 1 at 97, stop 97, showing 0.5            => PARAMETER_NOT_TAKEN
      ann sells 1 at market, type=STOP_LOSS              => MISSING_PARAMETER
      ann sells 1 at 97, stopPrice=97                    => PARAMETER_NOT_TAKEN
      ann buys 1 at market, stop 103                     => MISSING_PARAMETER
      ann sells 1 at 0, stop 97                          => INVALID_PARAMETER
      ann sells 0 at 97, stop 97                         => INVALID_PARAMETER
      ann holds nothing
    `))
})

describe('a pair of which one cancels the other', () => {
  const SELLS =
    'side=SELL quantity=2 aboveType=LIMIT_MAKER abovePrice=110 belowType=STOP_LOSS belowStopPrice=90'

  test('loses the stop when the limit is filled, and the limit when the stop is triggered', () =>
    story(`
      last 100
      bid: ben buys 9 at 89                          => NEW
      one: ann oco ${SELLS}                          => placed
      two: ann oco ${SELLS}                          => placed
      ann holds 4 BTC
      ben buys 2 at 110                              => FILLED: 2 at 110
      one.above is FILLED, 2 of 2
      one.below is CANCELED by LIST, 0 of 2
      two.below is NEW, waits, 0 of 2
      top: ben buys 1 at 90                          => NEW
      ann sells 1 at 90                              => FILLED: 1 at 90
      two.below is FILLED, 2 of 2
      two.above is CANCELED by LIST, 0 of 2
      book bid 7 at 89
      ann holds nothing
    `))

  test('loses the whole stop when the limit is partly filled', () =>
    story(`
      last 100
      p: ann oco ${SELLS}                            => placed
      ben buys 0.5 at 110                            => FILLED: 0.5 at 110
      p.above is PARTIALLY_FILLED, rests, 0.5 of 2
      p.below is CANCELED by LIST, 0 of 2
      ann holds 1.5 BTC
    `))

  test('is canceled with either of its orders', () =>
    story(`
      last 100
      p: ann oco ${SELLS}                            => placed
      ann cancels p.below                            => done
      p.above is CANCELED by LIST, 0 of 2
      p.below is CANCELED by USER, 0 of 2
      q: ann oco ${SELLS}                            => placed
      ann cancels q.above                            => done
      q.below is CANCELED by LIST, 0 of 2
      book empty
      ann holds nothing
    `))

  test('is refused as a whole where both prices are on one side of the last trade, or the wrong way round', () =>
    story(`
      last 100
      p: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=99 belowType=STOP_LOSS belowStopPrice=90      => LIST_PRICES_CROSSED
      p: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=110 belowType=STOP_LOSS belowStopPrice=101    => LIST_PRICES_CROSSED
      p: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=90 belowType=STOP_LOSS belowStopPrice=110     => LIST_PRICES_CROSSED
      p: ann oco side=BUY quantity=1 aboveType=STOP_LOSS_LIMIT aboveStopPrice=99 abovePrice=99 belowType=LIMIT_MAKER belowPrice=90  => LIST_PRICES_CROSSED
      p: ann oco side=BUY quantity=1 aboveType=STOP_LOSS_LIMIT aboveStopPrice=110 abovePrice=111 belowType=LIMIT_MAKER belowPrice=101  => LIST_PRICES_CROSSED
      book empty
      ann holds nothing
    `))

  test('meets pairs of the other side: one trade triggers two stops, of which one takes and one rests', () =>
    story(`
      last 110
      low: ben buys 2 at 90                          => NEW
      b1: ben oco side=BUY quantity=1 aboveType=STOP_LOSS_LIMIT aboveStopPrice=120 abovePrice=121 belowType=LIMIT_MAKER belowPrice=100  => placed
      b2: ben oco side=BUY quantity=1 aboveType=STOP_LOSS_LIMIT aboveStopPrice=120 abovePrice=121 belowType=LIMIT_MAKER belowPrice=100  => placed
      s1: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=120 belowType=STOP_LOSS_LIMIT belowStopPrice=100 belowPrice=99  => placed
      s2: ann oco side=SELL quantity=1 aboveType=LIMIT_MAKER abovePrice=120 belowType=STOP_LOSS_LIMIT belowStopPrice=100 belowPrice=99  => placed
      book ask 2 at 120, bid 2 at 100, bid 2 at 90
      ann sells 1 at market                          => FILLED: 1 at 100
      b1.below is FILLED, 1 of 1
      b1.above is CANCELED by LIST, 0 of 1
      s1.below is FILLED, 1 of 1
      s1.above is CANCELED by LIST, 0 of 1
      b2.below is FILLED, 1 of 1
      b2.above is CANCELED by LIST, 0 of 1
      s2.below is NEW, rests, 0 of 1
      s2.above is CANCELED by LIST, 0 of 1
      book ask 1 at 99, bid 2 at 90
    `))

  test('keeps its other order, like any order, where one cannot be amended', () =>
    story(`
      last 100
      p: ann oco ${SELLS}                            => placed
      ann amends p.above to 1                        => ORDER_NOT_AMENDABLE
      ann amends p.below to 1                        => ORDER_NOT_AMENDABLE
      p.above is NEW, rests, 0 of 2
      p.below is NEW, waits, 0 of 2
      ann holds 2 BTC
    `))
})

describe('an order with a bracket', () => {
  const BRACKET =
    'pendingSide=SELL pendingQuantity=2 pendingAboveType=LIMIT_MAKER pendingAbovePrice=110 pendingBelowType=STOP_LOSS pendingBelowStopPrice=90'
  const ENTRY = `workingType=LIMIT workingSide=BUY workingQuantity=3 workingPrice=95 ${BRACKET}`

  test('has its stop and its target placed when it is filled, and not before', () =>
    story(`
      last 100
      p: ann otoco ${ENTRY}                          => placed
      ann holds 285 USDT
      p.above is NEW, waits, 0 of 2
      p.below is NEW, waits, 0 of 2
      ben sells 1 at 95                              => FILLED: 1 at 95
      p.above is NEW, waits, 0 of 2
      ben sells 2 at 95                              => FILLED: 2 at 95
      p.above is NEW, rests, 0 of 2
      p.below is NEW, waits, 0 of 2
      book ask 2 at 110
      ann holds 2 BTC
    `))

  test('has them placed at once where it is filled at once, and one ends the other', () =>
    story(`
      last 100
      ask: ben sells 3 at 94                         => NEW
      p: ann otoco ${ENTRY}                          => placed
      p.above is NEW, rests, 0 of 2
      ben buys 2 at 110                              => FILLED: 2 at 110
      p.above is FILLED, 2 of 2
      p.below is CANCELED by LIST, 0 of 2
    `))

  test('is canceled with everything that is to follow it, partly filled too', () =>
    story(`
      last 100
      p: ann otoco ${ENTRY}                          => placed
      ben sells 1 at 95                              => FILLED: 1 at 95
      ann cancels p.working                          => done
      p.working is CANCELED by USER, 1 of 3
      p.above is CANCELED by LIST, 0 of 2
      p.below is CANCELED by LIST, 0 of 2
      ann holds nothing
    `))

  test('is canceled by canceling an order that is to follow it', () =>
    story(`
      last 100
      p: ann otoco ${ENTRY}                          => placed
      ann cancels p.below                            => done
      p.working is CANCELED by LIST, 0 of 3
      p.above is CANCELED by LIST, 0 of 2
      book empty
      ann holds nothing
    `))

  test('is refused as a whole where it is to rest and would take', () =>
    story(`
      last 100
      ask: ben sells 3 at 94                         => NEW
      p: ann otoco workingType=LIMIT_MAKER workingSide=BUY workingQuantity=3 workingPrice=95 ${BRACKET} => LIMIT_MAKER_WOULD_TAKE
      book ask 3 at 94
      ann holds nothing
    `))

  test('begins with an order that may rest, never with a market order', () =>
    story(`
      last 100
      ask: ben sells 3 at 94                         => NEW
      p: ann oto workingType=MARKET workingSide=BUY workingQuantity=3 pendingType=LIMIT pendingSide=SELL pendingPrice=110  => INVALID_PARAMETER
      book ask 3 at 94
    `))
})
