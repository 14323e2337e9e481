/**
 * External references: each identifies one transfer forever, so that a repeated credit, debit or move is
 * recognized and carried out once. Balances are not part of this.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { wordAt, wordIndex } from '../../units/field-codec.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { REFERENCES_MAX } from '../../units/limits.ts'
import { BUCKETS, type Bucket } from '../../units/order-enums.ts'
import type { Amount } from '../../units/quantities.ts'
import { NO_RECORD } from '../../units/record-index.ts'
import { TextIndex } from '../../units/text-index.ts'
import { grownInt32 } from '../../units/typed-arrays.ts'
import { WholeColumn } from '../../units/whole-column.ts'

/**
 * The transfer of a reference: its move in the ledger. A credit comes from the outside world's `free`, a
 * debit goes there, a move between buckets stays in one account.
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
 * `NEW`: never used. `SAME`: used for this very transfer. `CONFLICT`: used for another transfer. `FULL`:
 * never used, and no more can be remembered.
 */
export type ReferenceUse = 'NEW' | 'SAME' | 'CONFLICT' | 'FULL'

const FIRST_ROWS = 16

/**
 * All references ever used, in the order of their first use. They are in typed arrays, a row for each, since
 * there are millions.
 */
export class References {
  readonly #texts = new TextIndex()
  readonly #max: number
  /** By number of the text. */
  #assets = new Int32Array(FIRST_ROWS)
  #from = new Int32Array(FIRST_ROWS)
  #to = new Int32Array(FIRST_ROWS)
  /** The place of `fromBucket` in `BUCKETS`, times the number of buckets, plus the place of `toBucket`. */
  #buckets = new Int32Array(FIRST_ROWS)
  readonly #amounts = new WholeColumn<Amount>(FIRST_ROWS)

  /** `max` is the number of references remembered: `REFERENCES_MAX` in the rules, fewer in tests. */
  constructor(max = REFERENCES_MAX) {
    this.#max = max
  }

  get count(): number {
    return this.#texts.count
  }

  /** The result of using `reference` for `transfer`. Changes nothing. */
  check(reference: string, transfer: Transfer): ReferenceUse {
    const known = this.#texts.find(reference)
    if (known !== NO_RECORD) return this.#isSame(known, transfer) ? 'SAME' : 'CONFLICT'
    return this.count < this.#max ? 'NEW' : 'FULL'
  }

  /** Whether the reference was ever used. */
  has(reference: string): boolean {
    return this.#texts.find(reference) !== NO_RECORD
  }

  /** Binds `reference` to `transfer` permanently. `check` must return `NEW` for them. */
  remember(reference: string, transfer: Transfer): void {
    const use = this.check(reference, transfer)
    invariant(use === 'NEW', () => `reference ${reference} must be new, found ${use}`)
    const { assetId, from, fromBucket, to, toBucket, amount } = transfer
    const buckets = wordIndex(BUCKETS, fromBucket) * BUCKETS.length + wordIndex(BUCKETS, toBucket)
    this.#set(this.#texts.add(reference), assetId, from, to, buckets, amount)
  }

  /** Writes the references in the order of their first use: equal histories write equal bytes. */
  write(writer: ByteWriter): void {
    writer.uint(this.count)
    for (let number = 0; number < this.count; number++) {
      const buckets = this.#buckets[number] as number
      writer.bytes(this.#texts.bytesAt(number))
      writer.uint(this.#assets[number] as number)
      writer.uint(this.#from[number] as number)
      writer.u8(Math.floor(buckets / BUCKETS.length))
      writer.uint(this.#to[number] as number)
      writer.u8(buckets % BUCKETS.length)
      writer.whole(this.#amounts.get(number))
    }
  }

  /** Reads the output of `write`. Throws `BytesFault` for anything else. */
  static read(reader: ByteReader): References {
    const references = new References()
    const count = reader.uint()
    if (count > REFERENCES_MAX)
      throw new BytesFault(`expected at most ${REFERENCES_MAX} references, found ${count}`)
    for (let i = 0; i < count; i++) references.#readNext(reader)
    return references
  }

  #readNext(reader: ByteReader): void {
    const number = this.#texts.addBytes(reader.textBytes())
    if (number === NO_RECORD) throw new BytesFault(`a reference before byte ${reader.at} appears twice`)
    const asset = reader.uint()
    const from = reader.uint()
    const fromBucket = bucketPlace(reader)
    const to = reader.uint()
    const buckets = fromBucket * BUCKETS.length + bucketPlace(reader)
    this.#set(number, asset, from, to, buckets, reader.whole() as Amount)
    const isKept = this.#assets[number] === asset && this.#from[number] === from && this.#to[number] === to
    if (!isKept) throw new BytesFault(`the transfer of a reference before byte ${reader.at} is not valid`)
  }

  #set(number: number, asset: number, from: number, to: number, buckets: number, amount: Amount): void {
    if (number === this.#assets.length) this.#grow(number * 2)
    this.#assets[number] = asset
    this.#from[number] = from
    this.#to[number] = to
    this.#buckets[number] = buckets
    this.#amounts.set(number, amount)
  }

  #isSame(number: number, { assetId, from, fromBucket, to, toBucket, amount }: Transfer): boolean {
    return (
      this.#assets[number] === assetId &&
      this.#from[number] === from &&
      this.#to[number] === to &&
      this.#buckets[number] === BUCKETS.indexOf(fromBucket) * BUCKETS.length + BUCKETS.indexOf(toBucket) &&
      this.#amounts.get(number) === amount
    )
  }

  #grow(rows: number): void {
    this.#assets = grownInt32(this.#assets, rows)
    this.#from = grownInt32(this.#from, rows)
    this.#to = grownInt32(this.#to, rows)
    this.#buckets = grownInt32(this.#buckets, rows)
    this.#amounts.grow(rows)
  }
}

/** The place of a bucket in `BUCKETS`, as `writeWord` writes it. */
function bucketPlace(reader: ByteReader): number {
  const place = reader.u8()
  wordAt(reader, BUCKETS, place)
  return place
}
