/**
 * Exact decimals for prices, quantities and totals: an integer and the position of its point. Inexact
 * operations, such as quotients, do not exist; rounding is always explicit.
 */
import { parseDecimal, plainDecimal } from '../units/decimal.ts'
import type { Decimals } from '../units/quantities.ts'

const FORM = /^-?\d+(?:\.\d+)?$/

export class Decimal {
  /** In units of 10^-`places`. */
  readonly #units: bigint
  readonly #places: number

  private constructor(units: bigint, places: number) {
    this.#units = units
    this.#places = places
  }

  /**
   * `12`, `-0.5`: digits with an optional fraction and sign, at most 128 characters; otherwise a RangeError.
   */
  static from(value: string | bigint | Decimal): Decimal {
    if (value instanceof Decimal) return value
    const text = String(value)
    if (!FORM.test(text)) throw new RangeError(`expected a decimal such as 12.5, found ${text.slice(0, 40)}`)
    const isNegative = text.startsWith('-')
    const digits = isNegative ? text.slice(1) : text
    const point = digits.indexOf('.')
    const places = point < 0 ? 0 : digits.length - point - 1
    const units = parseDecimal(digits, places as Decimals)
    if (typeof units === 'string') throw new RangeError(`expected a decimal of at most 128 characters`)
    return new Decimal(isNegative ? -units : units, places)
  }

  plus(other: string | bigint | Decimal): Decimal {
    const to = Decimal.from(other)
    const places = Math.max(this.#places, to.#places)
    return new Decimal(this.#at(places) + to.#at(places), places)
  }

  minus(other: string | bigint | Decimal): Decimal {
    return this.plus(Decimal.from(other).negated())
  }

  times(other: string | bigint | Decimal): Decimal {
    const by = Decimal.from(other)
    return new Decimal(this.#units * by.#units, this.#places + by.#places)
  }

  negated(): Decimal {
    return new Decimal(-this.#units, this.#places)
  }

  /** Below 0 if this is less than the other, 0 if equal, above 0 if greater. */
  compare(other: string | bigint | Decimal): -1 | 0 | 1 {
    const to = Decimal.from(other)
    const places = Math.max(this.#places, to.#places)
    const [a, b] = [this.#at(places), to.#at(places)]
    return a < b ? -1 : a > b ? 1 : 0
  }

  /** The largest multiple of `step` that is not above this; `step` must be above zero. */
  roundedDownTo(step: string | bigint | Decimal): Decimal {
    const size = Decimal.from(step)
    if (size.#units <= 0n) throw new RangeError(`expected a step above zero, found ${size}`)
    const places = Math.max(this.#places, size.#places)
    const [units, unit] = [this.#at(places), size.#at(places)]
    const rest = ((units % unit) + unit) % unit
    return new Decimal(units - rest, places)
  }

  /** Plain digits without trailing zeros, never an exponent. */
  toString(): string {
    return plainDecimal(this.#units, this.#places as Decimals)
  }

  toJSON(): string {
    return this.toString()
  }

  #at(places: number): bigint {
    return this.#units * 10n ** BigInt(places - this.#places)
  }
}
