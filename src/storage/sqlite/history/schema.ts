/**
 * The tables of history.sqlite. They are a projection: a file of another version, or one that is no database,
 * is dropped and rebuilt from the journal, so there are no migrations.
 *
 * SQLite has no checksums, so each row has one, CRC-32: of the bytes before it if the row is bytes, or of the
 * text of its other columns, joined by commas.
 */
import { CANDLE_TABLE } from './candles/tables.ts'
import { ENDED_TABLES } from './ended/rows.ts'
import { EVENT_TABLE } from './events.ts'
import { listTables } from './lists/tables.ts'
import { ORDERS } from './orders.ts'
import { POSITION_TABLES } from './positions/tables.ts'
import { TRADES } from './trades.ts'
import { TRANSFERS } from './transfers.ts'
import { UPDATE_TABLE } from './updates.ts'

/** Rises with every change of the tables or of their contents. */
export const HISTORY_SCHEMA_VERSION = 26

/** Marks the file as one of this program (`PRAGMA application_id`): "BoHi". */
export const HISTORY_APPLICATION_ID = 0x426f4869

/**
 * `position` is the end of the last stored batch, the journal's hash there, and the position of the lists of
 * trades (`ListsPosition`): the ends up to trade `trade_ends_to` are stored, and those of the `trades_after`
 * later trades are restored by reading these; the same for transfers and orders. Ends of orders: `ended_to`
 * ends are in `ended_page`, the `ended_after` newest in `ended_log`. `markets`: the number of rows of
 * `market`. `action` holds operators' actions: the command as in the journal (`kind` is its code), the
 * account that it concerns (-1 if not exactly one), the reference that it names ('' for none) and the answer;
 * `event` holds their facts for the numbered feed.
 */
export const HISTORY_TABLES = `
CREATE TABLE position (
  id INTEGER PRIMARY KEY CHECK (id = 0),
  seq INTEGER NOT NULL,
  journal_hash BLOB NOT NULL,
  trade_ends_to INTEGER NOT NULL,
  trades_after INTEGER NOT NULL,
  transfer_ends_to INTEGER NOT NULL,
  transfers_after INTEGER NOT NULL,
  order_ends_to INTEGER NOT NULL,
  orders_after INTEGER NOT NULL,
  ended_to INTEGER NOT NULL,
  ended_after INTEGER NOT NULL,
  markets INTEGER NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;
${listTables(TRADES.word)}
${listTables(TRANSFERS.word)}
${listTables(ORDERS.word)}
${ENDED_TABLES}
${CANDLE_TABLE}
${UPDATE_TABLE}
${EVENT_TABLE}
${POSITION_TABLES}
CREATE TABLE action (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind INTEGER NOT NULL,
  account INTEGER NOT NULL,
  reference TEXT NOT NULL,
  command BLOB NOT NULL,
  reply BLOB NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;

CREATE INDEX action_of_actor ON action (actor, seq);
CREATE INDEX action_of_kind ON action (kind, seq);
CREATE INDEX action_of_account ON action (account, seq) WHERE account >= 0;
CREATE INDEX action_of_account_and_kind ON action (account, kind, seq) WHERE account >= 0;
CREATE INDEX action_of_reference ON action (reference, seq) WHERE reference <> '';
`
