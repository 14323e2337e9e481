/**
 * The text of a book's sides, kept in pieces: pieces that are unchanged since the last new member are not
 * written again. Writing 100,000 levels takes 100 ms and more; joining their pieces takes about one
 * (`npm run bench -- stream`).
 */

import type { MarketDecimals, PriceLevel } from '../../contract/api/market-data.ts'
import type { Side } from '../../units/order-enums.ts'
import type { DepthView } from '../../views/depth.ts'
import type { DepthPiece } from '../../views/ladder.ts'

/** Writes some levels: the texts of all of them, joined by commas, are the text of a side. */
type WriteLevels = (levels: readonly PriceLevel[], decimals: MarketDecimals) => string

export class BookText {
  readonly #write: WriteLevels
  /** When the depth drops old pieces, their texts are dropped too. */
  readonly #textByPiece = new WeakMap<DepthPiece, string>()

  constructor(write: WriteLevels) {
    this.#write = write
  }

  /** All levels of a side, best first. `decimals` must be the same in every call for a depth. */
  side(depth: DepthView, side: Side, decimals: MarketDecimals): string {
    let levels = ''
    for (const piece of depth.pieces(side))
      levels += levels === '' ? this.#text(piece, decimals) : `,${this.#text(piece, decimals)}`
    return levels
  }

  #text(piece: DepthPiece, decimals: MarketDecimals): string {
    let text = this.#textByPiece.get(piece)
    if (text === undefined) {
      text = this.#write(piece.levels(), decimals)
      this.#textByPiece.set(piece, text)
    }
    return text
  }
}
