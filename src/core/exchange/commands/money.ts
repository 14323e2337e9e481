/** Commands of operators that move money: in, out, between the buckets of an account, and on its way out. */
import type { AccountId } from '../../../units/ids.ts'
import type { Bucket } from '../../../units/order-words.ts'
import type { Amount } from '../../../units/quantities.ts'
import type { Operator } from './operator.ts'

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

export type MoneyCommand =
  | Credit
  | Debit
  | MoveBetweenBuckets
  | MoveSavings
  | PayOutCommission
  | HoldWithdrawal
  | CompleteWithdrawal
  | CancelWithdrawal
