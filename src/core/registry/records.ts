/**
 * Assets, symbols, accounts and API keys: the registered entities of the exchange. They hold no money and no
 * orders.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AccountId, AssetId, KeyNumber, SymbolId } from '../../units/ids.ts'
import type { AccountRestriction, RestrictionSource } from '../../units/operator-enums.ts'
import type { ExchangePhase, KeyKind, KeyWire, Permission, SymbolState } from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Price, Rate, TimeMs } from '../../units/quantities.ts'
import {
  listOf,
  type ObjectOf,
  type OptionsOf,
  object,
  optional,
  text,
  uint,
} from '../../units/shapes/shape.ts'
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
  /** Minimum of a trader's withdrawal; absent: one unit. */
  readonly withdrawMin?: Amount
  /** Maximum of one withdrawal of a trader; absent: no separate limit. */
  readonly withdrawMax?: Amount
  /** Waiting time until money may be sent to a new address; absent: `ADDRESS_DELAY_DEFAULT_MS`. */
  readonly addressDelayMs?: number
}

/** The prices that a symbol trades at, both included. A MARKET order trades no further. */
export type PriceBand = { readonly min: Price; readonly max: Price }

/**
 * The increments of prices and quantities of orders, in the symbol's smallest units; at least one of the two
 * is above 1 (docs/reference/admin.md#tick-and-step).
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
  /** The house's account for rounding remainders in this symbol. */
  readonly roundingAccountId: AccountId
  /** Absent: any price. */
  readonly priceBand?: PriceBand
  /** Absent: the smallest price and the smallest quantity. */
  readonly increments?: Increments
  /** In place of both codes together, for clients of Binance; absent: those (`binance-name.ts`). */
  readonly binanceName?: string
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
  /** The restrictions in force, of all sources, in the order of `ACCOUNT_RESTRICTIONS`; absent: none. */
  readonly restrictions?: readonly AccountRestriction[]
  /** By source, if the customer has set some; absent if all are set by operators. */
  readonly restrictionsBySource?: RestrictionsBySource
  /** For good: it is empty, and nothing comes in any more. */
  readonly isClosed?: true
  /** Absent: the rates of the symbols. */
  readonly feeTier?: string
  /** Most open orders in a symbol, in place of the symbol's own; absent: the symbol's. */
  readonly openOrdersMax?: number
  /** Notes of operators; absent: none. */
  readonly profile?: AccountProfile
  /** They replace tier, limit and the symbols' own while they are in force; absent: none. */
  readonly special?: SpecialTerms
  /** Absent: it is not of a customer who registered himself. */
  readonly customer?: CustomerMark
}

/** The account is of a customer who registered himself. */
export type CustomerMark = {
  /** Changes of his ways to sign in: a store of customers that knows fewer of them is an old one. */
  readonly epoch: number
  /** His data is erased. */
  readonly isForgotten: boolean
}

/** Restrictions of each source, in the order of `ACCOUNT_RESTRICTIONS`; those of CUSTOMER are not empty. */
export type RestrictionsBySource = Readonly<Record<RestrictionSource, readonly AccountRestriction[]>>

/** The restrictions that one source has set. */
export function restrictionsOf(
  { restrictions = [], restrictionsBySource }: Pick<Account, 'restrictions' | 'restrictionsBySource'>,
  source: RestrictionSource,
): readonly AccountRestriction[] {
  if (restrictionsBySource !== undefined) return restrictionsBySource[source]
  return source === 'OPERATOR' ? restrictions : []
}

const PROFILE_FIELD = { name: text(), value: text() }

/** A free field of an account. */
export interface ProfileField extends ObjectOf<typeof PROFILE_FIELD> {}

export const ACCOUNT_PROFILE = {
  /** The id in the operators' own systems, of one account only. '': none. */
  customerId: text(),
  /** Ascending. */
  labels: listOf(text()),
  /** By name, ascending. */
  fields: listOf(object(PROFILE_FIELD)),
  remark: text(),
}

/** The notes of operators on an account. */
export interface AccountProfile extends ObjectOf<typeof ACCOUNT_PROFILE> {}

/** From then on not any more; 0: without an end. */
const until = uint<TimeMs>()

export const SPECIAL_TERMS = {
  /** Commission rates in every symbol; absent: those of tier and symbol. */
  rates: optional(object({ makerRate: uint<Rate>(), takerRate: uint<Rate>(), until })),
}

export const SPECIAL_TERMS_OPTIONS = {
  /** Most open orders in a symbol; absent: the account's or the symbol's. */
  openOrders: object({ max: uint(), until }),
  /**
   * The multiple of the common order limits in a window that the account has; absent for the common ones. The
   * counts and limits are the gateway's.
   */
  orderRate: object({ times: uint(), until }),
}

