/**
 * The holdings of one asset: a row for each account that ever had any, found by the account's number. Rows
 * are never removed, so an account's row stays valid, and a caller that moves many amounts looks it up once
 * (`npm run bench -- core`).
 */
import { type AccountId, type AssetId, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { InvariantError, unreachable } from '../../units/invariant.ts'
import { BUCKETS, type Bucket } from '../../units/order-enums.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { grownInt32 } from '../../units/typed-arrays.ts'
import { WholeColumn } from '../../units/whole-column.ts'
import { AccountIndex } from './account-index.ts'
import { amountSum, difference } from './money.ts'

const FIRST_ROWS = 16

/** The readers' view of one asset's holdings. */
export type HoldingsView = Pick<Holdings, 'count' | 'find' | 'accountAt' | 'unitsAt'>

/** Only the outside world's balance can be negative: everything in the exchange came from there. */
export function mayOwe(account: AccountId, bucket: Bucket): boolean {
  return account === OUTSIDE_ACCOUNT && bucket === 'free'
}

export class Holdings {
  readonly #asset: AssetId
  readonly #rowByAccount = new AccountIndex(FIRST_ROWS)
  /** By row. */
  #accounts = new Int32Array(FIRST_ROWS)
  /** By row and bucket. */
  readonly #units = new WholeColumn<Amount>(FIRST_ROWS * BUCKETS.length)

  constructor(asset: AssetId) {
    this.#asset = asset
  }

  /**
   * Moves `amount` (at least 0) from one row's bucket to another's. The caller has checked the balance:
   * moving more than a bucket holds is a bug, except from the outside world's `free`.
   */
  move(from: number, fromBucket: Bucket, to: number, toBucket: Bucket, amount: Amount): void {
    if (!(amount >= 0)) throw new InvariantError(`an amount to move must not be negative, found ${amount}`)
    const left = difference(this.unitsAt(from, fromBucket), amount)
    if (left < 0 && !mayOwe(this.accountAt(from), fromBucket)) this.#notThere(from, fromBucket, amount)
    this.setUnitsAt(from, fromBucket, left)
    this.setUnitsAt(to, toBucket, amountSum(this.unitsAt(to, toBucket), amount))
  }

  /** An account's amount in one bucket; zero if it never had the asset. */
  get(account: AccountId, bucket: Bucket): Amount {
    const row = this.find(account)
    return row === NO_RECORD ? NO_AMOUNT : this.unitsAt(row, bucket)
  }

  /** The account's row; a new one if the account did not have the asset before. */
  rowOf(account: AccountId): number {
    const row = this.find(account)
    return row === NO_RECORD ? this.#add(account) : row
  }

  unitsAt(row: number, bucket: Bucket): Amount {
    return this.#units.get(row * BUCKETS.length + placeOf(bucket))
  }

  setUnitsAt(row: number, bucket: Bucket, units: Amount): void {
    this.#units.set(row * BUCKETS.length + placeOf(bucket), units)
  }

  /**
   * Number of accounts that have ever held the asset: rows are 0 to this, exclusive, in the order of the
   * first use.
   */
  get count(): number {
    return this.#rowByAccount.count
  }

  /** The account's row, or `NO_RECORD` if it has never had the asset. */
  find(account: AccountId): number {
    return this.#rowByAccount.find(account)
  }

  accountAt(row: number): AccountId {
    return this.#accounts[row] as AccountId
  }

  /** The accounts that have an amount in any bucket, by number. */
  owners(): Float64Array {
    let count = 0
    const owners = new Float64Array(this.#rowByAccount.count)
    for (let row = 0; row < owners.length; row++) {
      if (BUCKETS.some((bucket) => this.unitsAt(row, bucket) !== 0)) {
        owners[count++] = this.#accounts[row] as number
      }
    }
    return owners.subarray(0, count).sort()
  }

  #notThere(row: number, bucket: Bucket, amount: Amount): never {
    const found = `found ${this.unitsAt(row, bucket)}`
    throw new InvariantError(
      `account ${this.accountAt(row)} must have ${amount} of asset ${this.#asset} in ${bucket}, ${found}`,
    )
  }

  #add(account: AccountId): number {
    const row = this.#rowByAccount.add(account)
    if (row === this.#accounts.length) {
      this.#accounts = grownInt32(this.#accounts, row * 2)
      this.#units.grow(row * 2 * BUCKETS.length)
    }
    this.#accounts[row] = account
    return row
  }
}

/**
 * Position in `BUCKETS`, the buckets used by trading first (`npm run bench -- core`: a search in the list
 * took longer than the move).
 */
function placeOf(bucket: Bucket): number {
  switch (bucket) {
    case 'free':
      return 0
    case 'locked':
      return 1
    case 'freeze':
      return 2
    case 'savings':
      return 3
    default:
      return unreachable(bucket)
  }
}
