/**
 * The journal of a running node, for archiving its older part: it is read through the admin server, which
 * also records files and removes archived batches.
 */
import { AdminRefusedError, askAdmin, readAdminAddress } from '../../../cli/admin/client.ts'
import type {
  AdminAddress,
  AdminOperation,
  AdminRequests,
  AdminResults,
} from '../../../contract/admin/admin.ts'
import type { AdminArchive } from '../../../contract/admin/records.ts'
import type { RecordedArchive, TrimProgress } from '../../../engine/archive/archived.ts'
import { type Batch, JournalFault } from '../../../engine/port/journal.ts'
import { adminArchive } from '../../../server/admin/records/archive-record.ts'
import { type Seq, seq, timeMs } from '../../../units/quantities.ts'
import type { ArchivableSource } from '../../node/storage/archived-exchange.ts'
import { CannotRunError } from '../verification/host.ts'
import { NodeJournal } from './node-journal.ts'

export class NodeArchiving implements ArchivableSource {
  /** The node does not free disk space while it runs. */
  readonly compact = undefined
  readonly #journal: NodeJournal
  readonly #address: AdminAddress

  /** Rejects with `CannotRunError`; the operations also with `AdminUnreachableFault`. */
  static async open(directory: string): Promise<NodeArchiving> {
    return new NodeArchiving(await NodeJournal.open(directory), readAdminAddress(directory))
  }

  private constructor(journal: NodeJournal, address: AdminAddress) {
    this.#journal = journal
    this.#address = address
  }

  get tail(): { readonly seq: Seq } {
    return this.#journal.tail
  }

  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#journal.read(afterSeq, maxBytes)
  }

  quarantined(): Promise<ReadonlyMap<Seq, undefined>> {
    return this.#journal.quarantined()
  }

  async archives(): Promise<readonly RecordedArchive[]> {
    return (await this.#ask('journal/archives', {})).map(archiveOf)
  }

  async record(archive: RecordedArchive): Promise<void> {
    await this.#ask('archive/record', adminArchive(archive))
  }

  trim(batchesMax: number): Promise<TrimProgress> {
    return this.#ask('archive/trim', { batchesMax })
  }

  close(): Promise<void> {
    return this.#journal.close()
  }

  async #ask<Operation extends AdminOperation>(
    operation: Operation,
    request: AdminRequests[Operation],
  ): Promise<AdminResults[Operation]> {
    try {
      return await askAdmin(this.#address, operation, request)
    } catch (cause) {
      if (!(cause instanceof AdminRefusedError)) throw cause
      if (cause.error.reason === 'JOURNAL_DAMAGED')
        throw new JournalFault('DAMAGED', cause.message, { cause })
      throw new CannotRunError(`the node refuses ${operation}: ${cause.message}`, { cause })
    }
  }
}

function archiveOf(given: AdminArchive): RecordedArchive {
  const { afterPosition, afterSeq, position, epoch, time, bytes, file } = given
  const hash = bytesOf(given.hash)
  return {
    after: { position: afterPosition, seq: seq(afterSeq) },
    end: { position, epoch, seq: seq(given.seq), time: timeMs(time), hash },
    firstHash: bytesOf(given.firstHash),
    digest: bytesOf(given.digest),
    bytes,
    file,
  }
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}
