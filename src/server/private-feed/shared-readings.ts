/**
 * Answers of history that others of the same account want too: an update that no connection takes at once has all who follow the account
 * read it, and it is read and put into words once. What has happened never changes, so an answer is good for ever; few are kept.
 */
import type { AccountUpdates, UpdatesAnswer } from '../../engine/port/ports.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'

/** The newest answer of so many accounts, each of a few thousand rows and one long update at most. */
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

  /** Nobody follows the account any more. */
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
