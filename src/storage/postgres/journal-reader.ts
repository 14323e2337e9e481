/**
 * The journal of a cluster for audits: read with the engine's role, without a claim, up to the end at the
 * time of opening. The database's settings are not checked, so a standby can be used as well as the primary.
 */
import type { JournalSource } from '../../engine/audit/source.ts'
import { quarantinedIn, readAfter } from '../../engine/leadership/table-reader.ts'
import { type Batch, JournalFault, type Tail } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'
import { Connection, type ConnectionOptions, journalFault } from './connection.ts'
import { lastSeqAt, readFrom, readOwn, readTail } from './rows.ts'
import { requireFormat } from './schema.ts'

/** Longest wait for a standby to show the data that it was sent, and the interval of the queries. */
const STANDBY_MS_MAX = 5_000
const STANDBY_EVERY_MS = 50

export class PostgresJournalReader implements JournalSource {
  readonly tail: Tail
  readonly #connection: Connection

  /**
   * `remembered` is the last command known to have been stored. A primary without it has lost it. A standby
   * may only be behind, so this waits for it; if the command does not arrive, the outcome is unknown:
   * `FAILED`. Throws `JournalFault`.
   */
  static async open(options: ConnectionOptions, remembered = 0 as Seq): Promise<PostgresJournalReader> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(options)
      await requireFormat(connection)
      return new PostgresJournalReader(connection, await tailWith(connection, remembered))
    } catch (cause) {
      connection?.destroy()
      throw journalFault(cause)
    }
  }

  private constructor(connection: Connection, tail: Tail) {
    this.#connection = connection
    this.tail = tail
  }

  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const connection = this.#connection
    const rows = {
      lastSeqAt: (position: number) => lastSeqAt(connection, position),
      readFrom: (first: number, last: number, bytes: number) => readFrom(connection, first, last, bytes),
    }
    return readAfter(rows, afterSeq, this.tail, maxBytes)
  }

  async quarantined(): Promise<ReadonlyMap<Seq, Uint8Array | undefined>> {
    const entries = quarantinedIn(await readOwn(this.#connection))
    return new Map(entries.map(({ seq, check }) => [seq, check]))
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

async function tailWith(connection: Connection, remembered: Seq): Promise<Tail> {
  const untilMs = performance.now() + STANDBY_MS_MAX
  for (;;) {
    const tail = await readTail(connection)
    if (tail.seq >= remembered || !(await isStandby(connection))) return tail
    if (performance.now() > untilMs) {
      const found = `this database is a standby and has the journal up to command ${tail.seq}`
      const why = 'it is not known whether that command is lost or the standby is only behind'
      throw new JournalFault(
        'FAILED',
        `${found}, but command ${remembered} was stored before; ${why}: use the primary, or this standby once it has caught up or was promoted`,
      )
    }
    await Bun.sleep(STANDBY_EVERY_MS)
  }
}

async function isStandby(connection: Connection): Promise<boolean> {
  const { rows } = await connection.run({ text: 'SELECT pg_is_in_recovery() AS standby' })
  return rows[0]?.standby === true
}
