/** Stored updates of accounts against those that a replay causes, in the order in which both have them. */

import type { HistoryNames } from '../../../engine/audit/history.ts'
import { UPDATES_KEPT_COMMANDS } from '../../../engine/history/account-updates.ts'
import { readUpdates, type StoredUpdate, type UpdateBlock } from '../../../engine/history/update-codec.ts'
import { BytesFault } from '../../../units/bytes.ts'
import type { Seq } from '../../../units/quantities.ts'
import { DamagedRowFault, type Row } from './check.ts'
import type { ReportDifference } from './lists/comparison.ts'
import { updatesOfRow } from './updates.ts'

export type UpdateComparisonOptions = {
  /** The row after one with this last command: last command, accounts, updates; undefined: there is none. */
  readonly rowAfter: (last: number) => Row | undefined
  /** Where history stands. */
  readonly position: Seq
  readonly names: HistoryNames
  readonly report: ReportDifference
}

export class UpdateComparison {
  readonly #options: UpdateComparisonOptions
  /** Up to here they need not be kept any more. */
  readonly #keptAfter: number
  /** Those of the row that is being compared, and how many of them have been. */
  #found: readonly StoredUpdate[] = []
  #at = 0
  /** The last command of that row. */
  #last = 0
  /** Up to here nothing can be said: a row is damaged. */
  #damagedTo = 0

  constructor(options: UpdateComparisonOptions) {
    this.#options = options
    this.#keptAfter = options.position - UPDATES_KEPT_COMMANDS
  }

  /** The replay has caused these, the next ones, at or before history's position. */
  compare({ data }: UpdateBlock): void {
    readUpdates(
      data,
      () => true,
      (expected) => this.#compare(expected),
    )
  }

  /** The replay has caused all that history may have. */
  finish(): void {
    for (let found = this.#peek(); found !== undefined; found = this.#peek()) this.#extra(found)
  }

  #compare(expected: StoredUpdate): void {
    if (expected.seq <= this.#keptAfter) return
    let found = this.#peek()
    for (; found !== undefined && found.seq < expected.seq; found = this.#peek()) this.#extra(found)
    if (expected.seq <= this.#damagedTo) return
    if (found?.seq !== expected.seq || found.accountId !== expected.accountId) {
      this.#options.report({ kind: 'MISSING', sentence: `${this.#nameOf(expected)} is missing` })
      return
    }
    this.#at++
    if (Bun.deepEquals(found, expected)) return
    const sentence = `${this.#nameOf(expected)} says something else than the journal caused`
    this.#options.report({ kind: 'CHANGED', sentence })
  }

  /** The next stored one; undefined at the end. */
  #peek(): StoredUpdate | undefined {
    while (this.#at >= this.#found.length) {
      const row = this.#options.rowAfter(this.#last)
      if (row === undefined) return undefined
      this.#last = Number(row[0])
      this.#at = 0
      this.#found = this.#read(row)
    }
    return this.#found[this.#at]
  }

  #read([last, accounts, data]: Row): StoredUpdate[] {
    const found: StoredUpdate[] = []
    try {
      const { named, bytes } = updatesOfRow(Number(last), accounts, data)
      readUpdates(
        bytes,
        () => true,
        (update) => {
          if (!named.has(update.accountId)) {
            throw new DamagedRowFault(`account ${update.accountId} has updates, and is not named`)
          }
          if (update.seq > this.#keptAfter) found.push(update)
        },
      )
      return found
    } catch (fault) {
      if (!(fault instanceof DamagedRowFault || fault instanceof BytesFault)) throw fault
      this.#damagedTo = Number(last)
      const sentence = `the updates of accounts up to command ${last}: ${fault.message}`
      this.#options.report({ kind: 'DAMAGED', sentence })
      return []
    }
  }

  #extra(found: StoredUpdate): void {
    this.#at++
    const sentence = `${this.#nameOf(found)} stands in history, the journal caused no such update`
    this.#options.report({ kind: 'EXTRA', sentence })
  }

  #nameOf({ seq, accountId }: StoredUpdate): string {
    return `the update of ${this.#options.names.account(accountId)} (command ${seq})`
  }
}
