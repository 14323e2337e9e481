import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { HistoryTrade } from '../../../../engine/history/history.ts'
import { aTrade } from '../../../../engine/history/history-trades.fixture.ts'
import type { TimeMs } from '../../../../units/quantities.ts'
import { TRADES } from '../trades.ts'
import { Block, BlockWriter } from './blocks.ts'
import { givenPlaces } from './given-places.fixture.ts'
import type { Linked } from './record.ts'

type LinkedTrade = Linked<HistoryTrade>

const TIME_MAX = 2 ** 48 - 1

/** Trades with rising numbers, at places in lists that a store could have assigned. */
const linkedTrades = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 1_000 }),
      account: fc.nat(10_000_000),
      symbol: fc.nat(9_999),
      units: fc.bigInt({ min: 0n, max: 2n ** 130n }),
      size: fc.integer({ min: 1, max: 2 ** 52 }),
      times: fc.tuple(fc.nat(TIME_MAX), fc.nat(TIME_MAX)),
      takerSide: fc.constantFrom('BUY' as const, 'SELL' as const),
      n: fc.tuple(fc.nat(1_000), fc.nat(2 ** 40)),
      before: fc.tuple(fc.nat(500), fc.nat(500)),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((terms) => {
    let number = 0
    return terms.map(({ gap, account, times, n, before, ...rest }): LinkedTrade => {
      number += gap
      const trade = aTrade({ number, maker: account, taker: account + 1, ...rest })
      const [time, orderTime] = times as [number, number] as [TimeMs, TimeMs]
      const timed = <Party extends typeof trade.maker>(party: Party): Party => ({
        ...party,
        record: { ...party.record, time, orderTime },
      })
      const link = { n: n[0] + n[1], before: Math.max(0, number - before[0]) }
      const inPart = { n: n[1], before: Math.max(0, link.before - before[1]) }
      const record = {
        ...trade,
        trade: { ...trade.trade, time },
        maker: timed(trade.maker),
        taker: timed(trade.taker),
      }
      const places = TRADES.listsOf(record).map((list) => ({
        ...list,
        inAll: link,
        inPart: list.part === undefined ? undefined : inPart,
      }))
      return { record, places }
    })
  })

function blockOf(trades: readonly LinkedTrade[]): { readonly first: number; readonly data: Uint8Array } {
  const writer = new BlockWriter(TRADES)
  for (const { record, places } of trades) writer.add(TRADES.headOf(record), record, givenPlaces(places))
  return { first: writer.first ?? 0, data: writer.end().slice() }
}

test('trades are read back as they were written, each by its number', () => {
  fc.assert(
    fc.property(linkedTrades, (trades) => {
      const { first, data } = blockOf(trades)
      const block = new Block(TRADES, first, data)
      for (const linked of trades.toReversed()) {
        expect(block.record(linked.record.trade.tradeNumber)).toEqual(linked)
      }
      expect(block.records()).toEqual([...trades])
      expect(block.record(first - 1)).toBeUndefined()
    }),
  )
})

test('a changed byte, a missing one and another number are damage', () => {
  fc.assert(
    fc.property(linkedTrades, fc.nat(), fc.integer({ min: 1, max: 255 }), (trades, place, bits) => {
      const { first, data } = blockOf(trades)
      const at = place % data.length
      expect(() => new Block(TRADES, first, data.with(at, (data[at] ?? 0) ^ bits))).toThrow('a row has')
      expect(() => new Block(TRADES, first, data.slice(0, at))).toThrow('a row has')
      expect(() => new Block(TRADES, first + 1, data)).toThrow('is stored as that of')
    }),
  )
})

test('records that do not rise, one of them twice included, are damage', () => {
  const [first, second] = [3, 5].map((number) => aTrade({ number }))
  for (const next of [first, aTrade({ number: 4 })]) {
    const trades = [first, second, next].map((record) => ({
      record: record as HistoryTrade,
      places: TRADES.listsOf(record as HistoryTrade).map((list) => ({
        ...list,
        inAll: { n: 9, before: 2 },
        inPart: list.part === undefined ? undefined : { n: 9, before: 2 },
      })),
    }))
    const { data } = blockOf(trades)
    expect(() => new Block(TRADES, 3, data)).toThrow(`has record ${next?.trade.tradeNumber} after record 5`)
  }
})
