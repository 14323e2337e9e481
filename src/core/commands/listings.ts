/** Commands of operators on assets and symbols: listings, their terms, and the permitted operations. */
import { SYMBOL_STATES } from '../../units/order-enums.ts'
import type { Rate } from '../../units/quantities.ts'
import { object, text, uint, word } from '../../units/shapes/shape.ts'
import { ASSET_AMENDMENT, INCREMENTS_AMENDMENT, SYMBOL_AMENDMENT } from '../registry/amendments.ts'
import { ASSET_FLAGS, ASSET_TERMS, SYMBOL_TERMS } from '../registry/terms.ts'
import { type CommandIn, operatorRows } from './row.ts'

export const LISTING_ROWS = operatorRows({
  ListAsset: {
    code: 6,
    fields: ASSET_TERMS,
  },
  SetAssetFlags: { code: 7, fields: { code: text(), flags: object(ASSET_FLAGS) } },
  ListSymbol: {
    code: 8,
    fields: { base: text(), quote: text(), terms: object(SYMBOL_TERMS) },
    later: { code: 84, fields: { binanceName: text() } },
  },
  SetSymbolState: { code: 9, fields: { symbol: text(), state: word(SYMBOL_STATES) } },
  SetSymbolRates: { code: 10, fields: { symbol: text(), makerRate: uint<Rate>(), takerRate: uint<Rate>() } },
  SetAssetTerms: { code: 19, fields: { code: text(), ...ASSET_AMENDMENT } },
  SetSymbolTerms: { code: 20, fields: { symbol: text(), ...SYMBOL_AMENDMENT } },
  SetSymbolIncrements: {
    code: 59,
    fields: { symbol: text(), ...INCREMENTS_AMENDMENT },
  },
})

type In<Kind extends keyof typeof LISTING_ROWS> = CommandIn<typeof LISTING_ROWS, Kind>

/** Lists the asset `code` (1 to 16 of A-Z, 0-9), with `fraction` decimals in the ledger. */
export interface ListAsset extends In<'ListAsset'> {}

export interface SetAssetFlags extends In<'SetAssetFlags'> {}

export interface SetAssetTerms extends In<'SetAssetTerms'> {}

/**
 * Opens a market `base`/`quote`, in state TRADING. Clients of Binance know it by both codes joined, or by
 * `binanceName`, 1 to 32 of A-Z, 0-9.
 */
export interface ListSymbol extends In<'ListSymbol'> {}

/**
 * Sets the state of a symbol. Canceling works in every state; a symbol can be delisted only without open
 * orders.
 */
export interface SetSymbolState extends In<'SetSymbolState'> {}

/** Sets the commission of trades from now on, also for resting orders. */
export interface SetSymbolRates extends In<'SetSymbolRates'> {}

export interface SetSymbolTerms extends In<'SetSymbolTerms'> {}

/** Sets the increments of prices and quantities of new orders. Open orders stay as they are. */
export interface SetSymbolIncrements extends In<'SetSymbolIncrements'> {}

export type ListingCommand = CommandIn<typeof LISTING_ROWS>
