/**
 * Assets, symbols, accounts and API keys: the registered entities of the exchange. They hold no money and no
 * orders.
 */
import type { AdminRight } from '../../units/admin-rights.ts'
import type { AccountId, AssetId, KeyNumber, SymbolId } from '../../units/ids.ts'
import { ADDRESS_DELAY_DEFAULT_MS, ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import {
  ACCOUNT_RESTRICTIONS,
  type AccountRestriction,
  type RestrictionSource,
} from '../../units/operator-enums.ts'
import type { ExchangePhase, KeyKind, KeyWire, Permission, SymbolState } from '../../units/order-enums.ts'
import type { Amount, Decimals, Lots, Price, Rate, TimeMs } from '../../units/quantities.ts'
import {
  byteString,
  checked,
  constant,
  flag,
  integer,
  listOf,
  type ObjectOf,
  type OptionsOf,
  object,
  optional,
  text,
  uint,
  type ValueOf,
  wordSet,
} from '../../units/shapes/shape.ts'
import type { AssetFlags, SymbolTerms } from './terms.ts'

/** A number above 0: 0 is not written, so that each record has one form. */
const above0 = <Value extends number>() =>
  checked(
    uint<Value>(),
    (value) => value > 0,
    () => 'a number of 0',
  )

const limit = checked(
  integer<Amount>(),
  (units) => units > 0,
  (units) => `a limit of ${units} units`,
)

/** Fields that not every asset has. A new one goes to the end: snapshots have records in this form. */
export const ASSET_OPTIONS = {
  /** Most that one credit may bring; absent: no limit of its own. */
  creditMax: limit,
  /** Transfers to and from the outside world above it need a second person; absent: none does. */
  approvalAbove: limit,
  /** Minimum of a trader's withdrawal; absent: one unit. */
  withdrawMin: limit,
  /** Maximum of one withdrawal of a trader; absent: no separate limit. */
  withdrawMax: limit,
  /** Waiting time until money may be sent to a new address; absent: `ADDRESS_DELAY_DEFAULT_MS`. */
  addressDelayMs: checked(
    uint(),
    (delayMs) => delayMs !== ADDRESS_DELAY_DEFAULT_MS && delayMs <= ADDRESS_DELAY_MAX_MS,
    (delayMs) => `a delay of ${delayMs} ms`,
  ),
}

export type Asset = AssetFlags & {
  readonly id: AssetId
  /** 1 to 16 of A-Z, 0-9. */
  readonly code: string
  readonly name: string
  /** Decimals of the ledger. */
  readonly fraction: Decimals
  /** Most that may be in the exchange at a time; 0: `AMOUNT_MAX`. */
  readonly supplyCap: Amount
} & OptionsOf<typeof ASSET_OPTIONS>

const PRICE_BAND = object({ min: uint<Price>(), max: uint<Price>() })
const INCREMENTS = object({ tickSize: uint<Price>(), stepSize: uint<Lots>() })

/** Fields that not every symbol has. A new one goes to the end. */
export const SYMBOL_OPTIONS = {
  /** The prices that it trades at, both included; absent: any price. A MARKET order trades no further. */
  priceBand: checked(
    PRICE_BAND,
    ({ min, max }) => min > 0 && min <= max,
    ({ min, max }) => `a band of ${min} to ${max}`,
  ),
  /** Absent: the smallest price and the smallest quantity. */
  increments: checked(
    INCREMENTS,
    ({ tickSize, stepSize }) => tickSize > 0 && stepSize > 0 && (tickSize > 1 || stepSize > 1),
    ({ tickSize, stepSize }) => `increments of ${tickSize} and ${stepSize}`,
  ),
  /** In place of both codes together, for clients of Binance; absent: those (`binance-name.ts`). */
  binanceName: text(),
}

export interface PriceBand extends ValueOf<typeof PRICE_BAND> {}

/**
 * The increments of prices and quantities of orders, in the symbol's smallest units; at least one of the two
 * is above 1 (docs/reference/admin.md#tick-and-step).
 */
export interface Increments extends ValueOf<typeof INCREMENTS> {}

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
} & OptionsOf<typeof SYMBOL_OPTIONS>

/**
 * `outside` is the rest of the world (deposits come from it, withdrawals go to it), `fees` the house's
 * commission, `rounding` one per symbol; all others are `trader`.
 */
export type AccountRole = 'outside' | 'fees' | 'rounding' | 'trader'

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

