/** Averages of the close: simple, exponential, and Bollinger's bands around the simple one. */
import { type Rule, stateless } from './indicator.ts'

/**
 * The mean of the last `length` closes. The sum is computed again at each candle, so that no error
 * accumulates.
 */
export function sma(length: number): Rule<undefined> {
  return stateless(({ close }, index) => [mean(close, index, length)])
}

/**
 * The mean, and `width` standard deviations (of the population) above and below it. Order: middle, upper,
 * lower.
 */
export function bollinger(length: number, width: number): Rule<undefined> {
  return stateless(({ close }, index) => {
    const middle = mean(close, index, length)
    let squares = 0
    for (let place = index - length + 1; place <= index; place++)
      squares += ((close[place] ?? Number.NaN) - middle) ** 2
    const away = width * Math.sqrt(squares / length)
    return [middle, middle + away, middle - away]
  })
}

/** State of an exponential average: `value` is NaN for the first `length` - 1 numbers. */
export type Average = { readonly count: number; readonly sum: number; readonly value: number }

export const NO_AVERAGE: Average = { count: 0, sum: 0, value: Number.NaN }

/**
 * The average with one more number: the first value is the mean of `length` numbers, each later one moves by
 * `share` of the distance to the new number.
 */
export function averaged(
  { count, sum, value }: Average,
  number: number,
  length: number,
  share: number,
): Average {
  if (count < length) {
    const total = sum + number
    return { count: count + 1, sum: total, value: count + 1 === length ? total / length : Number.NaN }
  }
  return { count, sum, value: value + share * (number - value) }
}

/** The share of the distance by which an exponential average of `length` candles moves. */
export function shareOf(length: number): number {
  return 2 / (length + 1)
}

export function ema(length: number): Rule<Average> {
  return {
    initial: NO_AVERAGE,
    next: (before, { close }, index) => {
      const state = averaged(before, close[index] ?? Number.NaN, length, shareOf(length))
      return { state, values: [state.value] }
    },
  }
}

/** NaN if there are too few numbers. */
function mean(numbers: readonly number[], index: number, length: number): number {
  let sum = 0
  for (let place = index - length + 1; place <= index; place++) sum += numbers[place] ?? Number.NaN
  return sum / length
}
