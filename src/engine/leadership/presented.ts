/**
 * The places of the journal that gateways and other engines remember, held against the journal that this engine leads. Each costs at most one statement,
 * and they are looked at one after another: between two of them the journal takes its next batch, however many come at once.
 */
import { sameBytes } from '../../units/typed-arrays.ts'
import { JournalFault, type JournalPosition, type RememberedPlace, type Tail } from '../port/journal.ts'
import type { ClaimedJournal } from './claimed-journal.ts'
import { givenUpSentence } from './operator-claims.ts'

/** What it needs of a lead: its journal, and the end of what is confirmed and applied. */
export type Held = {
  readonly journal: Pick<ClaimedJournal, 'hashAtPosition' | 'givenUp'>
  readonly tail: Tail
}

export type Verdict = {
  readonly problem: string
  /** Why nobody may be served from this journal any more; undefined: only whoever remembers the place is refused, since an operator has given it up or it may be of another journal. */
  readonly fault: JournalFault | undefined
}

export class Presented {
  /** They are told only of what was applied. */
  #highest: RememberedPlace | undefined
  /** Of these, one that the journal which this engine leads has not, or has otherwise. */
  #contradicted: JournalPosition | undefined
  #looking: Promise<unknown> = Promise.resolve()

  get highest(): RememberedPlace | undefined {
    return this.#highest
  }

  /** What is to be remembered by an engine that halts and itself knows of `own`. */
  toRemember(own: JournalPosition): JournalPosition {
    return this.#contradicted === undefined ? this.laterThan(own) : positionOf(this.#contradicted)
  }

  /** The highest place of those that were presented, where it is later than `own`; `own` otherwise. */
  laterThan(own: JournalPosition): JournalPosition {
    const highest = this.#highest
    return highest !== undefined && highest.position > own.position ? positionOf(highest) : own
  }

  note(place: RememberedPlace): void {
    if (place.position >= (this.#highest?.position ?? 0)) this.#highest = place
  }

  /** Only places of this journal count from here on. */
  forgetOthers(journal: string): void {
    if (this.#highest?.journal !== journal) this.#highest = undefined
  }

  /**
   * What is wrong with a place, where an engine with this journal is asked: the journal lacks it or has something else there, or a look at it has met damage.
   * Undefined: it has it, or `isOver` says that it leads no more, and then nothing is known. Where whoever remembers the place does not say of which journal it
   * is, that the journal lacks it is no fault of this engine.
   */
  async judge(place: RememberedPlace, held: Held, isOver: () => boolean): Promise<Verdict | undefined> {
    const { position, seq } = place
    let hash: Uint8Array | undefined
    try {
      hash = position === held.tail.position ? held.tail.hash : await this.#look(place, held)
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      // The end of a lead has told already.
      if (isOver() || cause.kind === 'FAILED') return undefined
      return { problem: cause.message, fault: cause }
    }
    if (isOver() || (hash !== undefined && sameBytes(hash, place.hash))) return undefined
    const act = held.journal.givenUp(place)
    if (act !== undefined) {
      // Nobody is refused for it who has never seen it.
      if (this.#highest?.position === position) this.#highest = undefined
      return { problem: givenUpSentence(act), fault: undefined }
    }
    const found = hash === undefined ? 'does not have it' : 'has another batch there'
    const what = `position ${position} of the journal, command ${seq}, is remembered by another part`
    const problem = `${what}, and the journal ${found}`
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
