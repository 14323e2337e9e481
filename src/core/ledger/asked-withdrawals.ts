/**
 * Withdrawals requested by traders: by account, by the trader's own id, and the time until which they are
 * remembered (docs/reference/withdrawals.md#how-long-a-withdrawal-is-remembered). The records themselves are
 * those of `withdrawals.ts`.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import {
  ASKED_WITHDRAWAL_LIFETIME_MS,
  ASKED_WITHDRAWALS_FORGOTTEN_MAX,
  ASKED_WITHDRAWALS_MAX,
  ASKED_WITHDRAWALS_PER_ACCOUNT_MAX,
} from '../../units/limits.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { type AskedEnd, type AskedTerms, readAsked, writeAsked } from './asked-terms.ts'
import type { Withdrawal, Withdrawals } from './withdrawals.ts'

export type AskedWithdrawal = Withdrawal & { readonly asked: AskedTerms }

export type AskedLimits = {
  readonly perAccount: number
  readonly inAll: number
  /** Time for which a withdrawal is remembered after its end. */
  readonly lifetimeMs: number
}

/** The limits required by the rules. */
export const ASKED_LIMITS: AskedLimits = {
  perAccount: ASKED_WITHDRAWALS_PER_ACCOUNT_MAX,
  inAll: ASKED_WITHDRAWALS_MAX,
  lifetimeMs: ASKED_WITHDRAWAL_LIFETIME_MS,
}

export class AskedWithdrawals {
  readonly #withdrawals: Withdrawals
  readonly #limits: AskedLimits
  /** References. Their alphabetical order is the order of the requests. */
  readonly #byAccount = new Map<AccountId, Set<string>>()
  /** References by account and the trader's own id. */
  readonly #referenceByOwnId = new Map<string, string>()
  /** References of pending withdrawals, in the order of the requests. */
  readonly #waiting = new Set<string>()
  /** References of ended withdrawals, in the order of their ends. */
  readonly #ended = new Set<string>()

  constructor(withdrawals: Withdrawals, limits = ASKED_LIMITS) {
    this.#withdrawals = withdrawals
    this.#limits = limits
  }

  get count(): number {
    return this.#waiting.size + this.#ended.size
  }

  /** Whether one more withdrawal of an account can be remembered. */
  hasRoom(accountId: AccountId): boolean {
    const count = this.#byAccount.get(accountId)?.size ?? 0
    return this.count < this.#limits.inAll && count < this.#limits.perAccount
  }

  /** The account's withdrawal with this id, which the trader chose. */
  find(accountId: AccountId, withdrawOrderId: string): AskedWithdrawal | undefined {
    const reference = this.#referenceByOwnId.get(ownKey(accountId, withdrawOrderId))
    return reference === undefined ? undefined : this.#at(reference)
  }

