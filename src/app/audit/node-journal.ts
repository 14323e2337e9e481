/**
 * The journal of a running node, read through its admin server: the node alone may open the file.
 */
import {
  AdminRefusedError,
  AdminUnreachableFault,
  askAdmin,
  readAdminAddress,
} from '../../cli/admin/client.ts'
import type { JournalSource } from '../../engine/audit/source.ts'
import { type Batch, JournalFault, kindOf, lastSeqOf } from '../../engine/journal.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import type { AdminAddress } from '../../wire/admin.ts'
import type { AdminBatch } from '../../wire/admin-records.ts'
import { CannotRunError } from './host.ts'

export class NodeJournal implements JournalSource {
  /** What was durable when it was opened; the node goes on. */
  readonly tail: { readonly seq: Seq }
  readonly #address: AdminAddress

  /** Finds the process that holds `directory`. Rejects with `CannotRunError`; the reads with `AdminUnreachableFault`. */
  static async open(directory: string): Promise<NodeJournal> {
    try {
      const address = readAdminAddress(directory)
      const status = await askAdmin(address, 'node/status', {})
      return new NodeJournal(address, seq(status.seq))
    } catch (cause) {
      if (!(cause instanceof AdminUnreachableFault)) throw cause
      const held = `a process holds ${directory} and cannot be asked for its journal`
      throw new CannotRunError(`${held}; it may be starting or stopping (${cause.message})`, { cause })
    }
  }

  private constructor(address: AdminAddress, end: Seq) {
    this.#address = address
    this.tail = { seq: end }
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const request = { after: afterSeq, bytesMax: maxBytes }
    const batches = await askAdmin(this.#address, 'journal/read', request).catch((cause: unknown) => {
      const isDamage = cause instanceof AdminRefusedError && cause.error.reason === 'JOURNAL_DAMAGED'
      throw isDamage ? new JournalFault('DAMAGED', cause.message, { cause }) : cause
    })
    return batches.map(batchOf).filter((batch) => lastSeqOf(batch) <= this.tail.seq)
  }

  async quarantined(): Promise<ReadonlyMap<Seq, undefined>> {
    const seqs = await askAdmin(this.#address, 'journal/quarantined', {})
    return new Map(seqs.map((quarantined) => [seq(quarantined), undefined]))
  }

  async close(): Promise<void> {}
}

function batchOf(batch: AdminBatch): Batch {
  const { position, epoch, kind, firstSeq, count, time, previousHash, hash, data } = batch
  return {
    position,
    epoch,
    kind: kindOf(kind),
    firstSeq: seq(firstSeq),
    count,
    time: timeMs(time),
    previousHash: bytesOf(previousHash),
    hash: bytesOf(hash),
    data: bytesOf(data),
  }
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
