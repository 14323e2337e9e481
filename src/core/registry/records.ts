/**
 * Assets, symbols, accounts and API keys: the registered entities of the exchange. They have no money and no
 * orders.
 */
import { ADMIN_RIGHTS } from '../../units/admin-rights.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, AssetId, KeyNumber, SymbolId } from '../../units/ids.ts'
import { ADDRESS_DELAY_DEFAULT_MS, ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import {
  ACCOUNT_RESTRICTIONS,
  type AccountRestriction,
  ADMIN_ROLES,
  type AdminRole,
  type RestrictionSource,
} from '../../units/operator-enums.ts'
import {
  EXCHANGE_PHASES,
  type KeyKind,
  type KeyWire,
  PERMISSIONS,
  SYMBOL_STATES,
} from '../../units/order-enums.ts'
import {
  type Amount,
  type Decimals,
  type Lots,
  type Price,
  type Rate,
  type TimeMs,
  UNITS_MAX,
} from '../../units/quantities.ts'
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
  own,
  spread,
  text,
  uint,
  type ValueOf,
  word,
  wordSet,
} from '../../units/shapes/shape.ts'
import { ASSET_FLAGS, ASSET_TERMS, isNumberWithin, SYMBOL_TERMS } from './terms.ts'

/** A number above 0: 0 is not written, so that each record has one form. */
const above0 = <Value extends number>() =>
  checked(
    uint<Value>(),
    (value) => value > 0,
    () => 'expected a number above 0, found 0',
  )

const limit = checked(
  integer<Amount>(),
  (units) => units > 0,
  (units) => `expected a limit above 0, found ${units}`,
)

/** Fields that not every asset has. A new one goes to the end: snapshots have records in this form. */
export const ASSET_OPTIONS = {
  /** Maximum amount of one credit; absent if there is no separate maximum. */
  creditMax: limit,
  /** Transfers above this amount, to and from the outside world, need a second person; absent if none do. */
  approvalAbove: limit,
  /** Minimum of a trader's withdrawal; absent if it is one unit. */
  withdrawMin: limit,
  /** Maximum of one withdrawal of a trader; absent if there is no separate limit. */
  withdrawMax: limit,
  /**
   * Waiting time until money may be sent to a new address, in milliseconds; absent for
   * `ADDRESS_DELAY_DEFAULT_MS`.
   */
  addressDelayMs: checked(
    uint(),
    (delayMs) => delayMs !== ADDRESS_DELAY_DEFAULT_MS && delayMs <= ADDRESS_DELAY_MAX_MS,
    (delayMs) => `the delay of ${delayMs} ms is the default or too long`,
  ),
}

const { code, name, fraction, supplyCap } = ASSET_TERMS
/** Fields that each asset has, besides its id. */
export const ASSET_FIELDS = { code, name, fraction, ...ASSET_FLAGS, supplyCap }

export interface Asset extends ObjectOf<typeof ASSET_FIELDS>, OptionsOf<typeof ASSET_OPTIONS> {
  readonly id: AssetId
}

const PRICE_BAND = object({ min: uint<Price>(), max: uint<Price>() })
const INCREMENTS = object({ tickSize: uint<Price>(), stepSize: uint<Lots>() })

/** Fields that not every symbol has. A new one goes to the end. */
export const SYMBOL_OPTIONS = {
  /**
   * The range of prices at which the symbol trades, both ends included; absent for any price. A MARKET order
   * does not trade beyond it.
   */
  priceBand: checked(
    PRICE_BAND,
    ({ min, max }) => min > 0 && min <= max,
    ({ min, max }) => `the price band of ${min} to ${max} is not valid`,
  ),
  /** Absent if both are the smallest price and the smallest quantity. */
  increments: checked(
    INCREMENTS,
    ({ tickSize, stepSize }) =>
      isNumberWithin(tickSize, 1, UNITS_MAX) &&
      isNumberWithin(stepSize, 1, UNITS_MAX) &&
      (tickSize > 1 || stepSize > 1),
    ({ tickSize, stepSize }) => `the increments ${tickSize} and ${stepSize} are not valid`,
  ),
  /** The name for clients of Binance; absent if it is both codes joined (`binance-name.ts`). */
  binanceName: text(),
}

