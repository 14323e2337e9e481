/** Rules for trades and aggregates by their numbers in every store of history; part of its contract suite. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { OrderNumber, SymbolId } from '../../units/ids.ts'
import type { Lots, Price, Seq, TimeMs } from '../../units/quantities.ts'
import type { AggregateTrade, NumberedRange } from '../port/history-questions.ts'
import { aggregated } from './aggregates.ts'
import type { HistoryStore, HistoryTrade, PartyRecord } from './history.ts'
import { aTrade, at } from './history-trades.fixture.ts'

const START = 1_700_000_000_000

type Terms = {
  readonly number: number
  readonly seq: number
  readonly symbol: number
  /** The number in its symbol; 0 means none. */
  readonly inSymbol: number
  readonly taker: number
  readonly price: number
  readonly quantity: number
  readonly time: number
}

function numbered({ number, seq, symbol, inSymbol, taker, price, quantity, time }: Terms): HistoryTrade {
  const made = aTrade({ number, seq, symbol })
  const shared = {
    ...{ symbolTrade: inSymbol, price: price as Price, quantity: quantity as Lots },
    time: (START + time) as TimeMs,
  }
  const party = (side: PartyRecord, orderNumber: number): PartyRecord => ({
    ...side,
    record: { ...side.record, ...shared, orderNumber: orderNumber as OrderNumber },
  })
  return {
    ...made,
    trade: { ...made.trade, ...shared },
    aggregate: undefined,
    maker: party(made.maker, number * 1_000),
    taker: party(made.taker, taker),
  }
}

function range(terms: Partial<NumberedRange> = {}): NumberedRange {
  return {
    ...{ symbolId: 0 as SymbolId, first: undefined, from: undefined, to: undefined },
    ...{ limit: 1_000, upTo: 1_000_000 as Seq },
    ...terms,
  }
}

