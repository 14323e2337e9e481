/** Compares stored updates of accounts with those of a replay, in the order of both. */

import type { HistoryNames } from '../../../engine/audit/history.ts'
import { UPDATES_KEPT_COMMANDS } from '../../../engine/history/account-updates.ts'
import { readUpdates, type StoredUpdate, type UpdateBlock } from '../../../engine/history/update-codec.ts'
import { BytesFault } from '../../../units/bytes.ts'
import type { Seq } from '../../../units/quantities.ts'
import { DamagedRowFault, type Row } from './check.ts'
import type { ReportDifference } from './lists/comparison.ts'
import { updatesOfRow } from './updates.ts'

export type UpdateComparisonOptions = {
  /**
   * The row after the one with this last command: its last command, accounts and updates; undefined if there
   * is none.
   */
  readonly rowAfter: (last: number) => Row | undefined
  /** The position of history. */
  readonly position: Seq
  readonly names: HistoryNames
  readonly report: ReportDifference
}

export class UpdateComparison {
  readonly #options: UpdateComparisonOptions
  /** Updates up to this command need not be stored any more. */
  readonly #keptAfter: number
  /** The updates of the row being compared, and the number already compared. */
  #found: readonly StoredUpdate[] = []
  #at = 0
  /** The last command of that row. */
  #last = 0
  /** Updates up to this command are unknown, because a row is damaged. */
  #damagedTo = 0

  constructor(options: UpdateComparisonOptions) {
    this.#options = options
    this.#keptAfter = options.position - UPDATES_KEPT_COMMANDS
  }

  /** Compares the next updates from the replay, which are at or before history's position. */
  compare({ data }: UpdateBlock): void {
    readUpdates(
      data,
      () => true,
      (expected) => this.#compare(expected),
    )
  }

  /** Must be called when the replay has produced all updates up to history's position. */
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
    const sentence = `${this.#nameOf(expected)} differs from the journal`
    this.#options.report({ kind: 'CHANGED', sentence })
  }

  /** The next stored update; undefined at the end. */
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
            throw new DamagedRowFault(`account ${update.accountId} has updates but is not listed`)
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
    const sentence = `${this.#nameOf(found)} is in history, but the journal has no such update`
    this.#options.report({ kind: 'EXTRA', sentence })
  }

  #nameOf({ seq, accountId }: StoredUpdate): string {
    return `the update of ${this.#options.names.account(accountId)} (command ${seq})`
  }
}
