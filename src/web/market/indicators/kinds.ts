/** The kinds of indicators, the parameters of each, and the chosen ones, which are stored in this browser. */
import { browserEntry, type Entry, membersOf } from '../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../shared/browser-storage.ts'
import { INDICATORS_ENTRY } from '../state/part-entries.ts'
import type { Rule } from './indicator.ts'
import { bollinger, ema, sma } from './moving-averages.ts'
import { macd, rsi } from './oscillators.ts'
import { vwap } from './volume-price.ts'

export const KINDS = ['SMA', 'EMA', 'BOLL', 'VWAP', 'RSI', 'MACD'] as const

export type Kind = (typeof KINDS)[number]

/** A setting. A length is in candles, a width in standard deviations. */
export type Parameter = {
  readonly name: 'length' | 'width' | 'fast' | 'slow' | 'signal'
  readonly usual: number
  readonly least: number
  readonly most: number
  readonly isWhole: boolean
}

export type Chosen = {
  /** Unique among the chosen indicators. */
  readonly id: number
  readonly kind: Kind
  /** In the order of its parameters. */
  readonly values: readonly number[]
}

/** Maximum number at once: each is computed with every change of the last candle. */
export const CHOSEN_MAX = 8
/** Maximum number of indicators that have their own pane: more would leave no room for the candles. */
export const PANES_MAX = 3

const LENGTH_MAX = 500

const length = (name: Parameter['name'], usual: number): Parameter => ({
  ...{ name, usual, least: 1, most: LENGTH_MAX, isWhole: true },
})

export const PARAMETERS: { readonly [K in Kind]: readonly Parameter[] } = {
  SMA: [length('length', 20)],
  EMA: [length('length', 50)],
  BOLL: [length('length', 20), { name: 'width', usual: 2, least: 0.1, most: 10, isWhole: false }],
  VWAP: [],
  RSI: [length('length', 14)],
  MACD: [length('fast', 12), length('slow', 26), length('signal', 9)],
}

/** Its scale is not that of prices, so it has its own pane. */
export function hasPane(kind: Kind): boolean {
  return kind === 'RSI' || kind === 'MACD'
}

export function ruleOf({ kind, values: [first = 1, second = 1, third = 1] }: Chosen): Rule<unknown> {
  switch (kind) {
    case 'SMA':
      return sma(first)
    case 'EMA':
      return ema(first)
    case 'BOLL':
      return bollinger(first, second)
    case 'VWAP':
      return vwap()
    case 'RSI':
      return rsi(first)
    case 'MACD':
      return macd(first, second, third)
  }
}

/** The reason why no further indicator of this kind can be chosen; undefined if one can. */
export function whyNotChosen(chosen: readonly Chosen[], kind: Kind): 'MANY' | 'MANY_PANES' | undefined {
  if (chosen.length >= CHOSEN_MAX) return 'MANY'
  const panes = chosen.filter((one) => hasPane(one.kind)).length
  return hasPane(kind) && panes >= PANES_MAX ? 'MANY_PANES' : undefined
}

export function withAnother(chosen: readonly Chosen[], kind: Kind): readonly Chosen[] {
  if (whyNotChosen(chosen, kind) !== undefined) return chosen
  const id = 1 + Math.max(0, ...chosen.map((one) => one.id))
  return [...chosen, { id, kind, values: PARAMETERS[kind].map(({ usual }) => usual) }]
}

/** The parsed parameter; undefined if the text is invalid. */
export function typedParameter(text: string, { least, most, isWhole }: Parameter): number | undefined {
  const form = isWhole ? /^\d{1,4}$/ : /^\d{1,3}(?:\.\d{1,3})?$/
  const value = form.test(text.trim()) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** For all markets in this browser. Damaged entries are left out. */
export function indicatorsEntry(storage: BrowserStorage): Entry<readonly Chosen[]> {
  return browserEntry(storage, INDICATORS_ENTRY, (kept) => {
    let chosen: readonly Chosen[] = []
    for (const one of Array.isArray(kept) ? kept : []) {
      const { kind, values } = membersOf(one)
      const known = KINDS.find((each) => each === kind)
      if (known === undefined || !areValues(known, values)) continue
      chosen = withAnother(chosen, known).map((each, index) =>
        index === chosen.length ? { ...each, values } : each,
      )
    }
    return chosen
  })
}

function areValues(kind: Kind, kept: unknown): kept is readonly number[] {
  const parameters = PARAMETERS[kind]
  return (
    Array.isArray(kept) &&
    kept.length === parameters.length &&
    parameters.every((parameter, index) => typedParameter(String(kept[index]), parameter) === kept[index])
  )
}
