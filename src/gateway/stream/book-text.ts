/**
 * The text of whole books, kept piece by piece: what did not change since the last newcomer is not written again.
 * Writing out 100,000 levels takes 100 ms and more; joining their pieces takes about one (`npm run bench -- stream`).
 */
import type { DepthView } from '../../views/depth.ts'
import type { DepthPiece } from '../../views/ladder.ts'
import { levelMembersJson, type MarketDecimals } from '../../wire/market-data.ts'

export class BookText {
  /** As old pieces are forgotten by the depth, so are their texts. */
  readonly #textByPiece = new WeakMap<DepthPiece, string>()

  /**
   * `{"sell":{...},"buy":{...}}`, all levels, best first (docs/reference/stream.md#events-from-the-server). A depth always
   * comes with the same decimals.
   */
  of(depth: DepthView, decimals: MarketDecimals): string {
    const sell = this.#members(depth.pieces('SELL'), decimals)
    const buy = this.#members(depth.pieces('BUY'), decimals)
    return `{"sell":{${sell}},"buy":{${buy}}}`
  }

  #members(pieces: readonly DepthPiece[], decimals: MarketDecimals): string {
    let members = ''
    for (const piece of pieces)
      members += members === '' ? this.#text(piece, decimals) : `,${this.#text(piece, decimals)}`
    return members
  }

  #text(piece: DepthPiece, decimals: MarketDecimals): string {
    let text = this.#textByPiece.get(piece)
    if (text === undefined) {
      text = levelMembersJson(piece.levels(), decimals)
      this.#textByPiece.set(piece, text)
    }
    return text
  }
}