  /** The remembered withdrawals of an account, newest first. */
  of(accountId: AccountId): AskedWithdrawal[] {
    const references = [...(this.#byAccount.get(accountId) ?? [])].sort()
    return references.map((reference) => this.#at(reference)).reverse()
  }

  /** Ended withdrawals in the order of their ends, then pending ones. */
  values(): AskedWithdrawal[] {
    return [...this.#ended, ...this.#waiting].map((reference) => this.#at(reference))
  }

  /** Remembers a new pending withdrawal, for which there must be room. */
  add(withdrawal: AskedWithdrawal): void {
    const { reference, accountId, asked } = withdrawal
    const own = this.#byAccount.get(accountId)
    if (own === undefined) this.#byAccount.set(accountId, new Set([reference]))
    else own.add(reference)
    if (asked.withdrawOrderId !== undefined)
      this.#referenceByOwnId.set(ownKey(accountId, asked.withdrawOrderId), reference)
    if (asked.end === undefined) this.#waiting.add(reference)
    else this.#ended.add(reference)
    this.#withdrawals.put(withdrawal)
  }

  /** Applies the new state of a withdrawal. */
  change(withdrawal: AskedWithdrawal): void {
    this.#withdrawals.put(withdrawal)
    if (withdrawal.asked.end === undefined) return
    this.#waiting.delete(withdrawal.reference)
    this.#ended.add(withdrawal.reference)
  }

  /**
   * Forgets withdrawals in the order in which their time ran out, at most `ASKED_WITHDRAWALS_FORGOTTEN_MAX`.
   */
  forgetDue(time: TimeMs): void {
    if (this.#ended.size === 0) return
    let left = ASKED_WITHDRAWALS_FORGOTTEN_MAX
    for (const reference of this.#ended) {
      const { end } = this.#at(reference).asked
      if (left-- === 0 || end === undefined || end.at + this.#limits.lifetimeMs > time) return
      this.#forget(reference)
    }
  }

  /** Ended withdrawals in the order of their ends, then pending ones. */
  write(w: ByteWriter): void {
    for (const references of [this.#ended, this.#waiting]) {
      w.uint(references.size)
      for (const reference of references) {
        w.text(reference)
        writeAsked(w, this.#at(reference).asked)
      }
    }
  }

  /**
   * Fills an empty list from the output of `write`; the fields that every withdrawal has were read before.
   * Throws `BytesFault`.
   */
  read(r: ByteReader, time: TimeMs): void {
    let last = 0
    for (let left = r.uint(); left > 0; left--) {
      const { asked } = this.#readOne(r)
      if (asked.end === undefined || asked.end.at < last || asked.end.at > time) throw impossible(r)
      last = asked.end.at
    }
    for (let left = r.uint(); left > 0; left--) {
      if (this.#readOne(r).asked.end !== undefined) throw impossible(r)
    }
  }

  #readOne(r: ByteReader): AskedWithdrawal {
    const known = this.#withdrawals.get(r.text())
    const asked = readAsked(r)
    const { withdrawOrderId, claimedAt } = asked
    if (known === undefined || known.asked !== undefined || !isEndOf(asked.end, known)) throw impossible(r)
    const isNew = withdrawOrderId === undefined || this.find(known.accountId, withdrawOrderId) === undefined
    const isClaimable = claimedAt === undefined || claimedAt >= known.requestedAt
    if (!isNew || !isClaimable || !this.hasRoom(known.accountId)) throw impossible(r)
    const withdrawal = { ...known, asked }
    this.add(withdrawal)
    return withdrawal
  }

  /** A paid withdrawal is remembered forever; an unpaid one is forgotten. */
  #forget(reference: string): void {
    const { asked, ...withdrawal } = this.#at(reference)
    const { accountId, state } = withdrawal
    this.#ended.delete(reference)
    const own = this.#byAccount.get(accountId)
    if (own?.delete(reference) === true && own.size === 0) this.#byAccount.delete(accountId)
    if (asked.withdrawOrderId !== undefined)
      this.#referenceByOwnId.delete(ownKey(accountId, asked.withdrawOrderId))
    if (state === 'COMPLETED') this.#withdrawals.put(withdrawal)
    else this.#withdrawals.forget(reference)
  }

  #at(reference: string): AskedWithdrawal {
    const withdrawal = this.#withdrawals.get(reference)
    invariant(isAsked(withdrawal), () => `withdrawal ${reference} must be one that its trader has asked for`)
    return withdrawal
  }
}

/** Whether its trader requested the withdrawal, and its request is still remembered. */
export function isAsked(withdrawal: Withdrawal | undefined): withdrawal is AskedWithdrawal {
  return withdrawal?.asked !== undefined
}

function ownKey(accountId: AccountId, withdrawOrderId: string): string {
  return `${accountId} ${withdrawOrderId}`
}

function isEndOf(end: AskedEnd | undefined, { state, requestedAt }: Withdrawal): boolean {
  if (end === undefined) return state === 'PENDING'
  const expected = end.canceledBy === undefined ? 'COMPLETED' : 'CANCELED'
  return state === expected && end.at >= requestedAt
}

function impossible(r: ByteReader): BytesFault {
  return new BytesFault(`the withdrawal request before byte ${r.at} is not valid`)
}
