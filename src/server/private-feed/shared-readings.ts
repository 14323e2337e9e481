/**
 * Answers of history that several readers of the same account need: an update that no connection takes at
 * once makes all readers of the account read it, and it is read and formatted once. Past events never change,
 * so an answer is valid forever; few are kept.
 */
import type { AccountUpdates, UpdatesAnswer } from '../../engine/port/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'

/** The newest answer of this number of accounts, each of a few thousand rows and at most one long update. */
const ANSWERS_MAX = 4

type Kept = AccountUpdates & { readonly after: Seq }

export class SharedReadings {
  /** Oldest first. */
  readonly #keptByAccount = new Map<AccountId, Kept>()
  readonly #read: (accountId: AccountId, after: Seq) => Promise<UpdatesAnswer>

  constructor(read: (accountId: AccountId, after: Seq) => Promise<UpdatesAnswer>) {
    this.#read = read
  }

  /** The updates of an account after a command, or the first of them. */
  async after(accountId: AccountId, after: Seq): Promise<UpdatesAnswer> {
    const kept = this.#keptByAccount.get(accountId)
    if (kept !== undefined && kept.after <= after && after < kept.upTo) {
      return { updates: kept.updates.filter(({ seq }) => seq > after), upTo: kept.upTo }
    }
    const answer = await this.#read(accountId, after)
    if (answer !== 'TOO_OLD' && answer.updates.length > 0) this.#keep(accountId, { ...answer, after })
    return answer
  }

  /** Drops the answers of an account that has no followers any more. */
  forget(accountId: AccountId): void {
    this.#keptByAccount.delete(accountId)
  }

  #keep(accountId: AccountId, kept: Kept): void {
    this.#keptByAccount.delete(accountId)
    this.#keptByAccount.set(accountId, kept)
    for (const oldest of this.#keptByAccount.keys()) {
      if (this.#keptByAccount.size <= ANSWERS_MAX) return
      this.#keptByAccount.delete(oldest)
    }
  }
}
