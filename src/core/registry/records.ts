/**
 * Assets, symbols, accounts and API keys: who and what the exchange knows. It holds no money and no orders.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AccountId, AssetId, SymbolId } from '../../units/ids.ts'
import type { AccountRestriction } from '../../units/operator-words.ts'
import type { ExchangePhase, Permission, SymbolState } from '../../units/order-words.ts'
import type { Amount, Decimals, Lots, Price, Rate, TimeMs } from '../../units/quantities.ts'
import type { AssetFlags, SymbolTerms } from './terms.ts'

export type Asset = AssetFlags & {
  readonly id: AssetId
  /** 1 to 16 of A-Z, 0-9. */
  readonly code: string
  readonly name: string
  /** Decimals of the ledger. */
  readonly fraction: Decimals
  /** Most that may be in the exchange at a time; 0: `AMOUNT_MAX`. */
  readonly supplyCap: Amount
  /** Most that one credit may bring; absent: no limit of its own. */
  readonly creditMax?: Amount
  /** Transfers to and from the outside world above it need a second person; absent: none does. */
  readonly approvalAbove?: Amount
  /** Least that a trader may ask to withdraw; absent: one unit. */
  readonly withdrawMin?: Amount
  /** Most that a trader may ask to withdraw at once; absent: no limit of its own. */
  readonly withdrawMax?: Amount
  /** How long a new address waits until money may go there; absent: `ADDRESS_DELAY_DEFAULT_MS`. */
  readonly addressDelayMs?: number
}

/** The prices that a symbol trades at, both included. A MARKET order trades no further. */
export type PriceBand = { readonly min: Price; readonly max: Price }

/**
 * What prices and quantities of orders are whole multiples of, in the symbol's smallest units; at least one of the two is above 1
 * (docs/reference/admin.md#tick-and-step).
 */
export type Increments = { readonly tickSize: Price; readonly stepSize: Lots }

/** A market. Named so because `Symbol` is taken by the language. */
export type TradingSymbol = SymbolTerms & {
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
  readonly state: SymbolState
  /** The house's account for what rounding leaves over in this symbol. */
  readonly roundingAccountId: AccountId
  /** Absent: any price. */
  readonly priceBand?: PriceBand
  /** Absent: the smallest price and the smallest quantity. */
  readonly increments?: Increments
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
  /** What an operator has forbidden it, in the order of `ACCOUNT_RESTRICTIONS`; absent: nothing. */
  readonly restrictions?: readonly AccountRestriction[]
  /** For good: it is empty, and nothing comes in any more. */
  readonly isClosed?: true
  /** Absent: the rates of the symbols. */
  readonly feeTier?: string
  /** Most open orders in a symbol, in place of the symbol's own; absent: the symbol's. */
  readonly openOrdersMax?: number
  /** What operators note of it; absent: nothing. */
  readonly profile?: AccountProfile
  /** In place of tier, limit and the symbols' own while they are in force; absent: none. */
  readonly special?: SpecialTerms
}

/** A free field of an account. */
export type ProfileField = { readonly name: string; readonly value: string }

/** What operators note of an account. */
export type AccountProfile = {
  /** In the operators' own systems; of one account alone. '': none. */
  readonly customerId: string
  /** Ascending. */
  readonly labels: readonly string[]
  /** By name, ascending. */
  readonly fields: readonly ProfileField[]
  readonly remark: string
}

/** Commission rates of one account in every symbol. */
export type SpecialRates = {
  readonly makerRate: Rate
  readonly takerRate: Rate
  /** From then on not any more; 0: without an end. */
  readonly until: TimeMs
}

/** Most open orders of one account in a symbol. */
export type SpecialOpenOrders = { readonly max: number; readonly until: TimeMs }

/** How many times as many orders as others one account may place in a window. What is counted, and up to where, is the gateway's. */
export type SpecialOrderRate = { readonly times: number; readonly until: TimeMs }

export type SpecialTerms = {
  /** Absent: those of tier and symbol. */
  readonly rates?: SpecialRates | undefined
  /** Absent: the account's or the symbol's. */
  readonly openOrders?: SpecialOpenOrders | undefined
  /** Absent: as many as others. */
  readonly orderRate?: SpecialOrderRate | undefined
}

/** A secret that was replaced and still opens until then. */
export type PreviousSecret = { readonly sealedSecret: Uint8Array; readonly until: TimeMs }

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
  /** It is refused from then on; absent: never. */
  readonly expiresAt?: TimeMs
  /** For good. */
  readonly isRevoked?: true
  readonly previousSecret?: PreviousSecret
  /** It is refused with a signature that does not name method, path and nonce; absent: any signature will do. */
  readonly strictSignature?: true
}

/** What accounts of a tier pay of a symbol's rates. */
export type FeeTier = {
  /** 1 to `NAME_MAX` of letters, digits and `._@-`. */
  readonly name: string
  /** 0 to `RATE_ONE`: the whole rate. */
  readonly makerShare: Rate
  readonly takerShare: Rate
}

/** A named way in through the admin server; only the digest of the token is known. */
export type AdminToken = {
  /** As a fee tier's; of a revoked token it stays taken, so that the audit trail names one holder. */
  readonly name: string
  /** Of those that every exchange has, or of the operators' own. */
  readonly role: string
  /** SHA-256 of the token's text. */
  readonly digest: Uint8Array
  readonly createdAt: TimeMs
  readonly isRevoked: boolean
  /** It is refused from then on; absent: never. */
  readonly expiresAt?: TimeMs
  /** Addresses and CIDR ranges; absent: from anywhere. */
  readonly addresses?: readonly string[]
}

/** A role of the operators' own. */
export type OwnRole = {
  /** 1 to `NAME_MAX` of small letters, digits and `._@-`. */
  readonly name: string
  /** In the order of their list; none: the role is gone. */
  readonly rights: readonly AdminRight[]
}

/** What the tokens of a role may move one way, in ledger units; 0: no limit. */
export type WayLimit = {
  /** With one command. */
  readonly each: Amount
  /** All together, in a day. */
  readonly day: Amount
  /** So much they have moved in the day, as far as it is limited. */
  readonly moved: Amount
}

/** What the tokens of a role may move of an asset; no limit at all: the record is gone. */
export type RoleLimit = {
  readonly role: string
  readonly assetId: AssetId
  /** From the outside world. */
  readonly in: WayLimit
  /** To the outside world. */
  readonly out: WayLimit
  /** The day of `moved`: how many had passed in 1970 and since, UTC. */
  readonly day: number
}

/** How many people beside who asks approve a transfer above its asset's threshold. */
export type ApprovalsNeeded = {
  /** Code of an asset; '': all others. */
  readonly asset: string
  /** 1 to `APPROVERS_MAX`; 0: the record is gone. */
  readonly needed: number
}

/** An address that an operator has banned from the public server. */
export type AddressBan = { readonly address: string; readonly until: TimeMs }

/** A phase of the exchange that has begun or is planned. */
export type PhaseChange = {
  readonly phase: ExchangePhase
  /** From when on it is in force. */
  readonly at: TimeMs
  /** Who ordered it, and why; both empty of the phase that every exchange begins in. */
  readonly actor: string
  readonly note: string
}

/** What read models know of the phase of the exchange: from a planned one's moment on it is in force, announced or not. */
export type ExchangePhases = {
  readonly current: PhaseChange
  /** In the order of their moments. */
  readonly planned: readonly PhaseChange[]
}
