/**
 * A trade's places in the lists that it belongs to, for stores that keep it once and link it to the trade before it in
 * each: in the public list of its symbol, and, for each party, in the list of the account and in that of account and symbol.
 */
import type { HistoryTrade } from './history.ts'

/** The number in a list, from 1, and the trade of the number before; 0: it is the first. */
export type Link = { readonly n: number; readonly before: number }

export type PartyLinks = { readonly ofAccount: Link; readonly ofSymbol: Link }

export type LinkedTrade = {
  readonly trade: HistoryTrade
  readonly ofSymbol: Link
  readonly maker: PartyLinks
  readonly taker: PartyLinks
}
