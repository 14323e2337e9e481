/**
 * Exact sums and products of decimals written as texts, in the exchange's notation. ccxt's own `Precise` is
 * not passed to a factory, and is not accessed.
 */

const FORM = /^(-?)(\d+)(?:\.(\d+))?$/

function parse(text) {
  const match = FORM.exec(text)
  if (match === null) throw new TypeError(`expected a plain decimal, found ${JSON.stringify(text)}`)
  const [, sign, whole, fraction = ''] = match
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

function format(digits, scale) {
  const isNegative = digits < 0n
  const text = (isNegative ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/0+$/, '')
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The sum of decimals, exact and without trailing zeros. */
export function sum(...texts) {
  const values = texts.map(parse)
  const scale = Math.max(0, ...values.map((value) => value.scale))
  const total = values.reduce(
    (before, value) => before + value.digits * 10n ** BigInt(scale - value.scale),
    0n,
  )
  return format(total, scale)
}

/** `left` less `right`, exact. */
export function difference(left, right) {
  return sum(left, right.startsWith('-') ? right.slice(1) : `-${right}`)
}

/** The product of two decimals, exact. */
export function product(left, right) {
  const [first, second] = [parse(left), parse(right)]
  return format(first.digits * second.digits, first.scale + second.scale)
}

/** 10 to the power of minus `decimals`, as a text: `0.01` for 2, `1` for 0. */
export function unitOf(decimals) {
  return format(1n, decimals)
}
