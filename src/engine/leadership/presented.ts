/**
 * Compares the positions that gateways and other engines remember with the journal that this engine leads.
 * Each costs at most one statement, and they are checked one after another: between two checks the journal
 * accepts its next batch, however many positions arrive.
 */
import { sameBytes } from '../../units/typed-arrays.ts'
import { JournalFault, type JournalPosition, type RememberedPlace, type Tail } from '../port/journal.ts'
import type { ClaimedJournal } from './claimed-journal.ts'
import { givenUpSentence } from './operator-claims.ts'

/** The part of a lead needed for the check: its journal, and the confirmed and applied end. */
export type Held = {
  readonly journal: Pick<ClaimedJournal, 'hashAtPosition' | 'givenUp'>
  readonly tail: Tail
}

export type Verdict = {
  readonly problem: string
  /**
   * The reason why this journal may no longer be served; undefined if only the peer with this position is
   * refused, because an operator gave the position up or because it may belong to another journal.
   */
  readonly fault: JournalFault | undefined
}

export class Presented {
  /** Peers receive only applied commands. */
  #highest: RememberedPlace | undefined
  /** A position that is missing in the journal of this leading engine, or differs there. */
  #contradicted: JournalPosition | undefined
  #looking: Promise<unknown> = Promise.resolve()

  get highest(): RememberedPlace | undefined {
    return this.#highest
  }

  /** The position to store for an engine that halts and whose own position is `own`. */
  toRemember(own: JournalPosition): JournalPosition {
    return this.#contradicted === undefined ? this.laterThan(own) : positionOf(this.#contradicted)
  }

  /** The highest presented position, if it is later than `own`; `own` otherwise. */
  laterThan(own: JournalPosition): JournalPosition {
    const highest = this.#highest
    return highest !== undefined && highest.position > own.position ? positionOf(highest) : own
  }

  note(place: RememberedPlace): void {
    if (place.position >= (this.#highest?.position ?? 0)) this.#highest = place
  }

  /** Forgets positions of other journals: from now on only those of this journal count. */
  forgetOthers(journal: string): void {
    if (this.#highest?.journal !== journal) this.#highest = undefined
  }

  /**
   * The problem with a presented position for an engine with this journal: the journal lacks the position or
   * has another batch there, or a check found damage. Undefined if the journal has the position, or if
   * `isOver` reports that the engine no longer leads, and then nothing is certain. If the peer does not name
   * the position's journal, a missing position is no fault of this engine.
   */
  async judge(place: RememberedPlace, held: Held, isOver: () => boolean): Promise<Verdict | undefined> {
    const { position, seq } = place
    let hash: Uint8Array | undefined
    try {
      hash = position === held.tail.position ? held.tail.hash : await this.#look(place, held)
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      // The end of leadership was reported already.
      if (isOver() || cause.kind === 'FAILED') return undefined
      return { problem: cause.message, fault: cause }
    }
    if (isOver() || (hash !== undefined && sameBytes(hash, place.hash))) return undefined
    const act = held.journal.givenUp(place)
    if (act !== undefined) {
      // A peer that has never seen the position is not refused because of it.
      if (this.#highest?.position === position) this.#highest = undefined
      return { problem: givenUpSentence(act), fault: undefined }
    }
    const found = hash === undefined ? 'does not have it' : 'has another batch there'
    const what = `position ${position} of the journal, command ${seq}, is remembered by another process of the cluster`
    const problem = `${what}, but the journal ${found}`
    if (place.journal === undefined) return { problem, fault: undefined }
    this.#contradicted = place
    return { problem, fault: new JournalFault('WITNESS', problem) }
  }

  #look({ position }: JournalPosition, { journal }: Held): Promise<Uint8Array | undefined> {
    const look = this.#looking.then(() => journal.hashAtPosition(position))
    this.#looking = look.catch(() => {})
    return look
  }
}

function positionOf({ position, epoch, seq, hash }: JournalPosition): JournalPosition {
  return { position, epoch, seq, hash }
}
