/**
 * Rules for every store of trade history. A driver's test calls this with a function that makes an empty
 * store.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { OperatorCommand } from '../../core/commands/command.ts'
import { DONE } from '../../core/questions/reply.ts'
import type { AccountId, SymbolId, TradeNumber } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { OperatorAction, TradeRecord } from '../port/ports.ts'
import { candleContract } from './candles/candles.contract.ts'
import { eventContract } from './events.contract.ts'
import { fillContract } from './fills.contract.ts'
import type { ActionQuery, HistoryStore, HistoryTrade, PageQuery } from './history.ts'
import { aTrade, at, type TradeTerms } from './history-trades.fixture.ts'
import { ledgerContract } from './ledger.contract.ts'
import { numberedContract } from './numbered.contract.ts'
import { orderContract } from './orders.contract.ts'

function query(account: number, rest: Partial<PageQuery> = {}): PageQuery {
  return {
    accountId: account as AccountId,
    symbolId: undefined,
    page: 0,
    size: 100,
    before: undefined,
    ...rest,
  }
}

const numbersOf = (items: readonly { readonly tradeNumber: number }[]): number[] =>
  items.map((item) => item.tradeNumber)

const upTo = (last: number, terms: Omit<TradeTerms, 'number'> = {}): HistoryTrade[] =>
  Array.from({ length: last }, (_, i) => aTrade({ number: i + 1, ...terms }))

/** Runs the contract on stores made by `open`. */
export function historyStoreContract(name: string, open: () => Promise<HistoryStore>): void {
  describe(`${name} history store`, () => {
    let store: HistoryStore
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    emptyAndPosition(() => store)
    paging(() => store)
    recent(() => store)
    numberedContract(() => store, open)
    fillContract(() => store, open)
    ledgerContract(() => store, open)
    orderContract(() => store, open)
    candleContract(() => store, open)
    eventContract(open, () => store)
    exactness(() => store)
    property(open)
  })
}

