/**
 * Compares indicators with their definitions, written a second time in the plainest way and computed from the
 * first candle on at each candle.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Candle } from '../../../client/interface/answers.ts'
import { keptStorage } from '../../shared/browser-storage.fixture.ts'
import { INDICATORS_ENTRY } from '../state/part-entries.ts'
import { CandleColumns, type Columns } from './columns.ts'
import { HEIKIN_ASHI } from './heikin-ashi.ts'
import { type Rule, Run } from './indicator.ts'
import {
  CHOSEN_MAX,
  type Chosen,
  indicatorsEntry,
  KINDS,
  PANES_MAX,
  PARAMETERS,
  ruleOf,
  typedParameter,
  whyNotChosen,
  withAnother,
} from './kinds.ts'
import { bollinger, ema, sma } from './moving-averages.ts'
import { macd, rsi } from './oscillators.ts'
import { vwap } from './volume-price.ts'

const HOUR_MS = 3_600_000

type Prices = { open: number; high: number; low: number; close: number; volume: number; quote: number }

function candle(index: number, { open, high, low, close, volume, quote }: Prices): Candle {
  const time = index * HOUR_MS
  const texts = [open, high, low, close, volume].map(String) as [string, string, string, string, string]
  return [time, ...texts, time + HOUR_MS - 1, String(quote), 1, '0', '0', '0']
}

const flat = (close: number): Prices => ({
  ...{ open: close, high: close, low: close, close, volume: 1, quote: close },
})

const columnsOf = (candles: readonly Candle[]): Columns => {
  const columns = new CandleColumns()
  columns.set(candles)
  return columns.columns
}

/** The values at all candles, computed at once. */
function valuesOf<State>(rule: Rule<State>, candles: readonly Candle[]): readonly (readonly number[])[] {
  const run = new Run(rule)
  run.set(columnsOf(candles))
  return run.values
}

const closes = (...numbers: number[]) => numbers.map((close, index) => candle(index, flat(close)))
const NONE = Number.NaN

/** Equal, apart from the rounding of floating-point sums that are added in a different order. */
function expectClose(found: readonly (readonly number[])[], wanted: readonly (readonly number[])[]): void {
  expect(found.length).toBe(wanted.length)
  for (const [index, row] of wanted.entries())
    for (const [column, value] of row.entries()) {
      const other = found[index]?.[column] ?? Number.NEGATIVE_INFINITY
      if (Number.isNaN(value)) expect([index, column, other]).toEqual([index, column, NONE])
      else expect(Math.abs(other - value)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(value)))
    }
}

test('values that were computed by hand', () => {
  expect(valuesOf(sma(3), closes(1, 2, 3, 7))).toEqual([[NONE], [NONE], [2], [4]])
  // The mean of 1, 2 and 3; then half of the way to 7, and half of the way to 1.
  expect(valuesOf(ema(3), closes(1, 2, 3, 7, 1))).toEqual([[NONE], [NONE], [2], [4.5], [2.75]])
  // 2 and 6: their mean is 4, each is 2 away.
  expect(valuesOf(bollinger(2, 1.5), closes(2, 6))).toEqual([
    [NONE, NONE, NONE],
    [4, 7, 1],
  ])
  // +1, -1: equal gains and losses. Then +3: gains (0.5 + 3) / 2, losses 0.5 / 2, so 1.75 of 2.
  expect(valuesOf(rsi(2), closes(10, 11, 10, 13))).toEqual([[NONE], [NONE], [50], [87.5]])
  expect(valuesOf(rsi(2), closes(5, 5, 5, 6))).toEqual([[NONE], [NONE], [50], [100]])
  // EMA of 1: the close. EMA of 2: 3 (of 2 and 4), 3 + 2/3 * 5 = 19/3; of the distances 1 and 5/3 the mean is
  // 4/3.
  expectClose(valuesOf(macd(1, 2, 2), closes(2, 4, 8)), [
    [NONE, NONE, NONE],
    [1, NONE, NONE],
    [5 / 3, 4 / 3, 1 / 3],
  ])
  const traded = (index: number, volume: number, quote: number) =>
    candle(index, { ...flat(10), volume, quote })
  // 2 for 20, then 1 for 40: 60 / 3. Hour 24 is the next day.
  expect(
    valuesOf(vwap(), [traded(22, 2, 20), traded(23, 1, 40), traded(24, 0, 0), traded(25, 4, 8)]),
  ).toEqual([[10], [20], [NONE], [2]])
  const bars = [
    candle(0, { ...flat(0), open: 10, high: 14, low: 8, close: 13 }),
    candle(1, { ...flat(0), open: 20, high: 22, low: 18, close: 20 }),
  ]
  expect(valuesOf(HEIKIN_ASHI, bars)).toEqual([
    [11.5, 14, 8, 11.25],
    [11.375, 22, 11.375, 20],
  ])
})

