/**
 * An indicator is a rule that computes the values at a candle from the state at the previous candle and from
 * the columns. A state is an immutable value, so the last candle is recomputed from the previous state as
 * often as it changes, and nothing older is recomputed.
 */
import type { Columns } from './columns.ts'

/** NaN if there is no value yet. */
export type Values = readonly number[]

export type At<State> = { readonly state: State; readonly values: Values }

export type Rule<State> = {
  /** The state before the first candle. */
  readonly initial: State
  /** `index`: the candle's; only this candle and earlier ones are read. */
  next(state: State, columns: Columns, index: number): At<State>
}

/** An indicator over the candles of a chart. */
export class Run<State = unknown> {
  readonly #rule: Rule<State>
  /** The state after the candle before the last one computed. */
  #before: State
  #last: State
  #size = 0
  #values: Values[] = []

  constructor(rule: Rule<State>) {
    this.#rule = rule
    this.#before = rule.initial
    this.#last = rule.initial
  }

  /** The values at each candle, oldest first. */
  get values(): readonly Values[] {
    return this.#values
  }

  /** Computes the values at all candles again. */
  set(columns: Columns): void {
    this.#before = this.#last = this.#rule.initial
    this.#size = 0
    this.#values = []
    this.update(columns)
  }

  /** Called when the last candle has changed, or new ones have been added. */
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

/** For a rule without a state: the values at a candle from the columns alone. */
export function stateless(valuesAt: (columns: Columns, index: number) => Values): Rule<undefined> {
  return {
    initial: undefined,
    next: (_state, columns, index) => ({ state: undefined, values: valuesAt(columns, index) }),
  }
}
