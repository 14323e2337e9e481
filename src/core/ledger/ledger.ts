/**
 * The ledger of all holdings. Double entry: money only moves from one bucket of one account to another
 * bucket, so each asset always sums to zero over all accounts. The outside world is an account too, the only
 * one that may be negative. The ledger does not depend on orders, prices or owners of accounts.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { type AccountId, type AssetId, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { InvariantError, invariant } from '../../units/invariant.ts'
import { ACCOUNTS_MAX, ASSETS_MAX } from '../../units/limits.ts'
import { BUCKETS, type Bucket } from '../../units/order-enums.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'
import { Holdings, mayOwe } from './holdings.ts'
import { amountSum, negated } from './money.ts'

/** The sums over one asset: a value other than 0 for `sum` or `negatives` is a bug. */
export type Audit = {
  /** The sum of all buckets of all accounts. */
  readonly sum: Amount
  /** Buckets below zero (the outside world's excepted). */
  readonly negatives: number
}

/** Balances of every account in every asset. An account takes memory only in assets that it has had. */
export class Ledger {
  readonly #holdingsByAsset: Holdings[] = []
  #accountCount = 0

  get assetCount(): number {
    return this.#holdingsByAsset.length
  }

  get accountCount(): number {
    return this.#accountCount
  }

  /** Registers the next asset id. At most `ASSETS_MAX`. */
  addAsset(): void {
    invariant(this.assetCount < ASSETS_MAX, 'the ledger must have room for the asset')
    this.#holdingsByAsset.push(new Holdings(this.assetCount as AssetId))
  }

  /** Registers the next account id, without any money. At most `ACCOUNTS_MAX`. */
  addAccount(): void {
    invariant(this.#accountCount < ACCOUNTS_MAX, 'the ledger must have room for the account')
    this.#accountCount++
  }

  /** Ledger units in one bucket; at least 0 except in the outside world's `free`. */
  balance(account: AccountId, asset: AssetId, bucket: Bucket): Amount {
    this.#known(account)
    return this.holdings(asset).get(account, bucket)
  }

  /**
   * Moves `amount` (at least 0) of `asset`. The caller has checked the balance: moving more than a bucket
   * holds is a bug, except from the outside world's `free`.
   */
  move(
    asset: AssetId,
    from: AccountId,
    fromBucket: Bucket,
    to: AccountId,
    toBucket: Bucket,
    amount: Amount,
  ): void {
    this.#known(from)
    this.#known(to)
    const holdings = this.holdings(asset)
    const source = holdings.rowOf(from)
    holdings.move(source, fromBucket, from === to ? source : holdings.rowOf(to), toBucket, amount)
  }

  /**
   * The total of `asset` owned by the accounts inside: everything that has come in from the outside world and
   * has not left.
   */
  inExchange(asset: AssetId): Amount {
    return negated(this.balance(OUTSIDE_ACCOUNT, asset, 'free'))
  }

  /** The holdings of `asset`, row by row, for callers that visit all of them or move many amounts. */
  holdings(asset: AssetId): Holdings {
    const holdings = this.#holdingsByAsset[asset]
    if (holdings !== undefined) return holdings
    throw new InvariantError(`asset ${asset} must be below ${this.assetCount}`)
  }

  /** Adds up every bucket of `asset`; takes time in proportion to the accounts that have had it. */
  audit(asset: AssetId): Audit {
    let sum = NO_AMOUNT
    let negatives = 0
    const holdings = this.holdings(asset)
    for (let row = 0; row < holdings.count; row++) {
      for (const bucket of BUCKETS) {
        const units = holdings.unitsAt(row, bucket)
        sum = amountSum(sum, units)
        if (units < 0 && !mayOwe(holdings.accountAt(row), bucket)) negatives++
      }
    }
    return { sum, negatives }
  }

  /** Writes the state; ledgers with equal balances write equal bytes, whatever their histories. */
  write(writer: ByteWriter): void {
    writer.uint(this.#accountCount)
    writer.uint(this.assetCount)
    for (const holdings of this.#holdingsByAsset) {
      const owners = holdings.owners()
      writer.uint(owners.length)
      for (const account of owners) {
        writer.uint(account)
        for (const bucket of BUCKETS) writer.whole(holdings.get(account as AccountId, bucket))
      }
    }
  }

  /** Reads the output of `write`. Throws `BytesFault` for anything that no ledger can have written. */
  static read(reader: ByteReader): Ledger {
    const ledger = new Ledger()
    ledger.#accountCount = count(reader, ACCOUNTS_MAX, 'accounts')
    const assets = count(reader, ASSETS_MAX, 'assets')
    for (let asset = 0 as AssetId; asset < assets; asset++) {
      ledger.addAsset()
      ledger.#readAsset(reader, asset)
    }
    return ledger
  }

  #readAsset(reader: ByteReader, asset: AssetId): void {
    const holdings = this.holdings(asset)
    const rows = count(reader, this.#accountCount, 'holdings')
    let previous = -1
    for (let row = 0; row < rows; row++) {
      const account = reader.uint() as AccountId
      if (account <= previous || account >= this.#accountCount) {
        throw new BytesFault(
          `expected an account above ${previous} and below ${this.#accountCount} in asset ${asset}, found ${account}`,
        )
      }
      previous = account
      const holding = holdings.rowOf(account)
      let isEmpty = true
      for (const bucket of BUCKETS) {
        const units = reader.whole() as Amount
        if (units !== 0) isEmpty = false
        holdings.setUnitsAt(holding, bucket, units)
      }
      if (isEmpty) throw new BytesFault(`account ${account} is listed without an amount of asset ${asset}`)
    }
    const { sum, negatives } = this.audit(asset)
    if (sum !== 0 || negatives > 0) {
      throw new BytesFault(
        `asset ${asset} must sum to 0 without negative amounts, found a sum of ${sum} and ${negatives} negative amounts`,
      )
    }
  }

  #known(account: AccountId): void {
    if (account < this.#accountCount) return
    throw new InvariantError(`account ${account} must be below ${this.#accountCount}`)
  }
}

function count(reader: ByteReader, max: number, what: string): number {
  const value = reader.uint()
  if (value > max) throw new BytesFault(`expected at most ${max} ${what}, found ${value}`)
  return value
}
