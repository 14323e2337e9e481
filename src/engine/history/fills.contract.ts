/** Rules for queries for fills in every store of history; part of its contract suite. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { AccountId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { FILLS_READ_MAX, type TradeRecord } from '../port/ports.ts'
import type { FillRange, HistoryStore, HistoryTrade } from './history.ts'
import { aTrade, at, tradeAt } from './history-trades.fixture.ts'

const ACCOUNTS = { min: 10, max: 12 }

function range(account: number, terms: Partial<FillRange> = {}): FillRange {
  return {
    accountId: account as AccountId,
    symbolId: undefined,
    orderNumber: undefined,
    from: undefined,
    to: undefined,
    before: undefined,
    limit: 100,
    ...terms,
  }
}

const timeOf = (number: number): TimeMs => (1_700_000_000_000 + number) as TimeMs

/** Every page from the newest on, each continuing at the end of the previous one. */
async function pagesOf(store: HistoryStore, asked: FillRange): Promise<TradeRecord[][]> {
  const pages: TradeRecord[][] = []
  for (let before = asked.before; ; ) {
    const { fills, next } = await store.fills({ ...asked, before })
    pages.push([...fills])
    if (next === undefined) return pages
    before = next.tradeNumber
  }
}

export function fillContract(store: () => HistoryStore, open: () => Promise<HistoryStore>): void {
  test('an empty store has no fills, and no next page', async () =>
    expect(await store().fills(range(10))).toEqual({ fills: [], lookedAt: 0, next: undefined }))

  test('a fill says whether its order rested', async () => {
    const trade = aTrade({ number: 1 })
    await store().append([trade], at(1))
    expect((await store().fills(range(10))).fills).toEqual([{ ...trade.maker.record, isMaker: true }])
    expect((await store().fills(range(20))).fills).toEqual([{ ...trade.taker.record, isMaker: false }])
  })

  test('a page of fills ends before a trade, and never between both sides of a self-trade', async () => {
    const own = aTrade({ number: 2, maker: 10, taker: 10 })
    await store().append([aTrade({ number: 1 }), own, aTrade({ number: 3 })], at(3))
    const pages = await pagesOf(store(), range(10, { limit: 2 }))
    expect(pages.map((page) => page.map(({ tradeNumber }) => tradeNumber as number))).toEqual([
      [3, 2, 2],
      [1],
    ])
  })

  test('one request for fills reads a bounded number of them, and says where to continue', async () => {
    const count = FILLS_READ_MAX + 10
    await store().append(
      Array.from({ length: count }, (_, i) => aTrade({ number: i + 1 })),
      at(count),
    )
    const oldest = range(10, { orderNumber: 2 as OrderNumber })
    const first = await store().fills(oldest)
    expect(first).toEqual({
      fills: [],
      lookedAt: FILLS_READ_MAX,
      next: { tradeNumber: 11 as TradeNumber, time: timeOf(11) },
    })
    const second = await store().fills({ ...oldest, before: 11 as TradeNumber })
    expect([second.fills.length, second.lookedAt, second.next]).toEqual([1, 10, undefined])
  })

  test('limits of fills out of range are bugs of the caller', async () => {
    for (const limit of [0, 1_001, 0.5]) {
      await expect(store().fills(range(1, { limit }))).rejects.toThrow('limit must be 1 to 1000')
    }
  })

  oldestFillsContract(open)

  const account = fc.integer(ACCOUNTS)
  const trade = fc.record({
    maker: account,
    taker: account,
    symbol: fc.integer({ min: 0, max: 1 }),
    step: fc.integer({ min: 0, max: 2 }),
  })
  const option = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined })
  const asked = fc.record({
    account,
    symbol: option(1),
    order: option(12),
    from: option(20),
    to: option(20),
    before: option(30),
    limit: fc.integer({ min: 1, max: 7 }),
  })

  test('pages of fills, one after another, are the filtered list, whatever the request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trade, { maxLength: 30 }), fc.array(asked), async (terms, questions) => {
        const fresh = await open()
        let now = 0
        const trades = terms.map(({ step, ...one }, i) => {
          now += step
          return tradeAt(timeOf(now), { number: i + 1, ...one })
        })
        if (trades.length > 0) await fresh.append(trades, at(trades.length))
        for (const { account, symbol, order, from, to, before, limit } of questions) {
          const question = range(account, {
            symbolId: symbol as SymbolId | undefined,
            orderNumber: order as OrderNumber | undefined,
            from: from === undefined ? undefined : timeOf(from),
            to: to === undefined ? undefined : timeOf(to),
            before: before as TradeNumber | undefined,
            limit,
          })
          const pages = await pagesOf(fresh, question)
          expect(pages.flat()).toEqual(plainFills(trades, question))
          expect(pages.every((page) => page.length <= limit + 1)).toBe(true)
        }
        await fresh.close()
      }),
      { numRuns: 40 },
    )
  })
}

function oldestFillsContract(open: () => Promise<HistoryStore>): void {
  const trade = fc.record({ maker: fc.integer(ACCOUNTS), taker: fc.integer(ACCOUNTS), step: fc.nat(1) })
  const option = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined })
  const asked = fc.record({
    oldestFrom: fc.nat(30),
    from: option(20),
    to: option(20),
    limit: fc.integer({ min: 1, max: 7 }),
  })

  test('the oldest fills from a trade and a time on are the head of the filtered list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trade, { maxLength: 30 }), fc.array(asked), async (terms, questions) => {
        const fresh = await open()
        let now = 0
        const trades = terms.map(({ step, ...one }, i) => {
          now += step
          return tradeAt(timeOf(now), { number: i + 1, ...one })
        })
        if (trades.length > 0) await fresh.append(trades, at(trades.length))
        for (const { oldestFrom, from, to, limit } of questions) {
          const time = (of: number | undefined) => (of === undefined ? undefined : timeOf(of))
          const question = range(10, { from: time(from), to: time(to), limit })
          const all = plainFills(trades, question)
            .filter(({ tradeNumber }) => tradeNumber >= oldestFrom)
            .toReversed()
          const last = all[limit - 1]
          const expected = all.filter(
            (fill, index) => index < limit || fill.tradeNumber === last?.tradeNumber,
          )
          const page = await fresh.fills({ ...question, oldestFrom: oldestFrom as TradeNumber })
          expect([page.fills, page.next]).toEqual([expected.toReversed(), undefined])
        }
        await fresh.close()
      }),
      { numRuns: 40 },
    )
  })
}

function plainFills(trades: readonly HistoryTrade[], asked: FillRange): TradeRecord[] {
  const { accountId, symbolId, orderNumber, from = 0, to = Number.MAX_SAFE_INTEGER, before } = asked
  return trades
    .flatMap(({ maker, taker }) => [maker, taker])
    .filter((party) => party.accountId === accountId)
    .map(({ record }) => record)
    .filter((record) => symbolId === undefined || record.symbolId === symbolId)
    .filter((record) => orderNumber === undefined || record.orderNumber === orderNumber)
    .filter(({ time }) => time >= from && time <= to)
    .filter(({ tradeNumber }) => before === undefined || tradeNumber < before)
    .reverse()
}
