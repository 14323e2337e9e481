/** Commands of operators on accounts and the fee tiers that accounts are in. */
import type { AccountId } from '../../../units/ids.ts'
import type { AccountRestriction } from '../../../units/operator-words.ts'
import type { Rate } from '../../../units/quantities.ts'
import type { AccountAmendment } from '../../registry/amendments.ts'
import type { AccountProfile, SpecialTerms } from '../../registry/records.ts'
import type { Operator } from './operator.ts'

/** Creates an account; `name` (1 to `TEXT_MAX`) is unique. */
export type CreateAccount = {
  readonly kind: 'CreateAccount'
  readonly operator: Operator
  readonly name: string
}

/** Says what a trader's account is forbidden from now on; empty: nothing. Its open orders stay. */
export type SetAccountRestrictions = {
  readonly kind: 'SetAccountRestrictions'
  readonly operator: Operator
  readonly accountId: AccountId
  readonly restrictions: readonly AccountRestriction[]
}

export type SetAccountTerms = {
  readonly kind: 'SetAccountTerms'
  readonly operator: Operator
  readonly accountId: AccountId
} & AccountAmendment

/** Closes an account for good. It must hold no money and no open order. */
export type CloseAccount = {
  readonly kind: 'CloseAccount'
  readonly operator: Operator
  readonly accountId: AccountId
}

/** Defines a tier, or changes it for all accounts that have it. */
export type SetFeeTier = {
  readonly kind: 'SetFeeTier'
  readonly operator: Operator
  readonly name: string
  /** What is paid of a symbol's rate: 0 to `RATE_ONE`, the whole. */
  readonly makerShare: Rate
  readonly takerShare: Rate
}

/** Notes what operators know of a trader's account; what is there already goes, and an empty one is none. */
export type SetAccountProfile = {
  readonly kind: 'SetAccountProfile'
  readonly operator: Operator
  readonly accountId: AccountId
} & AccountProfile

/** Gives a trader's account terms of its own in place of those that it had; what is absent it has not. None may be over already. */
export type SetSpecialTerms = {
  readonly kind: 'SetSpecialTerms'
  readonly operator: Operator
  readonly accountId: AccountId
} & SpecialTerms

export type AccountCommand =
  | SetAccountProfile
  | SetSpecialTerms
  | CreateAccount
  | SetAccountRestrictions
  | SetAccountTerms
  | CloseAccount
  | SetFeeTier