function emptyAndPosition(store: () => HistoryStore): void {
  test('an empty store is at 0 and shows empty lists', async () => {
    expect(await store().position()).toEqual(at(0))
    expect(await store().trades(query(10))).toEqual({ items: [], total: 0 })
    expect(await store().trades(query(10, { page: 3, before: 5 as TradeNumber }))).toEqual({
      items: [],
      total: 0,
    })
    expect(await store().recentTrades({ symbolId: 0 as SymbolId, limit: 10, upTo: 100 as Seq })).toEqual([])
  })

  test('the position moves with each append, with or without trades', async () => {
    await store().append([], at(4))
    expect(await store().position()).toEqual(at(4))
    await store().append([aTrade({ number: 1, seq: 5 })], at(6))
    expect(await store().position()).toEqual(at(6))
  })

  test('an append that does not move the position is a bug and changes nothing', async () => {
    await store().append([aTrade({ number: 1 })], at(1))
    await expect(store().append([aTrade({ number: 1 })], at(1))).rejects.toThrow('history is at 1')
    expect((await store().trades(query(10))).total).toBe(1)
  })

  test('clear drops everything and numbering starts again', async () => {
    await store().append(upTo(3), at(3))
    await store().clear()
    expect(await store().position()).toEqual(at(0))
    expect((await store().trades(query(10))).total).toBe(0)
    expect(await store().recentTrades({ symbolId: 0 as SymbolId, limit: 10, upTo: 9 as Seq })).toEqual([])
    await store().append(upTo(2), at(2))
    expect(numbersOf((await store().trades(query(10))).items)).toEqual([2, 1])
  })

  test("operators' actions come newest first, by actor, kind and place, and go with the rest", async () => {
    const actions = [
      anAction(1, { kind: 'Reject', operator: { actor: 'ann', note: 'why' }, reference: 'a' }),
      anAction(2, { kind: 'CreateAccount', operator: { actor: 'ben', note: '' }, name: 'carol' }),
      anAction(3, { kind: 'Reject', operator: { actor: 'ben', note: '' }, reference: 'b' }),
      anAction(5, { kind: 'Reject', operator: { actor: 'ann', note: '' }, reference: 'c' }),
    ]
    await store().append([], at(3), { actions: actions.slice(0, 3) })
    await store().append([], at(5), { actions: actions.slice(3) })
    const ask = async (terms: Partial<ActionQuery>) => {
      const all = { before: undefined, limit: 10, actor: undefined, kind: undefined }
      return store().operatorActions({ ...all, ...terms })
    }
    const seqs = async (terms: Partial<ActionQuery>) => (await ask(terms)).map(({ seq }) => seq as number)
    expect(await ask({})).toEqual(actions.toReversed())
    expect(await seqs({ limit: 2 })).toEqual([5, 3])
    expect(await seqs({ before: 3 as Seq })).toEqual([2, 1])
    expect(await seqs({ actor: 'ann' })).toEqual([5, 1])
    expect(await seqs({ kind: 'Reject', before: 5 as Seq })).toEqual([3, 1])
    expect(await seqs({ actor: 'ben', kind: 'Reject' })).toEqual([3])
    expect(await seqs({ actor: 'nobody' })).toEqual([])
    await store().clear()
    expect(await seqs({})).toEqual([])
  })

  test("operators' actions are found by the account that they concern and by the reference of a transfer", async () => {
    const [alice, bob] = [10 as AccountId, 11 as AccountId]
    const reject = (seq: number, reference: string, accountId: AccountId | undefined) => ({
      ...anAction(seq, { kind: 'Reject', operator: { actor: 'ann', note: '' }, reference }),
      accountId,
    })
    const opened = anAction(3, { kind: 'CreateAccount', operator: { actor: 'ann', note: '' }, name: 'bob' })
    const actions = [
      reject(1, 'a', alice),
      reject(2, 'b', bob),
      { ...opened, accountId: bob },
      reject(4, 'a', undefined),
    ]
    await store().append([], at(4), { actions })
    const none = { before: undefined, limit: 10, actor: undefined, kind: undefined }
    const ask = (terms: Partial<ActionQuery>) => store().operatorActions({ ...none, ...terms })
    const seqs = async (terms: Partial<ActionQuery>) => (await ask(terms)).map(({ seq }) => seq as number)
    expect(await ask({ accountId: bob })).toEqual([actions[2], actions[1]] as OperatorAction[])
    expect(await seqs({ accountId: alice })).toEqual([1])
    expect(await seqs({ accountId: bob, kind: 'CreateAccount' })).toEqual([3])
    expect(await seqs({ accountId: bob, before: 3 as Seq })).toEqual([2])
    expect(await seqs({ reference: 'a' })).toEqual([4, 1])
    expect(await seqs({ reference: 'a', limit: 1 })).toEqual([4])
    expect(await seqs({ reference: 'c' })).toEqual([])
    expect(await seqs({ accountId: 12 as AccountId })).toEqual([])
  })
}

function anAction(seq: number, command: OperatorCommand): OperatorAction {
  return { seq: seq as Seq, time: (1_700_000_000_000 + seq) as TimeMs, command, reply: DONE }
}

