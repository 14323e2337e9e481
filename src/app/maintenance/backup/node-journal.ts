/** The journal of a running node, read through its admin server: only the node may open the file. */
import {
  AdminRefusedError,
  AdminUnreachableFault,
  askAdmin,
  readAdminAddress,
} from '../../../cli/admin/client.ts'
import type { AdminAddress } from '../../../contract/admin/admin.ts'
import type { AdminBatch } from '../../../contract/admin/records.ts'
import type { JournalSource } from '../../../engine/audit/source.ts'
import { type Batch, JournalFault, kindOf, lastSeqOf } from '../../../engine/port/journal.ts'
import { type Seq, seq, timeMs } from '../../../units/quantities.ts'
import { CannotRunError } from '../verification/host.ts'

/** The time after which a durable command must be visible; a longer delay is a fault of the node. */
const SHOWN_WITHIN_MS = 5_000
const ASK_AGAIN_MS = 20

export class NodeJournal implements JournalSource {
  /** The part that the node showed when it was opened; the node keeps running. */
  readonly tail: { readonly seq: Seq }
  readonly #address: AdminAddress
  readonly #share: number
  /** The time before which the journal is not read again: monotonic, in milliseconds. */
  #nextAt = 0

  /**
   * Finds the process that holds `directory`. `atLeast`: a command that is known to be durable; a busy node
   * shows it a moment later. Rejects with `CannotRunError`; the reads with `AdminUnreachableFault`.
   */
  static async open(directory: string, atLeast = seq(0)): Promise<NodeJournal> {
    try {
      return await NodeJournal.at(readAdminAddress(directory), 1, atLeast)
    } catch (cause) {
      if (!(cause instanceof AdminUnreachableFault)) throw cause
      const held = `a process uses ${directory} and does not hand over its journal`
      throw new CannotRunError(`${held}; it may be starting or stopping (${cause.message})`, { cause })
    }
  }

  /** Reading takes at most 1/`share` of the elapsed time. Rejects with `AdminUnreachableFault`. */
  static async at(
    address: AdminAddress,
    share: number,
    atLeast = seq(0),
    withinMs = SHOWN_WITHIN_MS,
  ): Promise<NodeJournal> {
    const lastAt = performance.now() + withinMs
    let status = await askAdmin(address, 'node/status', {})
    while (status.seq < atLeast && performance.now() < lastAt) {
      await Bun.sleep(ASK_AGAIN_MS)
      status = await askAdmin(address, 'node/status', {})
    }
    return new NodeJournal(address, seq(status.seq), share)
  }

  private constructor(address: AdminAddress, end: Seq, share: number) {
    this.#address = address
    this.#share = share
    this.tail = { seq: end }
  }

  async read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    const request = { after: afterSeq, bytesMax: maxBytes }
    const begin = Math.max(performance.now(), this.#nextAt)
    if (begin > performance.now()) await Bun.sleep(begin - performance.now())
    const answer = askAdmin(this.#address, 'journal/read', request)
    const done = (): void => {
      this.#nextAt = begin + (performance.now() - begin) * this.#share
    }
    const batches = await answer.finally(done).catch((cause: unknown) => {
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
