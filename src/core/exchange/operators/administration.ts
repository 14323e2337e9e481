/**
 * Commands of operators on what is there already: accounts, listings, keys, money on its way, and who may give
 * them. Each says who gave it and why; the journal is the audit trail.
 */
import type { AccountId } from '../../../units/ids.ts'
import type { AccountRestriction, AdminRole } from '../../../units/operator-words.ts'
import type { Amount, Rate, TimeMs } from '../../../units/quantities.ts'
import type {
  AccountAmendment,
  ApiKeyAmendment,
  AssetAmendment,
  SymbolAmendment,
} from '../../registry/amendments.ts'
import type { Operator } from '../command.ts'

/** Says what a trader's account is forbidden from now on; empty: nothing. Its open orders stay. */
export type SetAccountRestrictions = {
  readonly kind: 'SetAccountRestrictions'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly restrictions: readonly AccountRestriction[]
}

/** Closes an account for good. It must hold no money and no open order. */
export type CloseAccount = {
  readonly kind: 'CloseAccount'
  readonly operator: Operator
  readonly accountId: AccountId
}

export type SetAccountTerms = {
  readonly kind: 'SetAccountTerms'
  readonly operator: Operator
  readonly accountId: AccountId
} & AccountAmendment

/**
 * Cancels open orders of an account, of a symbol, or of an account in a symbol: at most `CANCEL_ORDERS_MAX`, the
 * answer says how many are left. Of an account the newest first; of a symbol those first that would trade first.
 */
export type CancelOrders = {
  readonly kind: 'CancelOrders'
  readonly operator: Operator
  /** Undefined: of every account; then `symbol` is given. */
  readonly accountId: AccountId | undefined
  /** Undefined: in every symbol. */
  readonly symbol: string | undefined
}

export type SetAssetTerms = {
  readonly kind: 'SetAssetTerms'
  readonly operator: Operator
  readonly code: string
} & AssetAmendment

export type SetSymbolTerms = {
  readonly kind: 'SetSymbolTerms'
  readonly operator: Operator
  readonly symbol: string
} & SymbolAmendment

/** Defines a tier, or changes it for all accounts that have it. */
export type SetFeeTier = {
  readonly kind: 'SetFeeTier'
  readonly operator: Operator
  readonly name: string
  /** What is paid of a symbol's rate: 0 to `RATE_ONE`, the whole. */
  readonly makerShare: Rate
  readonly takerShare: Rate
}

/** Takes money that is to leave the exchange from `free` into `freeze`. The reference makes a repeat a no-op. */
export type HoldWithdrawal = {
  readonly kind: 'HoldWithdrawal'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly asset: string
  readonly amount: Amount
  readonly reference: string
}

/** The money of a withdrawal has left the exchange. */
export type CompleteWithdrawal = {
  readonly kind: 'CompleteWithdrawal'
  readonly operator: Operator
  readonly reference: string
}

/** The money of a withdrawal is free again. */
export type CancelWithdrawal = {
  readonly kind: 'CancelWithdrawal'
  readonly operator: Operator
  readonly reference: string
}

/** Moves money between `free` and `savings`, as far as the asset may be saved. */
export type MoveSavings = {
  readonly kind: 'MoveSavings'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly asset: string
  readonly amount: Amount
  /** True: set aside; false: free again, which an asset always allows. */
  readonly isDeposit: boolean
  readonly reference: string
}

/** Commission that the house earned leaves for the outside world. What rounding left over stays. */
export type PayOutCommission = {
  readonly kind: 'PayOutCommission'
  readonly operator: Operator
  readonly asset: string
  readonly amount: Amount
  readonly reference: string
}

export type SetApiKeyTerms = {
  readonly kind: 'SetApiKeyTerms'
  readonly operator: Operator
  readonly apiKey: string
} & ApiKeyAmendment

/** Gives a key another secret. The old one opens until `previousUntil`; 0: not any more. */
export type RotateApiKey = {
  readonly kind: 'RotateApiKey'
  readonly operator: Operator
  readonly apiKey: string
  readonly sealedSecret: Uint8Array
  readonly previousUntil: TimeMs
}

/** Switches a key off for good. */
export type RevokeApiKey = {
  readonly kind: 'RevokeApiKey'
  readonly operator: Operator
  readonly apiKey: string
}

/**
 * Puts another sealing of the same secret in the place of one, when the master key changes; nothing else of the key
 * changes. A sealing that the key has no more, because its secret was rotated meanwhile, is nobody's loss.
 */
export type ResealSecret = {
  readonly kind: 'ResealSecret'
  readonly operator: Operator
  readonly apiKey: string
  /** As it is now, of the secret or of the one before it. */
  readonly from: Uint8Array
  readonly to: Uint8Array
}

/** Lets somebody in through the admin door; `name` becomes the actor of all that is done with the token. */
export type AddAdminToken = {
  readonly kind: 'AddAdminToken'
  readonly operator: Operator
  readonly name: string
  readonly role: AdminRole
  /** SHA-256 of the token. */
  readonly digest: Uint8Array
}

/** Ends a token for good; its name stays taken. */
export type RevokeAdminToken = {
  readonly kind: 'RevokeAdminToken'
  readonly operator: Operator
  readonly name: string
}

/** Carries out what waits under this reference; the actor must not be who asked for it. */
export type Approve = { readonly kind: 'Approve'; readonly operator: Operator; readonly reference: string }

/** Forgets what waits under this reference. */
export type Reject = { readonly kind: 'Reject'; readonly operator: Operator; readonly reference: string }

/** Keeps an address from the public doors until then, or until the ban is lifted. */
export type BanAddress = {
  readonly kind: 'BanAddress'
  readonly operator: Operator
  /** In its canonical form, 1 to `NAME_MAX`; the border sees to that. */
  readonly address: string
  readonly until: TimeMs
}

/** Lifts a ban, an operator's or one of the limits; without one it only leaves its trace in the journal. */
export type LiftBan = { readonly kind: 'LiftBan'; readonly operator: Operator; readonly address: string }

export type Administration =
  | SetAccountRestrictions
  | CloseAccount
  | SetAccountTerms
  | CancelOrders
  | SetAssetTerms
  | SetSymbolTerms
  | SetFeeTier
  | HoldWithdrawal
  | CompleteWithdrawal
  | CancelWithdrawal
  | MoveSavings
  | PayOutCommission
  | SetApiKeyTerms
  | RotateApiKey
  | RevokeApiKey
  | AddAdminToken
  | RevokeAdminToken
  | Approve
  | Reject
  | BanAddress
  | LiftBan
  | ResealSecret
