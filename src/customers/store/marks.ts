/**
 * The number of each person's last change of factors, as the exchange's journal counts it. A store with a
 * lower number is an older copy: none of its credentials may sign that person in.
 */
import type { StoreParts } from './people.ts'

/** A change that is stored but not journaled yet. */
export type WantedEpoch = {
  readonly owner: string
  readonly account: string
  readonly epoch: number
  readonly wanted_epoch: number
}

export type PersonMark = {
  readonly owner: string
  readonly epoch: number
  readonly wanted_epoch: number | null
}

export class Marks {
  readonly #db: StoreParts['db']

  constructor({ db }: Pick<StoreParts, 'db'>) {
    this.#db = db
  }

  of(account: string): PersonMark | undefined {
    const sql = 'SELECT owner, epoch, wanted_epoch FROM person WHERE account = ?'
    return this.#db.get<PersonMark>(sql, account)
  }

  /** Called in the transaction that stores a change, which the journal must then count. */
  want(owner: string): void {
    const sql = 'UPDATE person SET wanted_epoch = coalesce(wanted_epoch, epoch) + 1 WHERE owner = ?'
    this.#db.run(sql, owner)
  }

  /** Records that the journal has reached this number. */
  reached(owner: string, epoch: number): void {
    const sql = `UPDATE person SET epoch = CASE WHEN epoch > ?2 THEN epoch ELSE ?2 END,
      wanted_epoch = CASE WHEN wanted_epoch > ?2 THEN wanted_epoch END
      WHERE owner = ?1`
    this.#db.run(sql, owner, epoch)
  }

  /** The changes that the journal must still count; those of all persons if `owner` is undefined. */
  wanted(owner?: string): readonly WantedEpoch[] {
    const sql = `SELECT owner, account, epoch, wanted_epoch FROM person
      WHERE wanted_epoch IS NOT NULL AND state = 'ACTIVE' AND (?1 = '' OR owner = ?1)`
    return this.#db.all<WantedEpoch>(sql, owner ?? '')
  }

  /** Records that the journal has later changes: no credential in this store may sign this person in. */
  makeOld(owner: string): void {
    this.#db.run('UPDATE person SET is_old = 1 WHERE owner = ?', owner)
  }

  /** Records that the older copy has no credentials left that could sign in. */
  makeNew(owner: string): void {
    this.#db.run('UPDATE person SET is_old = 0 WHERE owner = ?', owner)
  }

  isOld(owner: string): boolean {
    const sql = 'SELECT is_old FROM person WHERE owner = ?'
    return this.#db.get<{ is_old: number }>(sql, owner)?.is_old === 1
  }
}
