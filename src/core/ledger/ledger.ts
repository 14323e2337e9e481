/**
 * Who owns what. Double entry: money only ever moves from one bucket of one account to another bucket, so each
 * asset sums to zero over all accounts for ever. The outside world is an account too, the only one that may owe.
 * Knows nothing of orders, prices or who the accounts are.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { type AccountId, type AssetId, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { ACCOUNTS_MAX, ASSETS_MAX } from '../../units/limits.ts'
import { BUCKETS, type Bucket } from '../../units/order-words.ts'
import { type Amount, NO_AMOUNT } from '../../units/quantities.ts'

/** One account's buckets in one asset. */
type Holding = Record<Bucket, bigint>

/** Result of a walk over one asset: anything but `sum` 0n and `negatives` 0 is a bug. */
export type Audit = {
  /** Of all buckets of all accounts. */
  readonly sum: Amount
  /** Buckets below zero that may not be. */
  readonly negatives: number
}

function emptyHolding(): Holding {
  return { free: 0n, locked: 0n, freeze: 0n, savings: 0n }
}

function isEmpty(holding: Holding): boolean {
  return BUCKETS.every((bucket) => holding[bucket] === 0n)
}

function mayOwe(account: AccountId, bucket: Bucket): boolean {
  return account === OUTSIDE_ACCOUNT && bucket === 'free'
}

/** Balances of every account in every asset. An account costs memory in an asset once it has been touched there. */
export class Ledger {
  /** By asset. */
  readonly #holdingByAccount: Map<AccountId, Holding>[] = []
  #accountCount = 0

  get assetCount(): number {
    return this.#holdingByAccount.length
  }

  get accountCount(): number {
    return this.#accountCount
  }

  /** Makes the next asset id known. At most `ASSETS_MAX`. */
  addAsset(): void {
    invariant(this.assetCount < ASSETS_MAX, 'the ledger must have room for the asset')
    this.#holdingByAccount.push(new Map())
  }

  /** Makes the next account id known, without any money. At most `ACCOUNTS_MAX`. */
  addAccount(): void {
    invariant(this.#accountCount < ACCOUNTS_MAX, 'the ledger must have room for the account')
    this.#accountCount++
  }

  /** Ledger units in one bucket; at least 0 except in the outside world's `free`. */
  balance(account: AccountId, asset: AssetId, bucket: Bucket): Amount {
    this.#known(account)
    return (this.#holdings(asset).get(account)?.[bucket] ?? NO_AMOUNT) as Amount
  }

  /**
   * Moves `amount` (at least 0) of `asset`. The caller has checked that it is there: moving what a bucket does
   * not hold is a bug, except from the outside world's `free`.
   */
  move(
    asset: AssetId,
    from: AccountId,
    fromBucket: Bucket,
    to: AccountId,
    toBucket: Bucket,
    amount: Amount,
  ): void {
    invariant(amount >= 0n, () => `an amount to move must not be negative, found ${amount}`)
    this.#known(from)
    this.#known(to)
    const source = this.#holding(asset, from)
    const left = source[fromBucket] - amount
    invariant(
      left >= 0n || mayOwe(from, fromBucket),
      () =>
        `account ${from} must hold ${amount} of asset ${asset} in ${fromBucket}, found ${source[fromBucket]}`,
    )
    source[fromBucket] = left
    this.#holding(asset, to)[toBucket] += amount
  }

  /** All of `asset` that the accounts inside own together: what the outside world has put in and not taken out. */
  inExchange(asset: AssetId): Amount {
    return -this.balance(OUTSIDE_ACCOUNT, asset, 'free') as Amount
  }

  /** The accounts that have ever touched `asset`. */
  accountsIn(asset: AssetId): Iterable<AccountId> {
    return this.#holdings(asset).keys()
  }

  /** Adds up every bucket of `asset`; takes time in proportion to the accounts that touched it. */
  audit(asset: AssetId): Audit {
    let sum = 0n
    let negatives = 0
    for (const [account, holding] of this.#holdings(asset)) {
      for (const bucket of BUCKETS) {
        sum += holding[bucket]
        if (holding[bucket] < 0n && !mayOwe(account, bucket)) negatives++
      }
    }
    return { sum: sum as Amount, negatives }
  }

  /** Writes the state; ledgers with equal balances write equal bytes, whatever happened before. */
  write(writer: ByteWriter): void {
    writer.uint(this.#accountCount)
    writer.uint(this.assetCount)
    for (const holdings of this.#holdingByAccount) {
      const accounts: AccountId[] = []
      for (const [account, holding] of holdings) {
        if (!isEmpty(holding)) accounts.push(account)
      }
      accounts.sort((a, b) => a - b)
      writer.uint(accounts.length)
      for (const account of accounts) {
        writer.uint(account)
        for (const bucket of BUCKETS) writer.bigint((holdings.get(account) as Holding)[bucket])
      }
    }
  }

  /** Reads what `write` wrote. Throws `BytesFault` for anything that no ledger can have written. */
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
    const holdings = this.#holdings(asset)
    const rows = count(reader, this.#accountCount, 'holdings')
    let previous = -1
    for (let row = 0; row < rows; row++) {
      const account = reader.uint() as AccountId
      if (account <= previous || account >= this.#accountCount) {
        throw new BytesFault(
          `account ${account} after ${previous} of ${this.#accountCount} in asset ${asset}`,
        )
      }
      previous = account
      const holding = emptyHolding()
      for (const bucket of BUCKETS) holding[bucket] = reader.bigint()
      if (isEmpty(holding)) throw new BytesFault(`account ${account} has nothing of asset ${asset}`)
      holdings.set(account, holding)
    }
    const { sum, negatives } = this.audit(asset)
    if (sum !== 0n || negatives > 0) {
      throw new BytesFault(`asset ${asset} must sum to 0 without debts, found ${sum} and ${negatives} debts`)
    }
  }

  #known(account: AccountId): void {
    invariant(account < this.#accountCount, () => `account ${account} must be below ${this.#accountCount}`)
  }

  #holdings(asset: AssetId): Map<AccountId, Holding> {
    const holdings = this.#holdingByAccount[asset]
    invariant(holdings !== undefined, () => `asset ${asset} must be below ${this.assetCount}`)
    return holdings
  }

  #holding(asset: AssetId, account: AccountId): Holding {
    const holdings = this.#holdings(asset)
    const known = holdings.get(account)
    if (known !== undefined) return known
    const holding = emptyHolding()
    holdings.set(account, holding)
    return holding
  }
}

function count(reader: ByteReader, max: number, what: string): number {
  const value = reader.uint()
  if (value > max) throw new BytesFault(`at most ${max} ${what} expected, found ${value}`)
  return value
}
