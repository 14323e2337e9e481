import { expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { CANCEL_ORDERS_MAX } from '../../units/limits.ts'
import type { Side } from '../../units/order-enums.ts'
import type { CancelOrders } from '../commands/orders.ts'
import type { ExchangeEvent } from '../events/event.ts'
import { Exchange } from '../exchange/exchange.ts'
import { ExchangeHarness, OPERATOR } from '../exchange/exchange-harness.fixture.ts'
import { FastBook } from '../market/fast-book.ts'
import type { Slot } from '../market/order-book.ts'

const BEYOND = 250
const PRICE = 10_000
const LOTS = 100_000_000
const RICH = 10n ** 18n

/** Numbers of the orders that the first command cancels. */
const NEWEST = Array.from({ length: CANCEL_ORDERS_MAX }, (_, i) => CANCEL_ORDERS_MAX + BEYOND - i)

function cancel(accountId: AccountId | undefined, symbol: string | undefined): CancelOrders {
  return { kind: 'CancelOrders', operator: OPERATOR, accountId, symbol }
}

/** A trader with more orders than one command cancels; each has a better price than the order before it. */
function busyHarness(createBook?: () => FastBook): { harness: ExchangeHarness; trader: AccountId } {
  const terms = { openOrdersMax: 10_000, levelsMax: 10_000 }
  const harness = new ExchangeHarness(createBook === undefined ? { terms } : { terms, createBook })
  const trader = harness.trader('busy', { BTC: RICH, USDT: RICH })
  for (let i = 0; i < CANCEL_ORDERS_MAX + BEYOND; i++)
    harness.accepted({ who: trader, side: 'SELL', price: PRICE - i, quantity: LOTS })
  return { harness, trader }
}

/** The orders that a command canceled, in the order of its events. */
function canceled(events: readonly ExchangeEvent[]): number[] {
  return events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.orderNumber] : []))
}

/** Counts the orders that are read from it. */
class WatchedBook extends FastBook {
  looked = 0

  override *slots(side: Side): Generator<Slot> {
    for (const slot of super.slots(side)) {
      this.looked++
      yield slot
    }
  }
}

test('canceling the orders of a symbol reads no more of its book than it cancels', () => {
  const book = new WatchedBook()
  const { harness } = busyHarness(() => book)
  book.looked = 0
  const reply = harness.give(cancel(undefined, 'BTC/USDT'))
  expect(reply).toEqual({ kind: 'OrdersCanceled', canceled: CANCEL_ORDERS_MAX, left: BEYOND })
  expect(book.looked).toBeLessThanOrEqual(CANCEL_ORDERS_MAX + 1)
  expect(canceled(harness.events)).toEqual(NEWEST)
})

test('canceling the orders of a symbol cancels both sides of its book, and what waits outside of it', () => {
  const harness = new ExchangeHarness({})
  const [buyer, seller] = ['buyer', 'seller'].map((name) => harness.trader(name, { BTC: RICH, USDT: RICH }))
  const order = { quantity: LOTS } as const
  harness.accepted({ ...order, who: seller as AccountId, side: 'SELL', price: PRICE + 1 })
  harness.accepted({ ...order, who: buyer as AccountId, side: 'BUY', price: PRICE - 1 })
  expect(harness.give(cancel(undefined, 'BTC/USDT'))).toEqual({
    kind: 'OrdersCanceled',
    canceled: 2,
    left: 0,
  })
})

test('the newest orders of an account are canceled first, and a restart in between changes nothing about that', () => {
  const { harness, trader } = busyHarness()
  const restarted = Exchange.decodeSnapshot(harness.exchange.encodeSnapshot())
  const events: ExchangeEvent[] = []
  const again = restarted.apply(cancel(trader, undefined), restarted.time, (event) => events.push(event))
  expect(harness.give(cancel(trader, undefined))).toEqual(again)
  expect(again).toEqual({ kind: 'OrdersCanceled', canceled: CANCEL_ORDERS_MAX, left: BEYOND })
  expect(canceled(harness.events)).toEqual(NEWEST)
  expect(canceled(events)).toEqual(NEWEST)
})

test('an account keeps the orders in other symbols, and the answer says how many are left in this one', () => {
  const { harness, trader } = busyHarness()
  const symbol = harness.symbol('USDT', 'BTC', {})
  harness.accepted({ who: trader, symbol, side: 'SELL', price: PRICE, quantity: LOTS })
  expect(harness.give(cancel(trader, 'USDT/BTC'))).toEqual({ kind: 'OrdersCanceled', canceled: 1, left: 0 })
  expect(harness.give(cancel(trader, 'BTC/USDT'))).toMatchObject({
    canceled: CANCEL_ORDERS_MAX,
    left: BEYOND,
  })
  expect(harness.give(cancel(trader, 'BTC/USDT'))).toMatchObject({ canceled: BEYOND, left: 0 })
  expect(harness.give(cancel(trader, undefined))).toMatchObject({ canceled: 0, left: 0 })
})
