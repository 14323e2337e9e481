/**
 * The places of the journal that gateways and other engines remember, held against the journal that this engine leads. Each costs at most one statement,
 * and they are looked at one after another: between two of them the journal takes its next batch, however many come at once.
 */
import { sameBytes } from '../../units/same-bytes.ts'
import { JournalFault, type JournalPosition, type Tail } from '../journal.ts'
import type { ClaimedJournal } from './claimed-journal.ts'
import { givenUpSentence } from './operator-claims.ts'

/** What it needs of a lead: its journal, and the end of what is confirmed and applied. */
export type Held = {
  readonly journal: Pick<ClaimedJournal, 'hashAtPosition' | 'givenUp'>
  readonly tail: Tail
}

export type Verdict = {
  readonly problem: string
  /** Why nobody may be served from this journal any more; undefined: an operator has given the place up, and only whoever remembers it is refused. */
  readonly fault: JournalFault | undefined
}

export class Presented {
  /** They are told only of what was applied. */
  #highest: JournalPosition | undefined
  /** Of these, one that the journal which this engine leads has not, or has otherwise. */
  #contradicted: JournalPosition | undefined
  #looking: Promise<unknown> = Promise.resolve()

  get highest(): JournalPosition | undefined {
    return this.#highest
  }

  /** What is to be remembered by an engine that halts and itself knows of `own`. */
  toRemember(own: JournalPosition): JournalPosition {
    return this.#contradicted ?? later(own, this.#highest)
  }

  note(position: JournalPosition): void {
    this.#highest = later(position, this.#highest)
  }

  /**
   * What is wrong with a place, where an engine with this journal is asked: the journal lacks it or has something else there, or a look at it has met damage.
   * Undefined: it has it, or `isOver` says that it leads no more, and then nothing is known.
   */
  async judge(position: JournalPosition, held: Held, isOver: () => boolean): Promise<Verdict | undefined> {
    let hash: Uint8Array | undefined
    try {
      hash = position.position === held.tail.position ? held.tail.hash : await this.#look(position, held)
    } catch (cause) {
      if (!(cause instanceof JournalFault)) throw cause
      // The end of a lead has told already.
      if (isOver() || cause.kind === 'FAILED') return undefined
      return { problem: cause.message, fault: cause }
    }
    if (isOver() || (hash !== undefined && sameBytes(hash, position.hash))) return undefined
    const act = held.journal.givenUp(position)
    if (act !== undefined) {
      // Nobody is refused for it who has never seen it.
      if (this.#highest?.position === position.position) this.#highest = undefined
      return { problem: givenUpSentence(act), fault: undefined }
    }
    this.#contradicted = position
    const found = hash === undefined ? 'does not have it' : 'has another batch there'
    const what = `position ${position.position} of the journal, command ${position.seq}, is remembered by another part`
    const problem = `${what}, and the journal ${found}`
    return { problem, fault: new JournalFault('WITNESS', problem) }
  }

  #look({ position }: JournalPosition, { journal }: Held): Promise<Uint8Array | undefined> {
    const look = this.#looking.then(() => journal.hashAtPosition(position))
    this.#looking = look.catch(() => {})
    return look
  }
}

export function later(one: JournalPosition, other: JournalPosition | undefined): JournalPosition {
  return other !== undefined && other.position > one.position ? other : one
}