const amount = fc.integer({ min: 1, max: 1_000_000 }).map((cents) => cents / 100)
const anyCandles = fc
  .array(fc.record({ low: amount, body: amount, above: amount, isUp: fc.boolean(), volume: amount }), {
    maxLength: 80,
  })
  .map((rows) =>
    rows.map(({ low, body, above, isUp, volume }, index) => {
      const [bottom, top] = [low, low + body]
      const [open, close] = isUp ? [bottom, top] : [top, bottom]
      return candle(index, { open, close, low, high: top + above, volume, quote: volume * (low + body / 2) })
    }),
  )
const length = fc.integer({ min: 1, max: 30 })

/**
 * An exponential average by definition: the numbers weighted by powers, beginning with the mean of the first
 * ones.
 */
function plainEma(numbers: readonly number[], length: number, share: number): number {
  if (numbers.length < length) return NONE
  const begin = numbers.slice(0, length).reduce((sum, each) => sum + each, 0) / length
  const later = numbers.slice(length)
  return later.reduce(
    (sum, each, index) => sum + each * share * (1 - share) ** (later.length - 1 - index),
    begin * (1 - share) ** later.length,
  )
}

const shareOf = (length: number) => 2 / (length + 1)
const closesOf = (candles: readonly Candle[]) => candles.map(([, , , , close]) => Number(close))
/** The values at each candle, each computed from the candles up to it. */
const byDefinition = (candles: readonly Candle[], value: (until: readonly Candle[]) => number[]) =>
  candles.map((_, index) => value(candles.slice(0, index + 1)))

test('each indicator is its definition, at every candle', () => {
  fc.assert(
    fc.property(anyCandles, length, length, length, (candles, one, two, three) => {
      const last = (until: readonly Candle[]) => closesOf(until).slice(-one)
      const mean = (until: readonly Candle[]) =>
        until.length < one ? NONE : last(until).reduce((sum, each) => sum + each, 0) / one
      expectClose(
        valuesOf(sma(one), candles),
        byDefinition(candles, (until) => [mean(until)]),
      )
      const spread = (until: readonly Candle[]) =>
        Math.sqrt(last(until).reduce((sum, each) => sum + (each - mean(until)) ** 2, 0) / one)
      expectClose(
        valuesOf(bollinger(one, 2), candles),
        byDefinition(candles, (until) => [
          mean(until),
          mean(until) + 2 * spread(until),
          mean(until) - 2 * spread(until),
        ]),
      )
      expectClose(
        valuesOf(ema(one), candles),
        byDefinition(candles, (until) => [plainEma(closesOf(until), one, shareOf(one))]),
      )
      const lines = candles.map((_, index) => {
        const until = closesOf(candles.slice(0, index + 1))
        return plainEma(until, one, shareOf(one)) - plainEma(until, two, shareOf(two))
      })
      expectClose(
        valuesOf(macd(one, two, three), candles),
        lines.map((line, index) => {
          const until = lines.slice(0, index + 1).filter((each) => !Number.isNaN(each))
          const signal = plainEma(until, three, shareOf(three))
          return [line, signal, line - signal]
        }),
      )
      expectClose(
        valuesOf(rsi(one), candles),
        byDefinition(candles, (until) => {
          const prices = closesOf(until)
          const moves = prices.slice(1).map((price, index) => price - (prices[index] ?? 0))
          const average = (sign: 1 | -1) =>
            plainEma(
              moves.map((move) => Math.max(move * sign, 0)),
              one,
              1 / one,
            )
          const [up, down] = [average(1), average(-1)]
          return [Number.isNaN(up) ? NONE : up + down === 0 ? 50 : 100 - 100 / (1 + up / down)]
        }),
      )
      expectClose(
        valuesOf(vwap(), candles),
        candles.map(([time], index) => {
          const sameDay = candles
            .slice(0, index + 1)
            .filter(([other]) => new Date(other).getUTCDate() === new Date(time).getUTCDate())
          const sum = (column: 5 | 7) => sameDay.reduce((total, each) => total + Number(each[column]), 0)
          return [sum(7) / sum(5)]
        }),
      )
    }),
    { numRuns: 60 },
  )
})

