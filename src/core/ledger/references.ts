/**
 * External references: each names one transfer for ever, so that a repeated credit, debit or move is recognised
 * and done once. Knows nothing of balances.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readWord, writeWord } from '../../units/field-codec.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { REFERENCES_MAX } from '../../units/limits.ts'
import { BUCKETS, type Bucket } from '../../units/order-words.ts'
import type { Amount } from '../../units/quantities.ts'

/**
 * What a reference stands for: the very move that it makes in the ledger. A credit comes from the outside
 * world's `free`, a debit goes there, a move between buckets stays in one account.
 */
export type Transfer = {
  readonly assetId: AssetId
  readonly from: AccountId
  readonly fromBucket: Bucket
  readonly to: AccountId
  readonly toBucket: Bucket
  readonly amount: Amount
}

/**
 * `NEW`: never used. `SAME`: used for this very transfer. `CONFLICT`: used for another one. `FULL`: never used,
 * and no more can be remembered.
 */
export type ReferenceUse = 'NEW' | 'SAME' | 'CONFLICT' | 'FULL'

function isSame(a: Transfer, b: Transfer): boolean {
  return (
    a.assetId === b.assetId &&
    a.from === b.from &&
    a.fromBucket === b.fromBucket &&
    a.to === b.to &&
    a.toBucket === b.toBucket &&
    a.amount === b.amount
  )
}

/** All references ever used, in the order of their first use. */
export class References {
  readonly #transferByReference = new Map<string, Transfer>()
  readonly #max: number

  /** `max`: how many are remembered, for tests; the rules say `REFERENCES_MAX`. */
  constructor(max = REFERENCES_MAX) {
    this.#max = max
  }

  get count(): number {
    return this.#transferByReference.size
  }

  /** What using `reference` for `transfer` would be. Changes nothing. */
  check(reference: string, transfer: Transfer): ReferenceUse {
    const known = this.#transferByReference.get(reference)
    if (known !== undefined) return isSame(known, transfer) ? 'SAME' : 'CONFLICT'
    return this.count < this.#max ? 'NEW' : 'FULL'
  }

  /** Ties `reference` to `transfer` for ever; `check` has said `NEW`. */
  remember(reference: string, transfer: Transfer): void {
    const use = this.check(reference, transfer)
    invariant(use === 'NEW', () => `reference ${reference} must be new, found ${use}`)
    const { assetId, from, fromBucket, to, toBucket, amount } = transfer
    this.#transferByReference.set(reference, { assetId, from, fromBucket, to, toBucket, amount })
  }

  /** Writes them in the order of their first use: equal histories write equal bytes. */
  write(writer: ByteWriter): void {
    writer.uint(this.count)
    for (const [reference, transfer] of this.#transferByReference) {
      writer.text(reference)
      writer.uint(transfer.assetId)
      writer.uint(transfer.from)
      writeWord(writer, BUCKETS, transfer.fromBucket)
      writer.uint(transfer.to)
      writeWord(writer, BUCKETS, transfer.toBucket)
      writer.bigint(transfer.amount)
    }
  }

  /** Reads what `write` wrote. Throws `BytesFault` for anything else. */
  static read(reader: ByteReader): References {
    const references = new References()
    const count = reader.uint()
    for (let i = 0; i < count; i++) {
      const reference = reader.text()
      const transfer: Transfer = {
        assetId: reader.uint() as AssetId,
        from: reader.uint() as AccountId,
        fromBucket: readWord(reader, BUCKETS),
        to: reader.uint() as AccountId,
        toBucket: readWord(reader, BUCKETS),
        amount: reader.bigint() as Amount,
      }
      const use = references.check(reference, transfer)
      if (use !== 'NEW') throw new BytesFault(`reference ${i} of ${count} must be new, found ${use}`)
      references.#transferByReference.set(reference, transfer)
    }
    return references
  }
}
