/**
 * Bodies written by hand have the fields of their shapes, in the order and forms of the shapes, for all
 * values.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { OrderNumber, TradeNumber, Uuid } from '../../units/ids.ts'
import { amount, decimals, lots, price, seq, timeMs } from '../../units/quantities.ts'
import type { Shape } from '../../units/shapes/shape.ts'
import {
  DEPTH,
  MATCHED_ORDER,
  matchedOrderJson,
  orderBookJson,
  publicTradeJson,
  RECENT_TRADE,
} from '../api/market-data.ts'
import { CREATED_ORDER, orderCreatedBody } from '../api/orders.ts'
import { PUBLIC_CHANNELS } from '../stream/channels.ts'
import {
  bestPriceMembers,
  channelTradeJson,
  seqMembers,
  sidesMembers,
  topicMembers,
} from '../stream/stream-channels.ts'
import { zodShape } from './zod-shapes.ts'

const ID = '01a0c450-6c05-7100-8000-000000000001' as Uuid
const time = timeMs(1_790_000_000_005)
const units = fc.integer({ min: 1, max: 2 ** 40 })
const figures = fc.record({ price: units.map(price), quantity: units.map(lots), time: fc.constant(time) })
const places = fc.record({
  baseFraction: fc.integer({ min: 0, max: 8 }).map(decimals),
  quoteFraction: fc.integer({ min: 0, max: 8 }).map(decimals),
})
const level = fc.record({ price: units.map(price), quantity: units.map(BigInt) })

/** Compares a body with its shape. */
function expectFits(shape: Shape, json: string): void {
  const value: unknown = JSON.parse(json)
  expect(zodShape(shape).safeParse(value).error).toBeUndefined()
  if (shape.form.is !== 'object') return
  const names = Object.keys(value as object)
  expect(names).toEqual(Object.keys(shape.form.fields).filter((name) => names.includes(name)))
}

test('trades, matches and books have the fields of their shapes', () => {
  fc.assert(
    fc.property(figures, places, fc.array(level, { maxLength: 3 }), (trade, of, levels) => {
      expectFits(RECENT_TRADE, publicTradeJson(trade, of))
      expectFits(MATCHED_ORDER, matchedOrderJson({ ...trade, makerId: ID, takerId: ID }, of))
      expectFits(DEPTH, orderBookJson({ sell: levels, buy: levels }, of))
    }),
  )
})

test('a created order has the fields of its shape', () => {
  fc.assert(
    fc.property(figures, places, fc.constantFrom('BUY', 'SELL'), (order, of, side) => {
      const symbol = { name: 'BTC/USDT', ...of, quotePrecision: decimals(8) }
      const total = amount(1n)
      const body = orderCreatedBody({ ...order, side, total, orderNumber: 1 as OrderNumber }, symbol, 'en')
      const data = body.slice(body.indexOf('"data":') + '"data":'.length, -1)
      expectFits(CREATED_ORDER, data)
    }),
  )
})

test('messages of channels have the fields of their shapes', () => {
  const head = (channel: 'trades' | 'bookTicker', previous: number | undefined) =>
    `${topicMembers('BTC/USDT', { channel })},${seqMembers(seq(7), previous === undefined ? undefined : seq(previous))}`
  fc.assert(
    fc.property(
      figures,
      places,
      level,
      fc.option(fc.nat(6), { nil: undefined }),
      (trade, of, best, previous) => {
        const figure = { ...trade, tradeNumber: 1 as TradeNumber, symbolTrade: 1, takerSide: 'SELL' as const }
        const { trades, bookTicker, book } = PUBLIC_CHANNELS
        expectFits(trades.message, `{${head('trades', previous)},"trades":[${channelTradeJson(figure, of)}]}`)
        const prices = bestPriceMembers('bid', best, of) + bestPriceMembers('ask', best, of)
        expectFits(bookTicker.message, `{${head('bookTicker', previous)}${prices}}`)
        expectFits(book.message, `{${head('trades', previous)}${sidesMembers([best], [best], of)}}`)
      },
    ),
  )
})
