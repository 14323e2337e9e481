/** Number of open orders of each account in each symbol: the figure that `openOrdersMax` limits. */
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { SYMBOLS_MAX } from '../../units/limits.ts'
import { NO_RECORD, RecordIndex } from '../../units/record-index.ts'
import { grownFloat64, grownInt32 } from '../../units/typed-arrays.ts'

const FIRST_ROWS = 64

/** A row of typed arrays for each pair that has open orders; the rows of other pairs are reused. */
export class OrderCounts {
  readonly #rowByKey = new RecordIndex(FIRST_ROWS)
  #keys = new Float64Array(FIRST_ROWS)
  #counts = new Int32Array(FIRST_ROWS)
  readonly #vacantRows: number[] = []

  get(account: AccountId, symbol: SymbolId): number {
    const row = this.#rowByKey.find(this.#keys, keyOf(account, symbol))
    return row === NO_RECORD ? 0 : (this.#counts[row] as number)
  }

  increase(account: AccountId, symbol: SymbolId): void {
    const key = keyOf(account, symbol)
    const known = this.#rowByKey.find(this.#keys, key)
    const row = known === NO_RECORD ? this.#add(key) : known
    this.#counts[row] = (this.#counts[row] as number) + 1
  }

  decrease(account: AccountId, symbol: SymbolId): void {
    const key = keyOf(account, symbol)
    const row = this.#rowByKey.find(this.#keys, key)
    invariant(row !== NO_RECORD, 'an open order must be counted')
    const left = (this.#counts[row] as number) - 1
    this.#counts[row] = left
    if (left > 0) return
    this.#rowByKey.remove(this.#keys, key)
    this.#vacantRows.push(row)
  }

  #add(key: number): number {
    const row = this.#vacantRows.pop() ?? this.#rowByKey.count
    if (row === this.#keys.length) {
      this.#keys = grownFloat64(this.#keys, row * 2)
      this.#counts = grownInt32(this.#counts, row * 2)
    }
    this.#keys[row] = key
    this.#rowByKey.add(this.#keys, row)
    return row
  }
}

function keyOf(account: AccountId, symbol: SymbolId): number {
  return account * SYMBOLS_MAX + symbol
}
