/**
 * The tables of history.sqlite. They are a projection: a file of another version, or one that is no database, is
 * dropped and made again from the journal, so there are no migrations.
 *
 * A trade is stored once, with both its parties, in the order in which trades happened, so that storing one costs the
 * same however many accounts there are (bench: history). Its lists are chains through the trades: a trade names its
 * number in each list that it belongs to, and the trade before it there. What else a list needs is where it ends and, here and
 * there, a step from which to walk.
 *
 * SQLite has no checksums, so each row carries one, CRC-32: of the bytes before it where the row is bytes, or of the text
 * of its other columns, joined by commas.
 */

/** Goes up with every change of the tables or of what is written into them. */
export const HISTORY_SCHEMA_VERSION = 5

/** Marks the file as ours (`PRAGMA application_id`): "BoHi". */
export const HISTORY_APPLICATION_ID = 0x426f4869

/**
 * `position` is the end of the last batch whose trades are here and the journal's hash there; up to trade `ends_to` the
 * ends of lists are in `list_end`, those of the `trades_after` later trades are found by reading these.
 * `block` holds trades from number `first` on, `list_end` the ends of an owner's lists; see `lists/blocks.ts` and
 * `lists/ends.ts`. `step` is every 64th record of a list: its number and its trade. `action` is what operators did: the
 * command as the journal has it (`kind` is its code) and the answer.
 */
export const HISTORY_TABLES = `
CREATE TABLE position (
  id INTEGER PRIMARY KEY CHECK (id = 0),
  seq INTEGER NOT NULL,
  journal_hash BLOB NOT NULL,
  ends_to INTEGER NOT NULL,
  trades_after INTEGER NOT NULL,
  row_check INTEGER NOT NULL
) STRICT;

CREATE TABLE block (
  first INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE list_end (
  owner INTEGER PRIMARY KEY,
  data BLOB NOT NULL
) STRICT;

CREATE TABLE step (
  owner INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  n INTEGER NOT NULL,
  trade_number INTEGER NOT NULL,
  row_check INTEGER NOT NULL,
  PRIMARY KEY (owner, symbol, n)
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
