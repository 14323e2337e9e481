/**
 * Orders given to the exchange. A command is what the journal keeps: with the same commands in the same order,
 * at the same times, every replica reaches the same state. Names and codes (codec) are never reused.
 */
import type { AccountId, OrderNumber, SymbolId } from '../../units/ids.ts'
import type {
  Bucket,
  OrderType,
  Permission,
  SelfTradeMode,
  Side,
  SymbolState,
  TimeInForce,
} from '../../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, Rate, TimeMs } from '../../units/quantities.ts'
import type { AssetFlags, SymbolTerms } from '../registry/terms.ts'
import type { Administration } from './operators/administration.ts'

export type { AssetFlags, SymbolTerms }

/** Who gave an operator's command and why; kept in the journal as the audit trail. Each at most `TEXT_MAX`. */
export type Operator = { readonly actor: string; readonly note: string }

/** Makes `code` (1 to 16 of A-Z, 0-9) known, with `fraction` decimals in the ledger. */
export type ListAsset = {
  readonly kind: 'ListAsset'
  readonly operator: Operator
  readonly code: string
  readonly name: string
  readonly fraction: Decimals
  readonly flags: AssetFlags
  /** Most that may ever be in the exchange at a time; 0n means `AMOUNT_MAX`. */
  readonly supplyCap: Amount
}

export type SetAssetFlags = {
  readonly kind: 'SetAssetFlags'
  readonly operator: Operator
  readonly code: string
  readonly flags: AssetFlags
}

/** Opens a market `base`/`quote`, in state TRADING. */
export type ListSymbol = {
  readonly kind: 'ListSymbol'
  readonly operator: Operator
  readonly base: string
  readonly quote: string
  readonly terms: SymbolTerms
}

/** Says in which state a symbol is. Cancelling works in all of them; to be delisted its book must be empty. */
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

/** Creates an account; `name` (1 to `TEXT_MAX`) is unique. */
export type CreateAccount = {
  readonly kind: 'CreateAccount'
  readonly operator: Operator
  readonly name: string
}

/** Gives an account a key. The secret is sealed (encrypted) before it comes here; the core never opens it. */
export type CreateApiKey = {
  readonly kind: 'CreateApiKey'
  readonly operator: Operator
  readonly accountId: AccountId
  /** What clients send as `X-Apikey`; unique. */
  readonly apiKey: string
  readonly sealedSecret: Uint8Array
  readonly permissions: readonly Permission[]
  /** Addresses and CIDR ranges it may be used from; empty: from anywhere. Checked for form at the border. */
  readonly addresses: readonly string[]
  readonly label: string
}

export type SetApiKeyEnabled = {
  readonly kind: 'SetApiKeyEnabled'
  readonly operator: Operator
  readonly apiKey: string
  readonly enabled: boolean
}

/** Money comes in from the outside world, into `free`. The reference makes a repeat a no-op. */
export type Credit = {
  readonly kind: 'Credit'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly asset: string
  readonly amount: Amount
  readonly reference: string
}

/** Money leaves for the outside world, from `free`. The reference makes a repeat a no-op. */
export type Debit = {
  readonly kind: 'Debit'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly asset: string
  readonly amount: Amount
  readonly reference: string
}

/** Moves money between `free`, `freeze` and `savings` of one account; `locked` belongs to open orders alone. */
export type MoveBetweenBuckets = {
  readonly kind: 'MoveBetweenBuckets'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly asset: string
  readonly from: Exclude<Bucket, 'locked'>
  readonly to: Exclude<Bucket, 'locked'>
  readonly amount: Amount
  readonly reference: string
}

/**
 * A new order. Which of price, quantity and total are given depends on type and side (interface 4.3); absent
 * ones are undefined. The border has checked their form; the core checks everything again that can cost money.
 */
export type PlaceOrder = {
  readonly kind: 'PlaceOrder'
  readonly accountId: AccountId
  readonly symbolId: SymbolId
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly price: Price | undefined
  readonly quantity: Lots | undefined
  /** In ledger units of the quote asset. */
  readonly total: Amount | undefined
  /** Undefined: what the symbol says. */
  readonly selfTradeMode: SelfTradeMode | undefined
  /** Reserved for idempotent placement; carried, journaled, not yet given a meaning. */
  readonly clientReference: string | undefined
}

/** Takes an open order from the book. `orderTime` comes from the order's UUID and must be the order's own. */
export type CancelOrder = {
  readonly kind: 'CancelOrder'
  readonly accountId: AccountId
  readonly orderNumber: OrderNumber
  readonly orderTime: TimeMs
}

/** From here on the journal is read under the rules of `version`; a core that lacks them refuses to go on. */
export type SetRulesVersion = {
  readonly kind: 'SetRulesVersion'
  readonly operator: Operator
  readonly version: number
}

export type Command =
  | ListAsset
  | SetAssetFlags
  | ListSymbol
  | SetSymbolState
  | SetSymbolRates
  | CreateAccount
  | CreateApiKey
  | SetApiKeyEnabled
  | Credit
  | Debit
  | MoveBetweenBuckets
  | PlaceOrder
  | CancelOrder
  | SetRulesVersion
  | Administration

/** The commands that say who gave them and why: all but those of traders. */
export type OperatorCommand = Exclude<Command, PlaceOrder | CancelOrder>

export type CommandKind = Command['kind']
