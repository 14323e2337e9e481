/**
 * The tables of history.sqlite. They are a projection: a file of another version, or one that is no database, is
 * dropped and made again from the journal, so there are no migrations.
 *
 * Amounts are TEXT, because they may exceed 63 bits; numbers of prices, quantities, times and records stay within
 * 2^53-1 and are INTEGER. SQLite has no checksums, so each row carries one: CRC-32 of the text of its other columns,
 * joined by commas.
 */

/** Goes up with every change of the tables or of what is written into them. */
export const HISTORY_SCHEMA_VERSION = 3

/** Marks the file as ours (`PRAGMA application_id`): "BoHi". */
export const HISTORY_APPLICATION_ID = 0x426f4869

/**
 * `position` is the end of the last batch whose trades are here and the journal's hash there.
 * `record` is the list of an account, `record_of_symbol` that of an account and symbol: both are walked by number,
 * n and m, without a gap from 1. `trade` is the public list of a symbol. `action` is what operators did: the command
 * as the journal has it (`kind` is its code) and the answer.
 */
export const HISTORY_TABLES = `
CREATE TABLE position (
  id INTEGER PRIMARY KEY CHECK (id = 0),
  seq INTEGER NOT NULL,
  journal_hash BLOB NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;

CREATE TABLE record (
  account INTEGER NOT NULL,
  n INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  m INTEGER NOT NULL,
  trade_number INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  side INTEGER NOT NULL,
  order_number INTEGER NOT NULL,
  order_time_ms INTEGER NOT NULL,
  price INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  total TEXT NOT NULL,
  commission TEXT NOT NULL,
  commission_asset INTEGER NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (account, n)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX record_of_symbol ON record (account, symbol, m);

CREATE TABLE trade (
  symbol INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  trade_number INTEGER NOT NULL,
  price INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (symbol, seq, trade_number)
) STRICT, WITHOUT ROWID;

CREATE TABLE action (
  seq INTEGER PRIMARY KEY,
  time_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind INTEGER NOT NULL,
  command BLOB NOT NULL,
  reply BLOB NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;

CREATE INDEX action_of_actor ON action (actor, seq);
CREATE INDEX action_of_kind ON action (kind, seq);
`