function paging(store: () => HistoryStore): void {
  test('pages are cut from the newest, the last one is short, the ones after it are empty', async () => {
    await store().append(upTo(7), at(7))
    const pages = [0, 1, 2, 3, Number.MAX_SAFE_INTEGER]
    const found = await Promise.all(pages.map((page) => store().trades(query(10, { page, size: 3 }))))
    expect(found.map((page) => numbersOf(page.items))).toEqual([[7, 6, 5], [4, 3, 2], [1], [], []])
    expect(found.map((page) => page.total)).toEqual([7, 7, 7, 7, 7])
  })

  test('each party sees its own side, order and commission', async () => {
    const trade = aTrade({ number: 5, takerSide: 'SELL', symbol: 2 })
    await store().append([trade], at(5))
    expect((await store().trades(query(10))).items).toEqual([trade.maker.record])
    expect((await store().trades(query(20))).items).toEqual([trade.taker.record])
    expect((await store().trades(query(30))).total).toBe(0)
  })

  test('the symbol filter has its own list, total and pages', async () => {
    const trades = upTo(10).map((_, i) => aTrade({ number: i + 1, symbol: i % 3 }))
    await store().append(trades, at(10))
    const page = (symbol: number, number: number): ReturnType<HistoryStore['trades']> =>
      store().trades(query(10, { symbolId: symbol as SymbolId, page: number, size: 2 }))
    expect(numbersOf((await page(0, 0)).items)).toEqual([10, 7])
    expect(numbersOf((await page(0, 1)).items)).toEqual([4, 1])
    expect(numbersOf((await page(1, 1)).items)).toEqual([2])
    expect([(await page(0, 0)).total, (await page(1, 0)).total, (await page(3, 0)).total]).toEqual([4, 3, 0])
  })

  test('pages drift with new trades; with before they do not', async () => {
    await store().append(upTo(6), at(6))
    const fixed = { size: 2, page: 1, before: 6 as TradeNumber }
    expect(numbersOf((await store().trades(query(10, { size: 2, page: 1 }))).items)).toEqual([4, 3])
    expect(numbersOf((await store().trades(query(10, fixed))).items)).toEqual([3, 2])
    await store().append([aTrade({ number: 7 })], at(7))
    expect(numbersOf((await store().trades(query(10, { size: 2, page: 1 }))).items)).toEqual([5, 4])
    expect(await store().trades(query(10, fixed))).toMatchObject({ total: 5 })
    expect(numbersOf((await store().trades(query(10, fixed))).items)).toEqual([3, 2])
  })

  test('a cut before a trade of another account falls between the account’s own trades', async () => {
    const trades = [2, 4, 6].map((number) => aTrade({ number }))
    await store().append(trades, at(6))
    const totals = [1, 2, 3, 4, 5, 6, 7].map((before) =>
      store().trades(query(10, { before: before as TradeNumber })),
    )
    expect((await Promise.all(totals)).map((page) => page.total)).toEqual([0, 0, 1, 1, 2, 2, 3])
  })

  test("a self-trade is two records of one list, the taker's first", async () => {
    const trade = aTrade({ number: 2, maker: 10, taker: 10 })
    await store().append([aTrade({ number: 1 }), trade], at(2))
    const page = await store().trades(query(10, { symbolId: 0 as SymbolId }))
    expect(page.total).toBe(3)
    expect(page.items.slice(0, 2)).toEqual([trade.taker.record, trade.maker.record])
    expect(numbersOf(page.items)).toEqual([2, 2, 1])
    expect((await store().trades(query(10, { before: 2 as TradeNumber }))).total).toBe(1)
  })
}

function recent(store: () => HistoryStore): void {
  test('recent trades are newest first, of one symbol, limited', async () => {
    const trades = upTo(9).map((_, i) => aTrade({ number: i + 1, symbol: i % 2 }))
    await store().append(trades, at(9))
    const list = (limit: number): ReturnType<HistoryStore['recentTrades']> =>
      store().recentTrades({ symbolId: 0 as SymbolId, limit, upTo: 9 as Seq })
    expect(numbersOf(await list(1000))).toEqual([9, 7, 5, 3, 1])
    expect(numbersOf(await list(2))).toEqual([9, 7])
    expect(await list(0)).toEqual([])
    expect((await list(1))[0]).toEqual(trades[8]!.trade)
  })

  test('recent trades end with the given command, its own trades included and no newer ones', async () => {
    const trades = [1, 2, 3, 4, 5].map((number) => aTrade({ number, seq: number <= 3 ? 10 : 20 }))
    await store().append(trades, at(25))
    const list = (seq: number): ReturnType<HistoryStore['recentTrades']> =>
      store().recentTrades({ symbolId: 0 as SymbolId, limit: 2, upTo: seq as Seq })
    expect(numbersOf(await list(9))).toEqual([])
    expect(numbersOf(await list(10))).toEqual([3, 2])
    expect(numbersOf(await list(19))).toEqual([3, 2])
    expect(numbersOf(await list(20))).toEqual([5, 4])
  })
}

