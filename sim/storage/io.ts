/**
 * One process's access to the disk: the duration of each operation, and which of them fails. Every write and
 * sync can have a fault, so a process can end before and after each of them.
 */
import { JournalFault } from '../../src/engine/port/journal.ts'
import type { Lifetime, Schedule } from '../world/schedule.ts'
import type { Disk } from './disk.ts'

/** Ends the code of a process that ended: none of it continues, and no other code can catch this. */
export class ProcessEndedFault extends Error {
  override readonly name = 'ProcessEndedFault'
}

export type IoKind = 'write' | 'sync' | 'rename'

/** The outcome of one operation. `CRASH_BEFORE` and `CRASH_AFTER`: the process ends before or after it. */
export type IoOutcome = 'DONE' | 'FAILS' | 'CRASH_BEFORE' | 'CRASH_AFTER'

/** Decides about faults, which are drawn from the seed. */
export interface IoFaults {
  ofIo(kind: IoKind, file: string): IoOutcome
  /** Whether the disk has no room for new data now. */
  isFull(): boolean
  /** Milliseconds. */
  delay(): number
  /** Ends the process that `io` belongs to. */
  crash(reason: string): void
}

export class Io {
  readonly #disk: Disk
  readonly #schedule: Schedule
  readonly #life: Lifetime
  readonly #faults: IoFaults

  constructor(disk: Disk, schedule: Schedule, life: Lifetime, faults: IoFaults) {
    this.#disk = disk
    this.#schedule = schedule
    this.#life = life
    this.#faults = faults
  }

  /** The stored data; reading does not fail. */
  get disk(): Disk {
    return this.#disk
  }

  /** Takes the time of an operation. Never resolves for a process that ends during it. */
  async pause(): Promise<void> {
    await this.#schedule.sleep(this.#faults.delay(), this.#life)
  }

  /** Throws `STORAGE_FULL` while there is no room. */
  requireRoom(what: string): void {
    if (this.#faults.isFull()) throw new JournalFault('STORAGE_FULL', `${what}: no room`)
  }

  write(file: string, offset: number, bytes: Uint8Array): void {
    this.#do('write', file, () => this.#disk.write(file, offset, bytes))
  }

  sync(file: string): void {
    this.#do('sync', file, () => this.#disk.sync(file))
  }

  rename(from: string, to: string): void {
    this.#do('rename', to, () => this.#disk.rename(from, to))
  }

  remove(file: string): void {
    this.#do('rename', file, () => this.#disk.remove(file))
  }

  truncate(file: string, length: number): void {
    this.#do('rename', file, () => this.#disk.truncate(file, length))
  }

  #do(kind: IoKind, file: string, work: () => void): void {
    if (this.#life.isOver) throw new ProcessEndedFault(`${kind} of ${file} by a process that has ended`)
    const outcome = this.#faults.ofIo(kind, file)
    if (outcome === 'FAILS') throw new JournalFault('FAILED', `${kind} of ${file}: input/output error`)
    if (outcome !== 'CRASH_BEFORE') work()
    if (outcome === 'DONE') return
    this.#faults.crash(`${outcome === 'CRASH_BEFORE' ? 'before' : 'after'} the ${kind} of ${file}`)
    throw new ProcessEndedFault(`the process ended at the ${kind} of ${file}`)
  }
}
