/** The sample that the tool's own test breaks: small, and used by no other code. */

/** `value` / `divisor`, at least 1 each, rounded half up. */
export function roundedHalfUp(value: bigint, divisor: bigint): bigint {
  return (2n * value + divisor) / (2n * divisor)
}

/** The larger of two values. */
export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}
