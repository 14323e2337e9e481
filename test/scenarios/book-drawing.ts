/**
 * A book as a drawing: asks above the line, worst first, bids below it, best first; at one price the oldest
 * order first.
 *
 *     ask 101.00 | 1 ben, 2 cleo
 *     ask 100.00 | 1 cleo
 *     ----------
 *     bid  99.00 | 3 ann
 */
import type { Side } from '../../src/units/order-enums.ts'

/** One order of a drawing, in a trader's decimals. */
export type DrawnOrder = {
  readonly side: Side
  readonly price: string
  readonly quantity: string
  readonly who: string
}

const LINE = '----------'
const LEVEL = /^(ask|bid) +([\d.]+) \| (.+)$/
const ORDER = /^([\d.]+) (\w+)$/

/**
 * The orders of a drawing, in the order in which they must be placed to produce it. Throws if the text is not
 * a drawing.
 */
export function parseBook(lines: readonly string[]): DrawnOrder[] {
  if (lines.filter((line) => line === LINE).length !== 1)
    throw new Error(`expected one line ${LINE} in a book`)
  const middle = lines.indexOf(LINE)
  return lines.flatMap((line, at) => {
    if (at === middle) return []
    const [, word, price, orders] = LEVEL.exec(line) ?? []
    const isInPlace = (word === 'ask') === at < middle
    if (price === undefined || orders === undefined || !isInPlace)
      throw new Error(`no level of a book: ${line}`)
    return orders.split(', ').map((text) => {
      const [, quantity, who] = ORDER.exec(text) ?? []
      if (quantity === undefined || who === undefined) throw new Error(`no order of a book: ${text}`)
      return { side: word === 'ask' ? 'SELL' : 'BUY', price, quantity, who } as const
    })
  })
}

/** Draws orders, given oldest first. */
export function drawBook(orders: readonly DrawnOrder[]): string[] {
  const draw = (side: Side): string[] => {
    const ofSide = orders.filter((order) => order.side === side)
    const prices = [...new Set(ofSide.map(({ price }) => price))].sort((a, b) => Number(b) - Number(a))
    const word = side === 'SELL' ? 'ask' : 'bid'
    return prices.map((price) => {
      const level = ofSide.filter((order) => order.price === price)
      return `${word} ${price} | ${level.map(({ quantity, who }) => `${quantity} ${who}`).join(', ')}`
    })
  }
  return [...draw('SELL'), LINE, ...draw('BUY')]
}
