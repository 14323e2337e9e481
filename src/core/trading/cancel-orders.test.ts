import { expect, test } from 'bun:test'
import type { AccountId } from '../../units/ids.ts'
import { CANCEL_ORDERS_MAX } from '../../units/limits.ts'
import type { Side } from '../../units/order-enums.ts'
import type { CancelOrders } from '../commands/orders.ts'
import type { ExchangeEvent } from '../events/event.ts'
import { Desk, OPERATOR } from '../exchange/desk.fixture.ts'
import { Exchange } from '../exchange/exchange.ts'
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

/** A trader with more orders than one command cancels; the later an order, the better its price. */
function busyDesk(createBook?: () => FastBook): { desk: Desk; trader: AccountId } {
  const terms = { openOrdersMax: 10_000, levelsMax: 10_000 }
  const desk = new Desk(createBook === undefined ? { terms } : { terms, createBook })
  const trader = desk.trader('busy', { BTC: RICH, USDT: RICH })
  for (let i = 0; i < CANCEL_ORDERS_MAX + BEYOND; i++)
    desk.accepted({ who: trader, side: 'SELL', price: PRICE - i, quantity: LOTS })
  return { desk, trader }
}

/** The orders that a command cancelled, in its order. */
function canceled(events: readonly ExchangeEvent[]): number[] {
  return events.flatMap((event) => (event.kind === 'OrderCanceled' ? [event.orderNumber] : []))
}

/** Counts the orders that are iterated. */
class WatchedBook extends FastBook {
  looked = 0

  override *slots(side: Side): Generator<Slot> {
    for (const slot of super.slots(side)) {
      this.looked++
      yield slot
    }
  }
}

test('cancelling the orders of a symbol looks at no more of its book than it cancels', () => {
  const book = new WatchedBook()
  const { desk } = busyDesk(() => book)
  book.looked = 0
  const reply = desk.give(cancel(undefined, 'BTC/USDT'))
  expect(reply).toEqual({ kind: 'OrdersCanceled', canceled: CANCEL_ORDERS_MAX, left: BEYOND })
  expect(book.looked).toBeLessThanOrEqual(CANCEL_ORDERS_MAX + 1)
  expect(canceled(desk.events)).toEqual(NEWEST)
})

test('cancelling the orders of a symbol ends both sides of its book, and what waits outside of it', () => {
  const desk = new Desk({})
  const [buyer, seller] = ['buyer', 'seller'].map((name) => desk.trader(name, { BTC: RICH, USDT: RICH }))
  const order = { quantity: LOTS } as const
  desk.accepted({ ...order, who: seller as AccountId, side: 'SELL', price: PRICE + 1 })
  desk.accepted({ ...order, who: buyer as AccountId, side: 'BUY', price: PRICE - 1 })
  expect(desk.give(cancel(undefined, 'BTC/USDT'))).toEqual({ kind: 'OrdersCanceled', canceled: 2, left: 0 })
})

test('the newest orders of an account are cancelled first, and a restart between changes nothing of that', () => {
  const { desk, trader } = busyDesk()
  const restarted = Exchange.decodeSnapshot(desk.exchange.encodeSnapshot())
  const events: ExchangeEvent[] = []
  const again = restarted.apply(cancel(trader, undefined), restarted.time, (event) => events.push(event))
  expect(desk.give(cancel(trader, undefined))).toEqual(again)
  expect(again).toEqual({ kind: 'OrdersCanceled', canceled: CANCEL_ORDERS_MAX, left: BEYOND })
  expect(canceled(desk.events)).toEqual(NEWEST)
  expect(canceled(events)).toEqual(NEWEST)
})

test('an account keeps the orders in other symbols, and the answer says how many are left in this one', () => {
  const { desk, trader } = busyDesk()
  const symbol = desk.symbol('USDT', 'BTC', {})
  desk.accepted({ who: trader, symbol, side: 'SELL', price: PRICE, quantity: LOTS })
  expect(desk.give(cancel(trader, 'USDT/BTC'))).toEqual({ kind: 'OrdersCanceled', canceled: 1, left: 0 })
  expect(desk.give(cancel(trader, 'BTC/USDT'))).toMatchObject({ canceled: CANCEL_ORDERS_MAX, left: BEYOND })
  expect(desk.give(cancel(trader, 'BTC/USDT'))).toMatchObject({ canceled: BEYOND, left: 0 })
  expect(desk.give(cancel(trader, undefined))).toMatchObject({ canceled: 0, left: 0 })
})