export interface SymbolOptions extends OptionsOf<typeof SYMBOL_OPTIONS> {}

export interface PriceBand extends ValueOf<typeof PRICE_BAND> {}

/**
 * The increments of prices and quantities of orders, in the symbol's smallest units; at least one of the two
 * is above 1 (docs/reference/admin.md#tick-and-step).
 */
export interface Increments extends ValueOf<typeof INCREMENTS> {}

type SymbolNames = {
  readonly baseCode: string
  readonly quoteCode: string
  /** `<BASE>/<QUOTE>`. */
  readonly name: string
}

/** The assets of a symbol. */
export const SYMBOL_ASSETS = { base: uint<AssetId>(), quote: uint<AssetId>() }

/** Fields that follow from the assets of a symbol. */
export const SYMBOL_DERIVED = {
  names: spread<SymbolNames>(['name', 'baseCode', 'quoteCode'], {
    write: (w, { baseCode, quoteCode }) => {
      w.text(baseCode)
      w.text(quoteCode)
    },
    read: (r) => {
      const [baseCode, quoteCode] = [r.text(), r.text()]
      return { name: `${baseCode}/${quoteCode}`, baseCode, quoteCode }
    },
  }),
  /** Ledger decimals of the base and of the quote asset. */
  basePrecision: uint<Decimals>(),
  quotePrecision: uint<Decimals>(),
}

/** Fields that each symbol has, besides its id and its assets. */
export const SYMBOL_FIELDS = {
  ...SYMBOL_TERMS,
  state: word(SYMBOL_STATES),
  /** The house's account for rounding remainders in this symbol. */
  roundingAccountId: uint<AccountId>(),
}

/** A market. It is not named `Symbol` because the language has a type of that name. */
export interface TradingSymbol
  extends ObjectOf<typeof SYMBOL_ASSETS>,
    ObjectOf<typeof SYMBOL_DERIVED>,
    ObjectOf<typeof SYMBOL_FIELDS>,
    SymbolOptions {
  readonly id: SymbolId
}

/**
 * `outside` is the rest of the world (deposits come from it, withdrawals go to it), `fees` the house's
 * commission, `rounding` one per symbol; all others are `trader`.
 */
const ACCOUNT_ROLES = ['outside', 'fees', 'rounding', 'trader'] as const
export type AccountRole = (typeof ACCOUNT_ROLES)[number]

const PROFILE_FIELD = { name: text(), value: text() }

/** A free field of an account. */
export interface ProfileField extends ObjectOf<typeof PROFILE_FIELD> {}

export const ACCOUNT_PROFILE = {
  /** The customer's id in the operators' own systems, unique among accounts; '' if there is none. */
  customerId: text(),
  /** In ascending order. */
  labels: listOf(text()),
  /** By name, in ascending order. */
  fields: listOf(object(PROFILE_FIELD)),
  remark: text(),
}

/** The notes of operators on an account. */
export interface AccountProfile extends ObjectOf<typeof ACCOUNT_PROFILE> {}

/** The time from which the term no longer applies; 0 means no end. */
const until = uint<TimeMs>()

export const SPECIAL_TERMS = {
  /** Commission rates in every symbol; absent if those of tier and symbol apply. */
  rates: optional(object({ makerRate: uint<Rate>(), takerRate: uint<Rate>(), until })),
}

export const SPECIAL_TERMS_OPTIONS = {
  /** Maximum number of open orders in a symbol; absent if that of the account or the symbol applies. */
  openOrders: object({ max: uint(), until }),
  /**
   * The account's order limits in a window, as a multiple of the common ones; absent for the common ones. The
   * gateway has the counts and limits.
   */
  orderRate: object({ times: uint(), until }),
}

/** Terms of one account that apply in place of others. */
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
  /**
   * Number of changes to the customer's ways to sign in: a customer store with a lower number is outdated.
   */
  epoch: uint(),
  /** The customer's data is erased. */
  isForgotten: flag(),
})

export interface CustomerMark extends ValueOf<typeof CUSTOMER_MARK> {}