export function numberedContract(store: () => HistoryStore, open: () => Promise<HistoryStore>): void {
  test('an order that takes from three makers at two prices makes two aggregates, with their trades', async () => {
    const shared = { seq: 5, symbol: 0, taker: 7, time: 3 }
    const first = { ...shared, number: 11, inSymbol: 1, price: 100, quantity: 2 }
    const trades = [
      first,
      { ...first, number: 12, inSymbol: 2, quantity: 3 },
      { ...first, number: 13, inSymbol: 3, price: 101, quantity: 4 },
    ]
    const next = { ...first, number: 14, inSymbol: 4, seq: 6, taker: 8, price: 101, quantity: 5 }
    await store().append([...aggregated(trades.map(numbered)), ...aggregated([numbered(next)])], at(6))
    const of = { time: (START + 3) as TimeMs, takerSide: 'BUY' }
    expect(await store().aggregateTrades(range())).toEqual([
      { number: 1, firstTrade: 1, lastTrade: 2, price: 100, quantity: 5, ...of },
      { number: 2, firstTrade: 3, lastTrade: 3, price: 101, quantity: 4, ...of },
      { number: 3, firstTrade: 4, lastTrade: 4, price: 101, quantity: 5, ...of },
    ] as AggregateTrade[])
    const numbers = (await store().symbolTrades(range({ first: 2, limit: 2 }))).map(
      ({ symbolTrade }) => symbolTrade,
    )
    expect(numbers).toEqual([2, 3])
  })

  test('an empty store has neither trades nor aggregates by number', async () => {
    expect(await store().symbolTrades(range({ first: 1 }))).toEqual([])
    expect(await store().aggregateTrades(range({ from: START as TimeMs }))).toEqual([])
  })

  test('limits of numbered pages out of range are bugs of the caller', async () => {
    for (const limit of [0, 1_001, 0.5]) {
      await expect(store().symbolTrades(range({ limit }))).rejects.toThrow('limit must be 1 to 1000')
      await expect(store().aggregateTrades(range({ limit }))).rejects.toThrow('limit must be 1 to 1000')
    }
  })

  const fill = fc.record({ step: fc.integer({ min: 0, max: 1 }), quantity: fc.integer({ min: 1, max: 9 }) })
  const command = fc.record({
    symbol: fc.integer({ min: 0, max: 1 }),
    pause: fc.integer({ min: 0, max: 3 }),
    fills: fc.array(fill, { minLength: 1, maxLength: 5 }),
  })
  const option = (max: number) => fc.option(fc.integer({ min: 0, max }), { nil: undefined })
  const asked = fc.record({
    ...{ symbol: fc.integer({ min: 0, max: 1 }), first: option(90), from: option(60), to: option(60) },
    ...{ limit: fc.integer({ min: 1, max: 80 }), upTo: fc.integer({ min: 0, max: 45 }) },
  })
  /** How many of the first commands are older than numbers in symbols. */
  const unnumbered = fc.integer({ min: 0, max: 4 })

  test('pages by number are the filtered trades and aggregates, whatever the request', async () => {
    const commands = fc.array(command, { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(commands, unnumbered, fc.array(asked), async (some, old, questions) => {
        const fresh = await open()
        const bySeq = tradesOf(some, old)
        const kept = bySeq.flatMap((trades) => aggregated(trades))
        if (kept.length > 0) await fresh.append(kept, at(some.length))
        for (const { symbol, first, from, to, limit, upTo } of questions) {
          const timeOf = (time: number | undefined) =>
            time === undefined ? undefined : ((START + time) as TimeMs)
          const question = range({
            ...{ symbolId: symbol as SymbolId, first, from: timeOf(from), to: timeOf(to), limit },
            upTo: upTo as Seq,
          })
          const trades = bySeq
            .flat()
            .filter(({ symbolId, trade }) => symbolId === symbol && trade.symbolTrade > 0)
            .map(({ seq, trade }) => ({ seq, number: trade.symbolTrade, time: trade.time, value: trade }))
          expect(await fresh.symbolTrades(question)).toEqual(plainPage(trades, question))
          const aggregates = plainAggregates(bySeq, symbol)
          expect(await fresh.aggregateTrades(question)).toEqual(plainPage(aggregates, question))
        }
        await fresh.close()
      }),
      { numRuns: 40 },
    )
  })
}

type Commands = readonly {
  readonly symbol: number
  readonly pause: number
  readonly fills: readonly { readonly step: number; readonly quantity: number }[]
}[]

/** The trades of each command, without aggregates. */
function tradesOf(commands: Commands, old: number): HistoryTrade[][] {
  let [number, time] = [0, 0]
  const counts = [0, 0]
  return commands.map(({ symbol, pause, fills }, index) => {
    time += pause
    let price = 10
    return fills.map(({ step, quantity }) => {
      number++
      price += step
      if (index >= old) counts[symbol] = (counts[symbol] ?? 0) + 1
      const inSymbol = index >= old ? (counts[symbol] ?? 0) : 0
      return numbered({ number, seq: index + 1, symbol, inSymbol, taker: index, price, quantity, time })
    })
  })
}

type Plain<Value> = {
  readonly seq: number
  readonly number: number
  readonly time: number
  readonly value: Value
}

/** Computed from the trades, command by command and price by price. */
function plainAggregates(bySeq: readonly HistoryTrade[][], symbol: number): Plain<AggregateTrade>[] {
  const found: Plain<AggregateTrade>[] = []
  for (const trades of bySeq) {
    const ofSymbol = trades.filter(({ symbolId, trade }) => symbolId === symbol && trade.symbolTrade > 0)
    for (const some of Map.groupBy(ofSymbol, ({ trade }) => trade.price).values()) {
      const numbers = some.map(({ trade }) => trade.symbolTrade)
      const quantities = some.map(({ trade }) => trade.quantity as number)
      const { seq, trade } = some[0] as HistoryTrade
      const number = found.length + 1
      const value = {
        ...{ number, firstTrade: Math.min(...numbers), lastTrade: Math.max(...numbers), price: trade.price },
        ...{ quantity: quantities.reduce((sum, each) => sum + each, 0) as Lots, time: trade.time },
        takerSide: trade.takerSide,
      }
      found.push({ seq, number, time: trade.time, value })
    }
  }
  return found
}

function plainPage<Value>(all: readonly Plain<Value>[], asked: NumberedRange): Value[] {
  const { first = 0, from = 0, to = Number.MAX_SAFE_INTEGER, limit, upTo } = asked
  const fitting = all.filter(
    ({ seq, number, time }) => seq <= upTo && number >= first && time >= from && time <= to,
  )
  const isOldest = asked.first !== undefined || asked.from !== undefined
  return (isOldest ? fitting.slice(0, limit) : fitting.slice(-limit)).map(({ value }) => value)
}
