/**
 * Compares the audit trail in history with the journal: every command of an operator, with its time, actor,
 * note and answer, exactly once, and nothing else. The replay supplies the commands in order; history is read
 * alongside.
 */

import type { Command } from '../../core/commands/command.ts'
import { writeCommand } from '../../core/commands/command-codec.ts'
import type { Reply } from '../../core/questions/reply.ts'
import { writeReply } from '../../core/questions/reply-codec.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { Seq } from '../../units/quantities.ts'
import type { OperatorAction } from '../port/ports.ts'
import type { HistoryDifference, HistoryDifferenceKind } from './history.ts'

/** The content of a row, or `damage`: the reason why the row cannot be trusted. */
export type StoredRow<Value> = { readonly value: Value } | { readonly damage: string }

export type StoredAction = { readonly seq: Seq; readonly row: StoredRow<OperatorAction> }

/** At most `limit` stored actions after command `seq`, oldest first. */
export type ActionsAfter = (seq: Seq, limit: number) => readonly StoredAction[]

/** Number of rows read ahead of the replay. */
const ROWS_AHEAD = 64

export class ActionComparison {
  readonly #actionsAfter: ActionsAfter
  readonly #report: (difference: HistoryDifference) => void
  readonly #writer = new ByteWriter()
  #rows: readonly StoredAction[] = []
  #index = 0
  #readSeq = 0 as Seq
  #isAtEnd = false

  constructor(actionsAfter: ActionsAfter, report: (difference: HistoryDifference) => void) {
    this.#actionsAfter = actionsAfter
    this.#report = report
  }

  /**
   * Compares the next action in history with this one, which the replay carried out at or before history's
   * position.
   */
  compare(action: OperatorAction): void {
    let found = this.#peek()
    for (; found !== undefined && found.seq < action.seq; found = this.#peek()) this.#extra(found)
    const what = `${action.command.kind} by ${action.command.operator.actor} (command ${action.seq})`
    if (found?.seq !== action.seq) {
      this.#add('MISSING', `${what} is missing from the audit trail`)
      return
    }
    this.#index++
    if ('damage' in found.row) this.#add('DAMAGED', `the audit trail's row for ${what}: ${found.row.damage}`)
    else this.#differences(what, action, found.row.value)
  }

  /** Ends the comparison: every further row in history is a finding. */
  finish(): void {
    for (let found = this.#peek(); found !== undefined; found = this.#peek()) this.#extra(found)
  }

  #differences(what: string, expected: OperatorAction, found: OperatorAction): void {
    const changed = [
      ...(found.time === expected.time ? [] : ['time']),
      ...(found.accountId === expected.accountId ? [] : ['account']),
      ...(this.#commandText(found.command) === this.#commandText(expected.command) ? [] : ['command']),
      ...(this.#replyText(found.reply) === this.#replyText(expected.reply) ? [] : ['outcome']),
    ]
    if (changed.length > 0)
      this.#add('CHANGED', `the audit trail has a different ${changed.join(' and ')} for ${what}`)
  }

  #commandText(command: Command): string {
    this.#writer.reset()
    writeCommand(this.#writer, command)
    return this.#writer.peek().join()
  }

  #replyText(reply: Reply): string {
    this.#writer.reset()
    writeReply(this.#writer, reply)
    return this.#writer.peek().join()
  }

  /** The next row; undefined at the end. */
  #peek(): StoredAction | undefined {
    if (this.#index >= this.#rows.length && !this.#isAtEnd) {
      this.#readSeq = this.#rows.at(-1)?.seq ?? this.#readSeq
      this.#rows = this.#actionsAfter(this.#readSeq, ROWS_AHEAD)
      this.#index = 0
      this.#isAtEnd = this.#rows.length < ROWS_AHEAD
    }
    return this.#rows[this.#index]
  }

  #extra({ seq }: StoredAction): void {
    this.#index++
    this.#add(
      'EXTRA',
      `the audit trail has command ${seq}, which is not an operator's command in the journal`,
    )
  }

  #add(kind: HistoryDifferenceKind, sentence: string): void {
    this.#report({ kind, sentence })
  }
}