function exactness(store: () => HistoryStore): void {
  test('amounts beyond 63 bits and numbers of 53 bits come back exactly', async () => {
    const trade = aTrade({
      number: 2 ** 50,
      seq: 1,
      units: 2n ** 106n + 1n,
      size: Number.MAX_SAFE_INTEGER - 1,
    })
    await store().append([trade], at(1))
    expect((await store().trades(query(20))).items).toEqual([trade.taker.record])
    expect(await store().recentTrades({ symbolId: 0 as SymbolId, limit: 1, upTo: 1 as Seq })).toEqual([
      trade.trade,
    ])
  })

  test('page sizes, pages and limits out of range are bugs of the caller', async () => {
    for (const bad of [{ page: -1 }, { page: 0.5 }, { size: 0 }, { size: 1001 }]) {
      await expect(store().trades(query(1, bad))).rejects.toThrow('page must be 0 or more')
    }
    await expect(
      store().recentTrades({ symbolId: 0 as SymbolId, limit: 1001, upTo: 1 as Seq }),
    ).rejects.toThrow('limit must be 0 to 1000')
  })
}

function property(open: () => Promise<HistoryStore>): void {
  const account = fc.integer({ min: 10, max: 12 })
  const trade = fc.record({ maker: account, taker: account, symbol: fc.integer({ min: 0, max: 1 }) })
  const asked = fc.record({
    account,
    symbol: fc.option(fc.integer({ min: 0, max: 1 }), { nil: undefined }),
    page: fc.integer({ min: 0, max: 4 }),
    size: fc.integer({ min: 1, max: 7 }),
    before: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  })

  test('every page is the slice of the filtered list, whatever the batches', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(trade, { maxLength: 40 }),
        fc.array(asked),
        fc.integer({ min: 1, max: 9 }),
        check,
      ),
      { numRuns: 60 },
    )
  })

  async function check(
    terms: readonly { maker: number; taker: number; symbol: number }[],
    questions: readonly {
      account: number
      symbol?: number | undefined
      page: number
      size: number
      before?: number | undefined
    }[],
    batch: number,
  ): Promise<void> {
    const store = await open()
    const trades = terms.map((one, i) => aTrade({ number: i + 1, ...one }))
    for (let i = 0; i < trades.length; i += batch) {
      await store.append(trades.slice(i, i + batch), at(Math.min(i + batch, trades.length)))
    }
    for (const q of questions) {
      const list = plainList(trades, q.account)
        .filter((record) => q.symbol === undefined || record.symbolId === q.symbol)
        .filter((record) => q.before === undefined || record.tradeNumber < q.before)
      const page = await store.trades(
        query(q.account, {
          symbolId: q.symbol as SymbolId | undefined,
          page: q.page,
          size: q.size,
          before: q.before as TradeNumber | undefined,
        }),
      )
      expect(page).toEqual({ items: list.slice(q.page * q.size, (q.page + 1) * q.size), total: list.length })
    }
    await store.close()
  }
}

/** The list of an account, newest first, computed in the obvious way. */
export function plainList(trades: readonly HistoryTrade[], account: number): TradeRecord[] {
  return trades
    .flatMap((trade) => [trade.maker, trade.taker])
    .filter((party) => party.accountId === account)
    .map((party) => party.record)
    .reverse()
}