/** Fields that not every account has. A new one goes to the end. */
export const ACCOUNT_OPTIONS = {
  /**
   * The restrictions in force, of all sources, in the order of `ACCOUNT_RESTRICTIONS`; absent if there are
   * none.
   */
  restrictions: checked(
    restrictions,
    ({ length }) => length > 0,
    () => 'no restrictions',
  ),
  /** Closed permanently: the account is empty, and receives no more money. */
  isClosed: constant(true),
  /** Absent if the account pays the symbols' rates. */
  feeTier: checked(
    text(),
    (name) => name !== '',
    () => 'a fee tier has no name',
  ),
  /** Maximum number of open orders in a symbol; absent for the symbol's own maximum. */
  openOrdersMax: above0(),
  /** Notes of operators; absent if there are none. */
  profile: object(ACCOUNT_PROFILE),
  /**
   * Special terms, which apply instead of tier, limit and the symbols' own while they are in force; absent if
   * there are none.
   */
  special: object(SPECIAL_TERMS, SPECIAL_TERMS_OPTIONS),
  /** Restrictions by source, if the customer has set some; absent if all are set by operators. */
  restrictionsBySource: object(BY_SOURCE),
  /** Absent if the account does not belong to a self-registered customer. */
  customer: CUSTOMER_MARK,
}

/** Fields that each account has, besides its id. */
export const ACCOUNT_FIELDS = { name: text(), role: word(ACCOUNT_ROLES), createdAt: uint<TimeMs>() }

export interface Account extends ObjectOf<typeof ACCOUNT_FIELDS>, OptionsOf<typeof ACCOUNT_OPTIONS> {
  readonly id: AccountId
}

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
  /** The time from which the key is refused; absent if there is none. */
  expiresAt: moment,
  /** Revoked permanently. */
  isRevoked: constant(true),
  previousSecret: PREVIOUS_SECRET,
  /** A signature must cover method, path and nonce; absent if any signature is accepted. */
  strictSignature: constant(true),
  /**
   * The public key of a pair (Ed25519, RFC 8032), `PUBLIC_KEY_BYTES` long; absent if the key has a secret
   * (HMAC).
   */
  publicKey: byteString(),
  /** Absent if the key is valid only for the exchange's own interface. */
  wire: constant('BINANCE'),
  /** The time at which a revoked key ended; absent under rules before `ENDED_KEY_RULES`. */
  endedAt: uint<TimeMs>(),
  /**
   * Only in a list of keys: the key's number in its account. Present only if it is not one more than the
   * number of the account's previous key in the list (1 for the first key).
   */
  number: checked(
    uint<KeyNumber>(),
    (number) => number > 1,
    (number) => `expected a key number above 1, found ${number}`,
  ),
}

/** A public key, which a key pair has instead of a secret. */
export const NO_SECRET = new Uint8Array(0)

/** Fields that each key has. */
export const KEY_FIELDS = {
  apiKey: text(),
  accountId: uint<AccountId>(),
  /**
   * AES-256-GCM under the node's master key; the core never decrypts it. `NO_SECRET` if there is a
   * `publicKey`.
   */
  sealedSecret: byteString(),
  permissions: wordSet(PERMISSIONS),
  /** Addresses and CIDR ranges; empty means from anywhere. */
  addresses: listOf(text()),
  label: text(),
  createdAt: uint<TimeMs>(),
  enabled: flag(),
}

export interface ApiKey extends ObjectOf<typeof KEY_FIELDS>, OptionsOf<typeof KEY_OPTIONS> {}

export function keyKindOf({ publicKey }: Pick<ApiKey, 'publicKey'>): KeyKind {
  return publicKey === undefined ? 'HMAC' : 'ED25519'
}

export function keyWireOf({ wire }: Pick<ApiKey, 'wire'>): KeyWire {
  return wire ?? 'BOURSE'
}

export const FEE_TIER = {
  /** 1 to `NAME_MAX` of letters, digits and `._@-`. */
  name: text(),
  /** 0 to `RATE_ONE`, which means the whole rate. */
  makerShare: uint<Rate>(),
  takerShare: uint<Rate>(),
}

