/** Commands of operators on assets and symbols: what is listed, under which terms, and what may be done with it. */
import type { SymbolState } from '../../../units/order-words.ts'
import type { Amount, Decimals, Rate } from '../../../units/quantities.ts'
import type { AssetAmendment, IncrementsAmendment, SymbolAmendment } from '../../registry/amendments.ts'
import type { AssetFlags, SymbolTerms } from '../../registry/terms.ts'
import type { Operator } from './operator.ts'

/** Makes `code` (1 to 16 of A-Z, 0-9) known, with `fraction` decimals in the ledger. */
export type ListAsset = {
  readonly kind: 'ListAsset'
  readonly operator: Operator
  readonly code: string
  readonly name: string
  readonly fraction: Decimals
  readonly flags: AssetFlags
  /** Most that may ever be in the exchange at a time; 0 means `AMOUNT_MAX`. */
  readonly supplyCap: Amount
}

export type SetAssetFlags = {
  readonly kind: 'SetAssetFlags'
  readonly operator: Operator
  readonly code: string
  readonly flags: AssetFlags
}

export type SetAssetTerms = {
  readonly kind: 'SetAssetTerms'
  readonly operator: Operator
  readonly code: string
} & AssetAmendment

/** Opens a market `base`/`quote`, in state TRADING. */
export type ListSymbol = {
  readonly kind: 'ListSymbol'
  readonly operator: Operator
  readonly base: string
  readonly quote: string
  readonly terms: SymbolTerms
}

/** Says in which state a symbol is. Cancelling works in all of them; to be delisted it must have no open order. */
export type SetSymbolState = {
  readonly kind: 'SetSymbolState'
  readonly operator: Operator
  readonly symbol: string
  readonly state: SymbolState
}

/** Sets the commission of trades from now on, of resting orders as well. */
export type SetSymbolRates = {
  readonly kind: 'SetSymbolRates'
  readonly operator: Operator
  readonly symbol: string
  readonly makerRate: Rate
  readonly takerRate: Rate
}

export type SetSymbolTerms = {
  readonly kind: 'SetSymbolTerms'
  readonly operator: Operator
  readonly symbol: string
} & SymbolAmendment

/** Sets what prices and quantities of new orders are multiples of. Open orders stay as they are. */
export type SetSymbolIncrements = {
  readonly kind: 'SetSymbolIncrements'
  readonly operator: Operator
  readonly symbol: string
} & IncrementsAmendment

export type ListingCommand =
  | ListAsset
  | SetAssetFlags
  | SetAssetTerms
  | ListSymbol
  | SetSymbolState
  | SetSymbolRates
  | SetSymbolTerms
  | SetSymbolIncrements
