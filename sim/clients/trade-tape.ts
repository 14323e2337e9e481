/**
 * The trades of one symbol as a stream client receives them: the list on joining, then each match and the
 * list that follows it. They are compared with the second bookkeeper's trades.
 */
import type { TradingSymbol } from '../../src/core/registry/records.ts'
import { uuidOf } from '../../src/units/ids.ts'
import { demand, type ShadowParty, type ShadowState, type ShadowTrade } from '../checkers/shadow-state.ts'

export type PublicTradeMessage = {
  readonly quantity: number
  readonly price: number
  readonly timestamp: number
}
export type MatchMessage = PublicTradeMessage & { readonly id: string; readonly takerId: string }

export class TradeTape {
  readonly #listedAtLeast: number
  /** Oldest first. */
  #trades: PublicTradeMessage[] = []
  /** The trades in `#trades` that were also published as matches, oldest first. */
  #matches: MatchMessage[] = []

  /** A new client gets at least `listedAtLeast` trades, if there are that many. */
  constructor(listedAtLeast: number) {
    this.#listedAtLeast = listedAtLeast
  }

  /** Must be called with the list that comes with a complete book, newest first. */
  begin(newestFirst: readonly PublicTradeMessage[]): void {
    this.#trades = newestFirst.toReversed()
    this.#matches = []
  }

  match(match: MatchMessage): void {
    this.#matches.push(match)
    this.#trades.push(match)
  }

  /** Must be called with the list that follows matches: the same trades, newest first. */
  confirm(newestFirst: readonly PublicTradeMessage[]): void {
    const matched = this.#matches.slice(-newestFirst.length).map(lineOf)
    const listed = newestFirst.toReversed().map(lineOf)
    demand(
      matched.join() === listed.join(),
      () => `the stream lists the trades ${listed.join()} after the matches ${matched.join()}`,
    )
  }

  /**
   * Checks that the received trades are the newest trades of the symbol. Must be called after everything sent
   * was read.
   */
  check(state: ShadowState, symbol: TradingSymbol): void {
    const known = state.trades.filter((trade) => trade.symbol === symbol.id)
    const least = Math.min(this.#listedAtLeast, known.length)
    demand(
      this.#trades.length >= least,
      () => `${symbol.name}: the stream published ${this.#trades.length} trades, at least ${least} expected`,
    )
    compare(symbol, this.#trades.map(lineOf), known, (trade) => lineOf(messageOf(symbol, trade)))
    compare(symbol, this.#matches.map(matchLineOf), known, (trade) => matchLineOf(messageOf(symbol, trade)))
  }
}

/** Checks that the last trades in `known` are the published ones. */
function compare(
  symbol: TradingSymbol,
  published: readonly string[],
  known: readonly ShadowTrade[],
  line: (trade: ShadowTrade) => string,
): void {
  const expected = published.length === 0 ? [] : known.slice(-published.length).map(line)
  demand(
    published.join() === expected.join(),
    () =>
      `${symbol.name}: the stream published the trades ${published.join()}, there were ${expected.join()}`,
  )
}

function messageOf(
  symbol: TradingSymbol,
  { price, quantity, time, buyer, seller }: ShadowTrade,
): MatchMessage {
  const [maker, taker] = buyer.isTaker ? [seller, buyer] : [buyer, seller]
  return {
    id: orderIdOf(maker),
    takerId: orderIdOf(taker),
    quantity: quantity / 10 ** symbol.baseFraction,
    price: price / 10 ** symbol.quoteFraction,
    timestamp: time,
  }
}

function orderIdOf({ order, orderTime }: ShadowParty): string {
  return uuidOf('order', order as never, orderTime as never)
}

function lineOf({ quantity, price, timestamp }: PublicTradeMessage): string {
  return `${quantity} at ${price}, ${timestamp}`
}

function matchLineOf(match: MatchMessage): string {
  return `${match.id} ${match.takerId} ${lineOf(match)}`
}
