/**
 * Exact integers of any size: a `number` for a magnitude of up to 2^53-1, a `bigint` beyond. Nearly all sums
 * of an exchange are small, and a number costs a fifth of a bigint, which is allocated for every result
 * (`npm run bench -- core`). Every result of these functions is in the one form for its size; operands may be
 * in either form.
 */

export type Whole = number | bigint

const MAX = Number.MAX_SAFE_INTEGER
const MAX_BIGINT = BigInt(MAX)

/** `value` in the form for its size. */
export function wholeOf(value: bigint): Whole {
  return value <= MAX_BIGINT && value >= -MAX_BIGINT ? Number(value) : value
}

/** The same number as a `bigint`. */
export function bigintOf(value: Whole): bigint {
  if (typeof value === 'bigint') return value
  return value === 0 ? 0n : BigInt(value)
}

function inItsForm(value: Whole): Whole {
  return typeof value === 'bigint' ? wholeOf(value) : value
}

export function add(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (sum <= MAX && sum >= -MAX) return sum
  }
  return wholeOf(bigintOf(a) + bigintOf(b))
}

export function subtract(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (difference <= MAX && difference >= -MAX) return difference
  }
  return wholeOf(bigintOf(a) - bigintOf(b))
}

/** `a` x `b`, both at least 0. */
export function multiply(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (product <= MAX) return product
  } else if (b === 1) {
    return inItsForm(a)
  }
  return wholeOf(bigintOf(a) * bigintOf(b))
}

/** `a` / `b` rounded down; `a` at least 0, `b` above 0. */
export function divideDown(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    // The quotient may have been rounded up to an integer that the exact one does not reach.
    const quotient = Math.floor(a / b)
    return quotient * b > a ? quotient - 1 : quotient
  }
  if (b === 1) return inItsForm(a)
  return wholeOf(bigintOf(a) / bigintOf(b))
}

/** `a` / `b` rounded up; `a` at least 0, `b` above 0. */
export function divideUp(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    // As in `divideDown`, but a quotient that was rounded up to an integer is the right result.
    const quotient = Math.floor(a / b)
    return quotient * b < a ? quotient + 1 : quotient
  }
  if (b === 1) return inItsForm(a)
  const down = divideDown(a, b)
  return subtract(a, multiply(down, b)) === 0 ? down : add(down, 1)
}

/** The remainder of `a` / `b`; `a` at least 0, `b` above 0. */
export function remainder(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') return a % b
  return wholeOf(bigintOf(a) % bigintOf(b))
}

export function isLess(a: Whole, b: Whole): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  return bigintOf(a) < bigintOf(b)
}
