/** A journal that counts its durable commands and measures the time of commits. */

import type { Seq } from '../../units/quantities.ts'
import type { ArchivePort } from '../archive/archived.ts'
import { type Batch, type Journal, JournalFault, type Quarantined, type Tail } from '../port/journal.ts'
import type { EngineMeter } from './meters.ts'

export class MeteredJournal implements Journal {
  readonly #journal: Journal
  readonly #meter: EngineMeter
  /** Milliseconds; never go back. */
  readonly #now: () => number
  readonly confirmLead: (() => Promise<void>) | undefined

  constructor(journal: Journal, meter: EngineMeter, now: () => number) {
    this.#journal = journal
    this.#meter = meter
    this.#now = now
    this.confirmLead = journal.confirmLead?.bind(journal)
  }

  get tail(): Tail {
    return this.#journal.tail
  }

  get archiving(): ArchivePort | undefined {
    return this.#journal.archiving
  }

  get beginning(): Tail | undefined {
    return this.#journal.beginning
  }

  async append(batch: Batch): Promise<void> {
    const startMs = this.#now()
    try {
      await this.#journal.append(batch)
    } catch (cause) {
      if (cause instanceof JournalFault && cause.kind === 'STORAGE_FULL') {
        this.#meter.storageFullBytes.set(batch.data.length)
        this.#meter.storageFull.add(1)
      }
      throw cause
    }
    const { commitSeconds, batchCommands, commandBytes } = this.#meter
    commitSeconds.add((this.#now() - startMs) / 1_000)
    batchCommands.add(batch.count)
    commandBytes.add(batch.data.length)
    this.#meter.storageFullBytes.set(0)
  }

  read(afterSeq: Seq, maxBytes: number): Promise<readonly Batch[]> {
    return this.#journal.read(afterSeq, maxBytes)
  }

  hashAt(seq: Seq): Promise<Uint8Array | undefined> {
    return this.#journal.hashAt(seq)
  }

  quarantined(): Promise<readonly Quarantined[]> {
    return this.#journal.quarantined()
  }

  quarantine(entry: Quarantined): Promise<void> {
    return this.#journal.quarantine(entry)
  }

  maintain(idle: boolean): Promise<void> {
    return this.#journal.maintain(idle)
  }

  close(): Promise<void> {
    return this.#journal.close()
  }
}
