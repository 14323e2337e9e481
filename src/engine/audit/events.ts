/**
 * Compares the facts of the numbered feed in history with the journal: each with its number, once, and
 * nothing else.
 */
import type { NumberedEvent } from '../history/numbered-events.ts'
import type { StoredRow } from './actions.ts'
import type { HistoryDifference, HistoryDifferenceKind } from './history.ts'

export type StoredEvent = { readonly number: number; readonly row: StoredRow<NumberedEvent> }

/** At most `limit` stored facts with a number above `number`, oldest first. */
export type EventsAfter = (number: number, limit: number) => readonly StoredEvent[]

/** Number of rows read ahead of the replay. */
const ROWS_AHEAD = 64

export class EventComparison {
  readonly #eventsAfter: EventsAfter
  readonly #report: (difference: HistoryDifference) => void
  #rows: readonly StoredEvent[] = []
  #index = 0
  #readNumber = 0
  #isAtEnd = false

  constructor(eventsAfter: EventsAfter, report: (difference: HistoryDifference) => void) {
    this.#eventsAfter = eventsAfter
    this.#report = report
  }

  /**
   * Compares the next fact in history with this one, which the replay caused at or before history's position.
   */
  compare(event: NumberedEvent): void {
    let found = this.#peek()
    for (; found !== undefined && found.number < event.number; found = this.#peek()) this.#extra(found)
    const what = `event ${event.number}, ${event.kind} (command ${event.seq}),`
    if (found?.number !== event.number) {
      this.#add('MISSING', `${what} is missing from the numbered feed`)
      return
    }
    this.#index++
    if ('damage' in found.row) this.#add('DAMAGED', `the numbered feed's row for ${what} ${found.row.damage}`)
    else if (textOf(found.row.value) !== textOf(event)) {
      this.#add('CHANGED', `${what} differs in the numbered feed, where its kind is ${found.row.value.kind}`)
    }
  }

  /** Ends the comparison: every further row in history is a finding. */
  finish(): void {
    for (let found = this.#peek(); found !== undefined; found = this.#peek()) this.#extra(found)
  }

  /** The next row; undefined at the end. */
  #peek(): StoredEvent | undefined {
    if (this.#index >= this.#rows.length && !this.#isAtEnd) {
      this.#readNumber = this.#rows.at(-1)?.number ?? this.#readNumber
      this.#rows = this.#eventsAfter(this.#readNumber, ROWS_AHEAD)
      this.#index = 0
      this.#isAtEnd = this.#rows.length < ROWS_AHEAD
    }
    return this.#rows[this.#index]
  }

  #extra({ number }: StoredEvent): void {
    this.#index++
    this.#add('EXTRA', `the numbered feed has event ${number}, which the journal did not cause`)
  }

  #add(kind: HistoryDifferenceKind, sentence: string): void {
    this.#report({ kind, sentence })
  }
}

function textOf({ number, seq, time, kind, accountId, actor, note, fields }: NumberedEvent): string {
  return JSON.stringify([number, seq, time, kind, accountId, actor, note, fields])
}
