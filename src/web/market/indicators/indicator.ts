/**
 * What an indicator is: a rule that makes the values at a candle of the state at the candle before and of the columns. A state is a value and is never changed, so
 * the last candle is computed anew from the state before it as often as it changes, and nothing older is computed again.
 */
import type { Columns } from './columns.ts'

/** NaN: there is none yet. */
export type Values = readonly number[]

export type At<State> = { readonly state: State; readonly values: Values }

export type Rule<State> = {
  /** Of the candles before the first one. */
  readonly initial: State
  /** `index`: of the candle; only it and earlier ones are looked at. */
  next(state: State, columns: Columns, index: number): At<State>
}

/** An indicator over the candles of a chart. */
export class Run<State = unknown> {
  readonly #rule: Rule<State>
  /** Behind the candle before the last one that was computed. */
  #before: State
  #last: State
  #size = 0
  #values: Values[] = []

  constructor(rule: Rule<State>) {
    this.#rule = rule
    this.#before = rule.initial
    this.#last = rule.initial
  }

  /** At each candle, oldest first. */
  get values(): readonly Values[] {
    return this.#values
  }

  /** All of them, in place of what was there. */
  set(columns: Columns): void {
    this.#before = this.#last = this.#rule.initial
    this.#size = 0
    this.#values = []
    this.update(columns)
  }

  /** The last candle is another, or new ones have come. */
  update(columns: Columns): void {
    const size = columns.time.length
    if (this.#size > 0) this.#enter(columns, this.#size - 1, this.#before)
    for (let index = this.#size; index < size; index++) this.#enter(columns, index, this.#last)
    this.#size = size
  }

  #enter(columns: Columns, index: number, before: State): void {
    const { state, values } = this.#rule.next(before, columns, index)
    this.#before = before
    this.#last = state
    this.#values[index] = values
  }
}

/** Of a rule that needs no state: the values at a candle by the columns alone. */
export function stateless(valuesAt: (columns: Columns, index: number) => Values): Rule<undefined> {
  return {
    initial: undefined,
    next: (_state, columns, index) => ({ state: undefined, values: valuesAt(columns, index) }),
  }
}
