/**
 * The journal of a cluster for whoever audits it: read with the engine's role, claimed by nobody, up to the end that the database showed
 * when it was opened. Nothing is asked of the database's settings, so a standby serves as well as the primary.
 */
import type { JournalSource } from '../../engine/audit/source.ts'
import type { Batch, Tail } from '../../engine/journal.ts'
import { quarantinedIn, readAfter } from '../../engine/leadership/table-reader.ts'
import type { Seq } from '../../units/quantities.ts'
import { Connection, type ConnectionOptions, journalFault } from './connection.ts'
import { lastSeqAt, readFrom, readOwn, readTail } from './rows.ts'
import { requireFormat } from './schema.ts'

export class PostgresJournalReader implements JournalSource {
  readonly tail: Tail
  readonly #connection: Connection

  /** Throws `JournalFault`. */
  static async open(options: ConnectionOptions): Promise<PostgresJournalReader> {
    let connection: Connection | undefined
    try {
      connection = await Connection.open(options)
      await requireFormat(connection)
      return new PostgresJournalReader(connection, await readTail(connection))
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