/** The time from which it no longer applies; 0: no end. */
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

const restrictions = wordSet(ACCOUNT_RESTRICTIONS)
/** Restrictions of each source, in the order of `ACCOUNT_RESTRICTIONS`; those of CUSTOMER are not empty. */
const BY_SOURCE = { OPERATOR: restrictions, CUSTOMER: restrictions } satisfies Record<
  RestrictionSource,
  unknown
>

const CUSTOMER_MARK = object({
  /** Number of changes to the customer's ways to sign in: a customer store with fewer is outdated. */
  epoch: uint(),
  /** The customer's data is erased. */
  isForgotten: flag(),
})

export interface CustomerMark extends ValueOf<typeof CUSTOMER_MARK> {}

/** Fields that not every account has. A new one goes to the end. */
export const ACCOUNT_OPTIONS = {
  /** The restrictions in force, of all sources, in the order of `ACCOUNT_RESTRICTIONS`; absent: none. */
  restrictions: checked(
    restrictions,
    ({ length }) => length > 0,
    () => 'no restrictions',
  ),
  /** Permanently: it is empty, and receives no more money. */
  isClosed: constant(true),
  /** Absent: the rates of the symbols. */
  feeTier: checked(
    text(),
    (name) => name !== '',
    () => 'a fee tier without a name',
  ),
  /** Most open orders in a symbol, in place of the symbol's own; absent: the symbol's. */
  openOrdersMax: above0(),
  /** Notes of operators; absent: none. */
  profile: object(ACCOUNT_PROFILE),
  /** They replace tier, limit and the symbols' own while they are in force; absent: none. */
  special: object(SPECIAL_TERMS, SPECIAL_TERMS_OPTIONS),
  /** By source, if the customer has set some; absent if all are set by operators. */
  restrictionsBySource: object(BY_SOURCE),
  /** Absent: it does not belong to a self-registered customer. */
  customer: CUSTOMER_MARK,
}

export type Account = {
  readonly id: AccountId
  readonly name: string
  readonly role: AccountRole
  readonly createdAt: TimeMs
} & OptionsOf<typeof ACCOUNT_OPTIONS>

/** The restrictions that one source has set. */
export function restrictionsOf(
  { restrictions = [], restrictionsBySource }: Pick<Account, 'restrictions' | 'restrictionsBySource'>,
  source: RestrictionSource,
): readonly AccountRestriction[] {
  if (restrictionsBySource !== undefined) return restrictionsBySource[source]
  return source === 'OPERATOR' ? restrictions : []
}

const moment = above0<TimeMs>()
const PREVIOUS_SECRET = object({ until: moment, sealedSecret: byteString() })

/** A replaced secret that stays valid until a given time. */
export interface PreviousSecret extends ValueOf<typeof PREVIOUS_SECRET> {}

/** Fields that not every key has. A new one goes to the end. */
export const KEY_OPTIONS = {
  /** The time from which it is refused; absent: never. */
  expiresAt: moment,
  /** Permanently. */
  isRevoked: constant(true),
  previousSecret: PREVIOUS_SECRET,
  /**
   * It is refused with a signature that does not name method, path and nonce; absent: any signature will do.
   */
  strictSignature: constant(true),
  /**
   * The public key of a pair (Ed25519, RFC 8032), `PUBLIC_KEY_BYTES`; absent if the key has a secret (HMAC).
   */
  publicKey: byteString(),
  /** Absent: it is valid only at this interface. */
  wire: constant('BINANCE'),
  /** Of a revoked key: when it ended. Absent: under rules before `ENDED_KEY_RULES`. */
  endedAt: uint<TimeMs>(),
  /**
   * Only in a list of keys: its number in its account, where that is not one more than the number of the
   * account's key before it in the list (1 for the first one).
   */
  number: checked(
    uint<KeyNumber>(),
    (number) => number > 1,
    (number) => `the number ${number} of a key`,
  ),
}

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
  readonly permissions: readonly Permission[]
  /** Addresses and CIDR ranges; empty: from anywhere. */
  readonly addresses: readonly string[]
  readonly label: string
  readonly createdAt: TimeMs
  readonly enabled: boolean
} & OptionsOf<typeof KEY_OPTIONS>

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

/** A named token for the admin server; only the digest of its text is stored. */
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
  /** The time from which it is refused; absent: never. */
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
  /** The time from which it is in force. */
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
