/**
 * Withdrawals: money that waits in `freeze` until it has left the exchange or is free again. They are
 * remembered forever, so that a repeat is recognized. This class keeps the records and moves no money.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import { KeyedRecords } from '../../units/keyed-records.ts'
import { PENDING_WITHDRAWALS_MAX, TEXT_MAX, WITHDRAWALS_MAX } from '../../units/limits.ts'
import { WITHDRAWAL_STATES } from '../../units/operator-enums.ts'
import { type Amount, isAmount, NO_AMOUNT, type TimeMs } from '../../units/quantities.ts'
import {
  checked,
  integer,
  type ObjectOf,
  object,
  type Shape,
  text,
  uint,
  word,
} from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import type { AskedTerms } from './asked-terms.ts'
import { amountSum, negated } from './money.ts'

/** Maximum number of withdrawals held by operators that are shown to a trader. */
export const HELD_WITHDRAWALS_SHOWN_MAX = 100

const WITHDRAWAL_FIELDS = {
  /** The withdrawal's id, an external reference; the operator chooses it for a withdrawal of its own. */
  reference: text(),
  accountId: uint<AccountId>(),
  assetId: uint<AssetId>(),
  amount: integer<Amount>(),
  state: word(WITHDRAWAL_STATES),
  requestedAt: uint<TimeMs>(),
}

export interface Withdrawal extends ObjectOf<typeof WITHDRAWAL_FIELDS> {
  /** The terms of a withdrawal requested by its trader, while the request is remembered. */
  readonly asked?: AskedTerms
}

/** A withdrawal without the terms of its trader's request, which are stored elsewhere. */
export const WITHDRAWAL: Shape<Withdrawal> = checked(
  object(WITHDRAWAL_FIELDS),
  ({ reference, amount }) => reference.length >= 1 && reference.length <= TEXT_MAX && isAmount(amount, 1),
  ({ reference }) => `withdrawal ${reference} is not valid`,
)

export const { write: writeWithdrawal, read: readWithdrawal } = byteCodec(WITHDRAWAL)

export class Withdrawals {
  readonly #records: KeyedRecords<Withdrawal>
  readonly #pendingMax: number
  readonly #pendingByReference = new Map<string, Withdrawal>()
  /** By account: references of pending withdrawals, in the order of the requests. */
  readonly #pendingByAccount = new Map<AccountId, Set<string>>()
  /** By `account/asset`: the amount pending in `freeze`. */
  readonly #heldByPlace = new Map<string, Amount>()

  /** Lower in tests; in the rules these are the limits of `units/limits.ts`. */
  constructor(max = WITHDRAWALS_MAX, pendingMax = PENDING_WITHDRAWALS_MAX) {
    this.#records = new KeyedRecords(({ reference }) => reference, max)
    this.#pendingMax = pendingMax
  }

  get size(): number {
    return this.#records.size
  }

  /** Whether no more withdrawals can be remembered. */
  get isFull(): boolean {
    return this.#records.isFull
  }

  /** Whether no more withdrawals can be pending. */
  get isBusy(): boolean {
    return this.#pendingByReference.size >= this.#pendingMax
  }

  get(reference: string): Withdrawal | undefined {
    return this.#records.get(reference)
  }

  /** Pending withdrawals, in no particular order. */
  pending(): Withdrawal[] {
    return [...this.#pendingByReference.values()]
  }

  /**
   * The first `most` pending withdrawals of an account held by operators, in the order of the requests. This
   * also reads withdrawals requested by the trader, of which the rules allow a limited number.
   */
  heldByOperators(accountId: AccountId, most: number): Withdrawal[] {
    const held: Withdrawal[] = []
    for (const reference of this.#pendingByAccount.get(accountId) ?? []) {
      if (held.length >= most) break
      const withdrawal = this.#pendingByReference.get(reference)
      if (withdrawal !== undefined && withdrawal.asked === undefined) held.push(withdrawal)
    }
    return held
  }

  /** The part of an account's `freeze` that belongs to pending withdrawals. */
  held(accountId: AccountId, assetId: AssetId): Amount {
    return this.#heldByPlace.get(`${accountId}/${assetId}`) ?? NO_AMOUNT
  }

  /** Adds a new withdrawal, or the new state of a known one. */
  put(withdrawal: Withdrawal): void {
    const before = this.#records.get(withdrawal.reference)
    if (before?.state === 'PENDING') this.#addHeld(before, negated(before.amount))
    this.#records.put(withdrawal)
    if (withdrawal.state === 'PENDING') this.#addPending(withdrawal)
    else this.#deletePending(withdrawal)
  }

  /** Forgets an ended withdrawal. */
  forget(reference: string): void {
    invariant(
      !this.#pendingByReference.has(reference),
      () => `withdrawal ${reference} that waits cannot be forgotten`,
    )
    this.#records.delete(reference)
  }

  write(w: ByteWriter): void {
    this.#records.write(w, writeWithdrawal)
  }

  /** Fills an empty list from the output of `write`; throws `BytesFault`. */
  read(r: ByteReader): void {
    this.#records.read(r, readWithdrawal)
    for (const withdrawal of this.#records.values()) {
      if (withdrawal.state === 'PENDING') this.#addPending(withdrawal)
    }
    const waiting = this.#pendingByReference.size
    if (waiting > this.#pendingMax) {
      throw new BytesFault(`expected at most ${this.#pendingMax} pending withdrawals, found ${waiting}`)
    }
  }

  #addPending(withdrawal: Withdrawal): void {
    const { reference, accountId } = withdrawal
    this.#pendingByReference.set(reference, withdrawal)
    const own = this.#pendingByAccount.get(accountId)
    if (own === undefined) this.#pendingByAccount.set(accountId, new Set([reference]))
    else own.add(reference)
    this.#addHeld(withdrawal, withdrawal.amount)
  }

  #deletePending({ reference, accountId }: Withdrawal): void {
    this.#pendingByReference.delete(reference)
    const own = this.#pendingByAccount.get(accountId)
    if (own?.delete(reference) === true && own.size === 0) this.#pendingByAccount.delete(accountId)
  }

  #addHeld({ accountId, assetId }: Withdrawal, change: Amount): void {
    const place = `${accountId}/${assetId}`
    const held = amountSum(this.#heldByPlace.get(place) ?? NO_AMOUNT, change)
    if (held === 0) this.#heldByPlace.delete(place)
    else this.#heldByPlace.set(place, held)
  }
}
