/**
 * A book, trades and matches kept from stream messages alone, as docs/reference/stream.md#keeping-a-book
 * specifies; a message that the page does not allow is an error.
 */
import { type Exact, numberText } from './exact-json.ts'

export type Levels = Readonly<Record<string, number>>
export type Trade = { readonly price: number; readonly quantity: number; readonly timestamp: number }
export type Match = Trade & { readonly id: string; readonly takerId: string }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FAULTS_MAX = 20

export class KeptBook {
  readonly faults: string[] = []
  /** The trades since the last join, oldest first; preceded by those of the first `trades` message. */
  trades: Trade[] = []
  readonly matches: Match[] = []
  /** Number of complete books received. */
  snapshots = 0
  /** Number of messages received. */
  messages = 0
  #sell = new Map<string, number>()
  #buy = new Map<string, number>()
  #isAwaitingTrades = false
  /** Matches whose trades have not been published yet. */
  #untold: Match[] = []

  /** Processes one message; its numbers are JavaScript numbers. */
  take(event: string, payload: Exact): void {
    this.messages++
    if (this.#isAwaitingTrades && event !== 'trades') this.#fault(`${event} between orders and trades`)
    switch (event) {
      case 'orders':
        this.#takeOrders(payload)
        break
      case 'trades':
        this.#takeTrades(payload)
        break
      case 'matched_order':
        this.#takeMatch(payload)
        break
      case 'sell_order_update':
        this.#takeUpdate(event, this.#sell, payload)
        break
      case 'buy_order_update':
        this.#takeUpdate(event, this.#buy, payload)
        break
      default:
        this.#fault(`${event} ${JSON.stringify(payload)}`)
    }
    this.#refuseCrossed(event)
  }

  /** Both sides, best first, one line for each level: equal books have equal texts. */
  text(): string {
    return bookText(Object.fromEntries(this.#sell), Object.fromEntries(this.#buy))
  }

  #takeOrders(payload: Exact): void {
    this.#expectFields('orders', payload, ['buy', 'sell'])
    this.snapshots++
    this.#isAwaitingTrades = true
    this.#untold = []
    this.#sell = new Map()
    this.#buy = new Map()
    this.#change('orders', this.#sell, payload.sell, 1)
    this.#change('orders', this.#buy, payload.buy, 1)
  }

  #takeUpdate(event: string, side: Map<string, number>, levels: Levels): void {
    if (Object.keys(levels).length === 0) this.#fault(`an empty ${event}`)
    if (this.#untold.length > 0) this.#fault(`${event} between matched_order and trades`)
    this.#change(event, side, levels, 0)
  }

  #change(event: string, side: Map<string, number>, levels: Levels, above: number): void {
    for (const [price, quantity] of Object.entries(levels)) {
      const isGood = /^\d+(?:\.\d+)?$/.test(price) && Number.isFinite(quantity) && quantity >= 0
      if (!isGood || (above > 0 && quantity === 0)) this.#fault(`${event} has ${price}: ${quantity}`)
      if (quantity === 0) side.delete(price)
      else side.set(price, quantity)
    }
  }

  #takeTrades(list: Exact): void {
    for (const trade of list) this.#expectFields('trade', trade, ['price', 'quantity', 'timestamp'])
    const oldestFirst: Trade[] = list.toReversed()
    if (this.#isAwaitingTrades) {
      this.#isAwaitingTrades = false
      this.trades = oldestFirst
      return
    }
    if (list.length === 0) this.#fault('an empty trades')
    const reported = oldestFirst.map(tradeText).join()
    const matched = this.#untold.map(tradeText).join()
    if (reported !== matched) this.#fault(`trades ${reported} after matches ${matched}`)
    this.#untold = []
    this.trades.push(...oldestFirst)
  }

  #takeMatch(match: Exact): void {
    this.#expectFields('matched_order', match, ['id', 'price', 'quantity', 'takerId', 'timestamp'])
    if (!UUID.test(match.id) || !UUID.test(match.takerId))
      this.#fault(`match of ${match.id}, ${match.takerId}`)
    this.matches.push(match)
    this.#untold.push(match)
  }

  #refuseCrossed(event: string): void {
    const bid = Math.max(...[...this.#buy.keys()].map(Number))
    const ask = Math.min(...[...this.#sell.keys()].map(Number))
    if (bid >= ask) this.#fault(`crossed after ${event}: bid ${bid}, ask ${ask}`)
  }

  #expectFields(what: string, value: object, fields: readonly string[]): void {
    if (Object.keys(value).sort().join() !== fields.join()) this.#fault(`${what} ${JSON.stringify(value)}`)
  }

  #fault(description: string): void {
    if (this.faults.length < FAULTS_MAX) this.faults.push(description)
  }
}

export function tradeText({ price, quantity, timestamp }: Trade): string {
  return `${quantity} at ${price} (${timestamp})`
}

/** The expected `KeptBook.text`, from the order book over HTTP with exact numbers. */
export function depthText({ sell, buy }: Exact): string {
  const plainly = (levels: Record<string, unknown>): Levels =>
    Object.fromEntries(
      Object.entries(levels).map(([price, quantity]) => [price, Number(numberText(quantity))]),
    )
  return bookText(plainly(sell), plainly(buy))
}

function bookText(sell: Levels, buy: Levels): string {
  const lines = (levels: Levels, sign: number) =>
    Object.entries(levels)
      .sort(([a], [b]) => sign * (Number(a) - Number(b)))
      .map(([price, quantity]) => `${price} ${quantity}`)
  return ['sell', ...lines(sell, 1), 'buy', ...lines(buy, -1)].join('\n')
}
