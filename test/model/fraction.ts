/**
 * Exact rational numbers. The reference exchange counts in whole assets, as a trader would on paper, and
 * every figure is a fraction of two integers of any size: no scale can be wrong, and no figure can overflow.
 */

export class Fraction {
  static readonly ZERO = new Fraction(0n, 1n)

  readonly numerator: bigint
  /** Above 0, without a common divisor with the numerator. */
  readonly denominator: bigint

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator
    this.denominator = denominator
  }

  /** `numerator` / `denominator`. Throws a `RangeError` if the denominator is 0. */
  static of(numerator: bigint | number, denominator: bigint | number = 1n): Fraction {
    const above = BigInt(numerator)
    const below = BigInt(denominator)
    if (below === 0n) throw new RangeError('a fraction cannot have the denominator 0')
    if (below === 1n || above === 0n) return new Fraction(above, 1n)
    const common = greatestCommonDivisor(above, below)
    const sign = below < 0n ? -1n : 1n
    return new Fraction((sign * above) / common, (sign * below) / common)
  }

  /** `units` of 10^-`places`. */
  static decimal(units: bigint | number, places: number): Fraction {
    return Fraction.of(units, powerOfTen(places))
  }

  plus(other: Fraction): Fraction {
    if (other.numerator === 0n) return this
    if (this.numerator === 0n) return other
    const above = this.numerator * other.denominator + other.numerator * this.denominator
    return Fraction.of(above, this.denominator * other.denominator)
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.numerator, other.denominator))
  }

  times(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.numerator, this.denominator * other.denominator)
  }

  over(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.denominator, this.denominator * other.numerator)
  }

  /** -1, 0 or 1. */
  compare(other: Fraction): number {
    const difference = this.numerator * other.denominator - other.numerator * this.denominator
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }

  isBelow(other: Fraction): boolean {
    return this.compare(other) < 0
  }

  equals(other: Fraction): boolean {
    return this.compare(other) === 0
  }

  get isPositive(): boolean {
    return this.numerator > 0n
  }

  /** The largest integer that is at most this number. */
  floor(): bigint {
    const whole = this.numerator / this.denominator
    return this.numerator < 0n && whole * this.denominator !== this.numerator ? whole - 1n : whole
  }

  /** The smallest integer that is at least this number. */
  ceil(): bigint {
    return -new Fraction(-this.numerator, this.denominator).floor()
  }

  /** The largest multiple of 10^-`places` that is at most this number. */
  roundedDown(places: number): Fraction {
    return Fraction.decimal(this.units(places).floor(), places)
  }

  /** The smallest multiple of 10^-`places` that is at least this number. */
  roundedUp(places: number): Fraction {
    return Fraction.decimal(this.units(places).ceil(), places)
  }

  /** The nearest multiple of 10^-`places`; of two equally near ones, the higher one. */
  roundedHalfUp(places: number): Fraction {
    return Fraction.decimal(this.units(places).plus(Fraction.of(1n, 2n)).floor(), places)
  }

  /** The number in units of 10^-`places`; a fraction if it has more decimals than that. */
  units(places: number): Fraction {
    return this.times(new Fraction(powerOfTen(places), 1n))
  }

  /** The number in units of 10^-`places`, which must be whole. */
  wholeUnits(places: number): bigint {
    if (this.numerator === 0n) return 0n
    const above = this.numerator * powerOfTen(places)
    if (this.denominator === 1n) return above
    if (above % this.denominator !== 0n) throw new RangeError(`${this} is no whole number of 10^-${places}`)
    return above / this.denominator
  }

  toString(): string {
    return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`
  }
}

export function smallest(first: Fraction, ...others: readonly Fraction[]): Fraction {
  return others.reduce((least, other) => (other.isBelow(least) ? other : least), first)
}

/** The powers computed so far, by exponent: each figure of each step needs one. */
const POWERS_OF_TEN: bigint[] = []

function powerOfTen(exponent: number): bigint {
  POWERS_OF_TEN[exponent] ??= 10n ** BigInt(exponent)
  return POWERS_OF_TEN[exponent]
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x === 0n ? 1n : x
}