/** The shares of a symbol's rates paid by accounts of a tier. */
export interface FeeTier extends ObjectOf<typeof FEE_TIER> {}

/** Fields that each token has. */
export const TOKEN_FIELDS = {
  /**
   * In the form of a fee tier's name. The name of a revoked token is not reused, so that in the audit trail a
   * name means one holder.
   */
  name: text(),
  /** A built-in role or a custom one; custom roles are stored elsewhere (`records/rights-codec.ts`). */
  role: own<string>({
    write: (w, role) => writeWord(w, ADMIN_ROLES, firstRoleOf(role)),
    read: (r) => readWord(r, ADMIN_ROLES),
  }),
  /** SHA-256 of the token's text. */
  digest: byteString(),
  createdAt: uint<TimeMs>(),
  isRevoked: flag(),
}

/** A named token for the admin server; only the digest of its text is stored. */
export interface AdminToken extends ObjectOf<typeof TOKEN_FIELDS> {
  /** The time from which the token is refused; absent if there is none. */
  readonly expiresAt?: TimeMs
  /** Addresses and CIDR ranges; absent means from anywhere. */
  readonly addresses?: readonly string[]
}

/** The role in the original form of a token: its own if that form has a number for it. */
export function firstRoleOf(role: string): AdminRole {
  return ADMIN_ROLES.find((first) => first === role) ?? 'READ_ONLY'
}

export const OWN_ROLE = {
  /** 1 to `NAME_MAX` of small letters, digits and `._@-`; not the name of a built-in role. */
  name: text(),
  /** In the order of `ADMIN_RIGHTS`; empty if the role is removed. */
  rights: listOf(word(ADMIN_RIGHTS)),
}

/** A custom role. */
export interface OwnRole extends ObjectOf<typeof OWN_ROLE> {}

const WAY_LIMIT = object({
  /** Limit of one command. */
  each: integer<Amount>(),
  /** Limit of all commands together in a day. */
  day: integer<Amount>(),
  /** The amount moved on the day, counted only if `day` limits it. */
  moved: integer<Amount>(),
})

/** The limits of a role's tokens in one direction, in ledger units; 0 for no limit. */
export interface WayLimit extends ValueOf<typeof WAY_LIMIT> {}

export const ROLE_LIMIT = {
  role: text(),
  assetId: uint<AssetId>(),
  /** The day of `moved`: number of days since 1970, UTC. */
  day: uint(),
  /** From the outside world. */
  in: WAY_LIMIT,
  /** To the outside world. */
  out: WAY_LIMIT,
}

/** The limits of a role's tokens in an asset; without any limit the record is removed. */
export interface RoleLimit extends ObjectOf<typeof ROLE_LIMIT> {}

export const APPROVALS_NEEDED = {
  /** Code of an asset; '' for all other assets. */
  asset: text(),
  /** 1 to `APPROVERS_MAX`; 0 if the record is removed. */
  needed: uint(),
}

/** The number of people, besides the requester, who must approve a transfer above its asset's threshold. */
export interface ApprovalsNeeded extends ObjectOf<typeof APPROVALS_NEEDED> {}

export const ADDRESS_BAN = {
  /** In its canonical form, 1 to `NAME_MAX` characters. */
  address: text(),
  until: uint<TimeMs>(),
}

/** An address that an operator has banned from the public server. */
export interface AddressBan extends ObjectOf<typeof ADDRESS_BAN> {}

const PHASE_CHANGE = object({
  phase: word(EXCHANGE_PHASES),
  /** The time from which the phase is in force. */
  at: uint<TimeMs>(),
  /** The actor and the reason; both empty for the initial phase. */
  actor: text(),
  note: text(),
})

/** A phase of the exchange that has begun or is planned. */
export interface PhaseChange extends ValueOf<typeof PHASE_CHANGE> {}

export const EXCHANGE_PHASES_RECORD = object({
  current: PHASE_CHANGE,
  /** In the order of their times. */
  planned: listOf(PHASE_CHANGE),
})

/**
 * The phase of the exchange in read models: a planned phase is in force from its time on, whether it has been
 * announced or not.
 */
export interface ExchangePhases extends ValueOf<typeof EXCHANGE_PHASES_RECORD> {}
