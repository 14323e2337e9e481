/**
 * Commands of operators that move money: into and out of the exchange, between the buckets of an account, and
 * for withdrawals.
 */
import type { AccountId } from '../../units/ids.ts'
import type { Bucket } from '../../units/order-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import { flag, integer, text, uint, word } from '../../units/shapes/shape.ts'
import { type CommandIn, operatorRows } from './row.ts'

/** The buckets between which an operator may move money; numbered by position: new ones go to the end. */
const MOVABLE_BUCKETS = ['free', 'freeze', 'savings'] as const satisfies readonly Exclude<Bucket, 'locked'>[]

/** A command with a reference that was already used has no effect. */
const MONEY = { asset: text(), amount: integer<Amount>(), reference: text() }
const OF_ACCOUNT = { accountId: uint<AccountId>(), ...MONEY }

export const MONEY_ROWS = operatorRows({
  Credit: { code: 3, fields: OF_ACCOUNT },
  Debit: { code: 4, fields: OF_ACCOUNT },
  MoveBetweenBuckets: {
    code: 5,
    fields: {
      accountId: uint<AccountId>(),
      asset: text(),
      from: word(MOVABLE_BUCKETS),
      to: word(MOVABLE_BUCKETS),
      amount: integer<Amount>(),
      reference: text(),
    },
  },
  HoldWithdrawal: { code: 22, fields: OF_ACCOUNT },
  CompleteWithdrawal: { code: 23, fields: { reference: text() } },
  CancelWithdrawal: { code: 24, fields: { reference: text() } },
  MoveSavings: {
    code: 25,
    fields: {
      /** True moves money into savings; false moves it back to `free`, which an asset always allows. */
      isDeposit: flag(),
      ...OF_ACCOUNT,
    },
  },
  PayOutCommission: { code: 26, fields: MONEY },
})

type In<Kind extends keyof typeof MONEY_ROWS> = CommandIn<typeof MONEY_ROWS, Kind>

/** Moves money from the outside world into `free`. */
export interface Credit extends In<'Credit'> {}

/** Moves money from `free` to the outside world. */
export interface Debit extends In<'Debit'> {}

/**
 * Moves money between `free`, `freeze` and `savings` of one account; `locked` belongs only to open orders.
 */
export interface MoveBetweenBuckets extends In<'MoveBetweenBuckets'> {}

/** Moves money between `free` and `savings`, if the asset allows savings. */
export interface MoveSavings extends In<'MoveSavings'> {}

/** Pays commission that the house earned to the outside world. Rounding remainders stay. */
export interface PayOutCommission extends In<'PayOutCommission'> {}

/** Takes money that is to leave the exchange from `free` into `freeze`. */
export interface HoldWithdrawal extends In<'HoldWithdrawal'> {}

/** Completes a withdrawal: its money has left the exchange. */
export interface CompleteWithdrawal extends In<'CompleteWithdrawal'> {}

/** Cancels a withdrawal: its money is free again. */
export interface CancelWithdrawal extends In<'CancelWithdrawal'> {}

export type MoneyCommand = CommandIn<typeof MONEY_ROWS>
