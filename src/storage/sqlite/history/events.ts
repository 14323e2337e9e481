/**
 * The numbered feed in history.sqlite: a row for each fact caused by an operator's command, by its number.
 * Trades are read from their own blocks: an order writes nothing here.
 */

import type { Database } from 'bun:sqlite'
import type { PastEventRange } from '../../../engine/history/history.ts'
import type { EventFields, FeedEvent, NumberedEvent } from '../../../engine/history/numbered-events.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { EVENT_KINDS } from '../../../units/event-enums.ts'
import type { AccountId } from '../../../units/ids.ts'
import { seq, timeMs } from '../../../units/quantities.ts'
import { checked, DamagedRowFault, type Row, verify } from './check.ts'
import { finalizeAll, prepareAll, type Statements } from './statements.ts'

/** `account` is -1 if the fact concerns no account; `fields` is JSON. */
export const EVENT_TABLE = `
CREATE TABLE event (
  number INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  account INTEGER NOT NULL,
  actor TEXT NOT NULL,
  note TEXT NOT NULL,
  fields TEXT NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;

CREATE INDEX event_of_kind ON event (kind, number);
CREATE INDEX event_of_account ON event (account, kind, number) WHERE account >= 0;
`

const COLUMNS = 'number, seq, time_ms, kind, account, actor, note, fields, row_check'
const NO_ACCOUNT = -1

export const EVENTS_AFTER = `SELECT ${COLUMNS} FROM event WHERE number > ? ORDER BY number LIMIT ?`

const EVENT_SQL = {
  addEvent: `INSERT INTO event (${COLUMNS}) VALUES (${'?, '.repeat(8)}?)`,
  eventsAfter: EVENTS_AFTER,
  pastOfKind: `SELECT ${COLUMNS} FROM event WHERE kind = ? AND number < ? ORDER BY number DESC LIMIT ?`,
  pastOfAccount: `SELECT ${COLUMNS} FROM event
    WHERE kind = ? AND number < ? AND account = ? AND account >= 0 ORDER BY number DESC LIMIT ?`,
  dropEvents: 'DELETE FROM event',
} as const

/** Number of rows read at once. */
const ROWS = 64

export class EventTable {
  readonly #statements: Statements<keyof typeof EVENT_SQL>

  /** Throws SQLite's error if a statement does not fit the tables. */
  constructor(db: Database) {
    this.#statements = prepareAll(db, EVENT_SQL)
  }

  add({ number, seq, time, kind, accountId, actor, note, fields }: NumberedEvent): void {
    const account = accountId ?? NO_ACCOUNT
    const place = [number, seq, time, EVENT_KINDS.indexOf(kind), account]
    this.#statements.addEvent.run(...checked([...place, actor, note, JSON.stringify(fields)]))
  }

  /** Events above a number, oldest first, each read on demand. Throws `DamagedRowFault`. */
  *after(number: number): Generator<FeedEvent, void> {
    for (let last = number; ; ) {
      const rows = this.#statements.eventsAfter.values(last, ROWS) as Row[]
      for (const row of rows) {
        const event = readEvent(row)
        last = event.number
        yield event
      }
      if (rows.length < ROWS) return
    }
  }

  /**
   * Facts of some kinds below a number, newest first, at most `limit` and one more. Throws `DamagedRowFault`.
   */
  past({ before, kinds, accountId, limit }: PastEventRange): NumberedEvent[] {
    const start = before ?? Number.MAX_SAFE_INTEGER
    const rows = kinds.flatMap((kind) => {
      const place = [EVENT_KINDS.indexOf(kind), start] as const
      return accountId === undefined
        ? (this.#statements.pastOfKind.values(...place, limit + 1) as Row[])
        : (this.#statements.pastOfAccount.values(...place, accountId, limit + 1) as Row[])
    })
    const newest = rows.toSorted((a, b) => Number(b[0]) - Number(a[0])).slice(0, limit + 1)
    return newest.map(readEvent)
  }

  drop(): void {
    this.#statements.dropEvents.run()
  }

  close(): void {
    finalizeAll(this.#statements)
  }
}

/** Reads a row of `EVENTS_AFTER`. Throws `DamagedRowFault`. */
export function readEvent(row: Row): NumberedEvent {
  verify(row)
  const kind = EVENT_KINDS[Number(row[3])]
  if (kind === undefined || kind === 'FILL') throw new DamagedRowFault(`an event has kind ${row[3]}`)
  const account = Number(row[4])
  return {
    number: Number(row[0]),
    seq: seq(Number(row[1])),
    time: timeMs(Number(row[2])),
    kind,
    accountId: account === NO_ACCOUNT ? undefined : (account as AccountId),
    actor: row[5] as string,
    note: row[6] as string,
    fields: parseJson(row[7] as string, DOCUMENT_JSON) as EventFields,
  }
}