/** Terms of one account in place of others. */
export interface SpecialTerms
  extends ObjectOf<typeof SPECIAL_TERMS>,
    OptionsOf<typeof SPECIAL_TERMS_OPTIONS> {}

export type SpecialRates = NonNullable<SpecialTerms['rates']>
export type SpecialOpenOrders = NonNullable<SpecialTerms['openOrders']>
export type SpecialOrderRate = NonNullable<SpecialTerms['orderRate']>

/** A secret that was replaced and still opens until then. */
export type PreviousSecret = { readonly sealedSecret: Uint8Array; readonly until: TimeMs }

/** The public key, instead of a secret, of a key pair. */
export const NO_SECRET = new Uint8Array(0)

export type ApiKey = {
  readonly apiKey: string
  readonly accountId: AccountId
  /**
   * AES-256-GCM under the node's master key; the core never decrypts it. `NO_SECRET` if there is a
   * `publicKey`.
   */
  readonly sealedSecret: Uint8Array
  /**
   * The public key of a pair (Ed25519, RFC 8032), `PUBLIC_KEY_BYTES`; absent if the key has a secret (HMAC).
   */
  readonly publicKey?: Uint8Array
  /** Absent: it is known at this interface alone. */
  readonly wire?: 'BINANCE'
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
  /** Of a revoked key: when it ended. Absent: under rules before `ENDED_KEY_RULES`. */
  readonly endedAt?: TimeMs
  readonly previousSecret?: PreviousSecret
  /**
   * It is refused with a signature that does not name method, path and nonce; absent: any signature will do.
   */
  readonly strictSignature?: true
  /**
   * In a list of keys alone: its number in its account, where that is not one more than the number of the
   * account's key before it in the list (1 for the first one).
   */
  readonly number?: KeyNumber
}

export function keyKindOf({ publicKey }: Pick<ApiKey, 'publicKey'>): KeyKind {
  return publicKey === undefined ? 'HMAC' : 'ED25519'
}

export function keyWireOf({ wire }: Pick<ApiKey, 'wire'>): KeyWire {
  return wire ?? 'BOURSE'
}

/** The shares of a symbol's rates paid by accounts of a tier. */
export type FeeTier = {
  /** 1 to `NAME_MAX` of letters, digits and `._@-`. */
  readonly name: string
  /** 0 to `RATE_ONE`: the whole rate. */
  readonly makerShare: Rate
  readonly takerShare: Rate
}

/** A named way in through the admin server; only the digest of the token is known. */
export type AdminToken = {
  /**
   * As for a fee tier; the name of a revoked token is not reused, so that in the audit trail it means one
   * holder.
   */
  readonly name: string
  /** A built-in role, or one of the operators' own. */
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
  /** In the order of their list; empty if the role is removed. */
  readonly rights: readonly AdminRight[]
}

/** The limits of a role's tokens in one direction, in ledger units; 0 for no limit. */
export type WayLimit = {
  /** With one command. */
  readonly each: Amount
  /** All together, in a day. */
  readonly day: Amount
  /** The amount moved on the day, if it is limited. */
  readonly moved: Amount
}

/** The limits of a role's tokens in an asset; without any limit the record is removed. */
export type RoleLimit = {
  readonly role: string
  readonly assetId: AssetId
  /** From the outside world. */
  readonly in: WayLimit
  /** To the outside world. */
  readonly out: WayLimit
  /** The day of `moved`: number of days since 1970, UTC. */
  readonly day: number
}

/** The number of people, besides the requester, who must approve a transfer above its asset's threshold. */
export type ApprovalsNeeded = {
  /** Code of an asset; '': all others. */
  readonly asset: string
  /** 1 to `APPROVERS_MAX`; 0 if the record is removed. */
  readonly needed: number
}

/** An address that an operator has banned from the public server. */
export type AddressBan = { readonly address: string; readonly until: TimeMs }

/** A phase of the exchange that has begun or is planned. */
export type PhaseChange = {
  readonly phase: ExchangePhase
  /** From when on it is in force. */
  readonly at: TimeMs
  /** The actor and the reason; both empty for the initial phase. */
  readonly actor: string
  readonly note: string
}

/**
 * The phase of the exchange in read models: a planned phase is in force from its time on, announced or not.
 */
export type ExchangePhases = {
  readonly current: PhaseChange
  /** In the order of their moments. */
  readonly planned: readonly PhaseChange[]
}
