/**
 * Invariants that are checked during a run: nothing is acknowledged before it is stored where required; no
 * two engines acknowledge different batches at one position; no replica passes the confirmed position; all
 * states at one position are equal; no reading is older than an earlier answer.
 */
import { hexOf, type JournalPosition } from '../../src/engine/port/journal.ts'
import { sameBytes } from '../../src/units/typed-arrays.ts'
import { ViolationError } from '../world/trace.ts'
import type { Database } from './database.ts'
import type { LogRecord, Server } from './server.ts'

/** Whether `log` has this exact batch; the position before the first is in every log. */
export function hasPlace(log: readonly LogRecord[], { position, hash }: JournalPosition): boolean {
  if (position === 0) return true
  const stored = log.find(({ batch }) => batch?.position === position)?.batch
  return stored !== undefined && sameBytes(stored.hash, hash)
}

export class Checker {
  readonly #database: Database
  readonly #stateAt = new Map<number, { readonly hash: string; readonly who: string }>()
  #violation: ViolationError | undefined
  #answeredSeq = 0

  constructor(database: Database) {
    this.#database = database
  }

  get violation(): ViolationError | undefined {
    return this.#violation
  }

  /** The highest command for which any client has an answer. */
  get answeredSeq(): number {
    return this.#answeredSeq
  }

  demand(holds: boolean, sentence: () => string): void {
    if (!holds) this.#violation ??= new ViolationError(sentence())
  }

  /** Called when a leader may answer and publish up to this batch. */
  acknowledged(who: string, batch: JournalPosition): void {
    const { position } = batch
    const hash = hexOf(batch.hash)
    const { acknowledged } = this.#database
    const before = acknowledged.get(position)
    if (this.#database.hasLost) return
    this.demand(
      before === undefined || before === hash,
      () =>
        `${who} acknowledges at position ${position}, which another leader has acknowledged with another batch`,
    )
    this.demand(
      this.#database.hasConfirmed(batch),
      () => `${who} acknowledges position ${position}, which is not on as many disks as was declared`,
    )
    acknowledged.set(position, hash)
  }

  /** Called when an engine takes this batch as confirmed, or applied it. */
  followed(who: string, batch: JournalPosition): void {
    if (this.#database.hasLost) return
    this.demand(
      this.#database.hasConfirmed(batch),
      () => `${who} follows past what is confirmed, to position ${batch.position}`,
    )
  }

  /** Called when an engine claimed the journal on `server`, and takes `known` as confirmed. */
  opened(who: string, known: JournalPosition | undefined, server: Server): void {
    const isThere = known !== undefined && hasPlace(server.log, known)
    this.demand(
      known === undefined || isThere,
      () => `${who} leads a journal that lacks position ${known?.position}, which it knows to be confirmed`,
    )
  }

  /** Notes the state of an engine directly after `at`. */
  state(who: string, at: JournalPosition, stateHash: Uint8Array): void {
    if (this.#database.hasLost) return
    const hash = `${hexOf(at.hash)} ${hexOf(stateHash)}`
    const other = this.#stateAt.get(at.position)
    if (other === undefined) this.#stateAt.set(at.position, { hash, who })
    else {
      const found = `${who} and ${other.who} have different states at position ${at.position}`
      this.demand(other.hash === hash, () => found)
    }
  }

  /** Every state that was reported. */
  statesSeen(): ReadonlyMap<number, { readonly hash: string; readonly who: string }> {
    return this.#stateAt
  }

  answered(mark: JournalPosition): void {
    this.#answeredSeq = Math.max(this.#answeredSeq, mark.seq)
  }

  /** Notes the result of a reading that was sent when `floor` had been answered. */
  read(who: string, floor: number, seq: number): void {
    if (this.#database.hasLost) return
    const found = `${who} is shown the state after command ${seq}, although it asked when ${floor} had been answered`
    this.demand(seq >= floor, () => found)
  }
}