test('values that arrive candle by candle, the last one changing, equal those of all candles at once', () => {
  const kind = fc.constantFrom(...KINDS)
  fc.assert(
    fc.property(
      anyCandles,
      kind,
      fc.array(fc.nat(3), { minLength: 80, maxLength: 80 }),
      (candles, kind, changes) => {
        const chosen: Chosen = {
          id: 1,
          kind,
          values: PARAMETERS[kind].map(({ usual }) => Math.min(usual, 5)),
        }
        for (const rule of [ruleOf(chosen), HEIKIN_ASHI]) {
          const [columns, run] = [new CandleColumns(), new Run(rule)]
          run.set(columns.columns)
          for (const [index, each] of candles.entries()) {
            // The values of the candle while it was the running one.
            for (let change = 0; change < (changes[index] ?? 0); change++) {
              columns.update([candle(index, flat(1 + change))])
              run.update(columns.columns)
            }
            columns.update([each])
            run.update(columns.columns)
          }
          expect(columns.columns).toEqual(columnsOf(candles))
          expect(run.values).toEqual(valuesOf(rule, candles))
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a message with the end of one candle and the beginning of the next changes both', () => {
  const [columns, run] = [new CandleColumns(), new Run(sma(2))]
  columns.set(closes(1, 2))
  run.set(columns.columns)
  expect(columns.update([candle(1, flat(4)), candle(2, flat(6))])).toBe(1)
  run.update(columns.columns)
  expect(run.values).toEqual([[NONE], [2.5], [5]])
})

test('chosen indicators are stored, up to a limit, and damaged ones are left out', () => {
  const browser = keptStorage()
  let chosen: readonly Chosen[] = []
  for (const kind of KINDS) chosen = withAnother(chosen, kind)
  indicatorsEntry(browser.tab()).write(chosen)
  expect(indicatorsEntry(browser.tab()).read()).toEqual(chosen)
  const damaged = [
    { kind: 'SMA', values: [0] },
    { kind: 'SMA', values: [7] },
    { kind: 'SMA', values: ['7'] },
    { kind: 'EMA', values: [1.5] },
    { kind: 'CCI', values: [] },
    null,
  ]
  const read = (kept: unknown) =>
    indicatorsEntry(keptStorage({ [INDICATORS_ENTRY]: JSON.stringify(kept) }).tab()).read()
  expect(read(damaged)).toEqual([{ id: 1, kind: 'SMA', values: [7] }])
  expect(read(Array(100).fill({ kind: 'SMA', values: [7] }))).toHaveLength(CHOSEN_MAX)
  expect(read({})).toEqual([])
  const panes = Array(PANES_MAX).fill({ kind: 'RSI', values: [14] })
  expect(whyNotChosen(read(panes), 'MACD')).toBe('MANY_PANES')
  expect(whyNotChosen(read(panes), 'SMA')).toBeUndefined()
})

test('a parameter is a number within its bounds, a length a whole one', () => {
  const [lengthOf, width] = PARAMETERS.BOLL
  if (lengthOf === undefined || width === undefined) throw new Error('Bollinger has two parameters')
  const typed = ['1', ' 500 ', '0', '501', '-3', '2.5', '', '1e2', 'x'].map((text) =>
    typedParameter(text, lengthOf),
  )
  expect(typed).toEqual([1, 500, ...Array(7).fill(undefined)])
  expect(['2.5', '0.1', '0', '10.5'].map((text) => typedParameter(text, width))).toEqual([
    2.5,
    0.1,
    undefined,
    undefined,
  ])
})
