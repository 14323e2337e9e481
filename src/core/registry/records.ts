/**
 * Assets, symbols, accounts and API keys: who and what the exchange knows. It holds no money and no orders.
 */
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import type { Permission, SelfTradeMode, SymbolState } from '../../units/order-words.ts'
import type { Amount, Decimals, Lots, Rate, TimeMs } from '../../units/quantities.ts'

export type Asset = {
  readonly id: AssetId
  /** 1 to 16 of A-Z, 0-9. */
  readonly code: string
  readonly name: string
  /** Decimals of the ledger. */
  readonly fraction: Decimals
  readonly isDeposit: boolean
  readonly isWithdraw: boolean
  readonly isTrade: boolean
  readonly isSaving: boolean
  /** Most that may be in the exchange at a time; 0n: `AMOUNT_MAX`. */
  readonly supplyCap: Amount
}

/** A market. Named so because `Symbol` is taken by the language. */
export type TradingSymbol = {
  readonly id: SymbolId
  /** `<BASE>/<QUOTE>`. */
  readonly name: string
  readonly base: AssetId
  readonly quote: AssetId
  readonly baseCode: string
  readonly quoteCode: string
  /** Ledger decimals of the base and of the quote asset. */
  readonly basePrecision: Decimals
  readonly quotePrecision: Decimals
  /** Decimals of a quantity. */
  readonly baseFraction: Decimals
  /** Decimals of a price. */
  readonly quoteFraction: Decimals
  readonly makerRate: Rate
  readonly takerRate: Rate
  readonly minTotal: Amount
  readonly minQuantity: Lots
  readonly selfTradeMode: SelfTradeMode
  readonly openOrdersMax: number
  readonly levelsMax: number
  readonly state: SymbolState
  /** The house's account for what rounding leaves over in this symbol. */
  readonly roundingAccountId: AccountId
}

/**
 * `outside` is the rest of the world (deposits come from it, withdrawals go to it), `fees` the house's
 * commission, `rounding` one per symbol; all others are `trader`.
 */
export type AccountRole = 'outside' | 'fees' | 'rounding' | 'trader'

export type Account = {
  readonly id: AccountId
  readonly name: string
  readonly role: AccountRole
  readonly createdAt: TimeMs
}

export type ApiKey = {
  readonly apiKey: string
  readonly accountId: AccountId
  /** AES-256-GCM under the node's master key; the core never opens it. */
  readonly sealedSecret: Uint8Array
  readonly permissions: readonly Permission[]
  /** Addresses and CIDR ranges; empty: from anywhere. */
  readonly addresses: readonly string[]
  readonly label: string
  readonly createdAt: TimeMs
  readonly enabled: boolean
}

export { FEES_ACCOUNT, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
