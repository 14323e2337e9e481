/** A page of an account's positions, each with the market of its valuation; pure, for stores of history. */

import type { PositionPage } from '../../port/ports.ts'
import type { PositionRange } from '../history.ts'
import type { AssetPosition } from './position.ts'
import type { PositionBook } from './position-book.ts'

/**
 * `stored`: positions in the order of assets, at most one more than `limit`; the positions in the book are
 * newer.
 */
export function positionPage(
  { accountId, from, limit }: PositionRange,
  stored: readonly AssetPosition[],
  book: PositionBook,
): PositionPage {
  const byAsset = new Map(stored.map((position) => [position.assetId, position]))
  for (const position of book.kept(accountId)) {
    if (position.assetId >= from) byAsset.set(position.assetId, position)
  }
  const found = [...byAsset.values()].sort((a, b) => a.assetId - b.assetId)
  const positions = found.slice(0, limit).map((position) => {
    const own = book.markets.own(position.assetId)
    return { ...position, own: own && { symbolId: own.terms.id, lastPrice: own.lastPrice } }
  })
  return { positions, next: found[limit]?.assetId }
}
