/**
 * Claims that an operator has stored and nobody leads by: the journal was repaired, or its end was accepted although somebody remembers more. They
 * begin a later epoch than any that was lost, so that nothing of it can come back, and their name says for ever who did it and why.
 */
import { invariant } from '../../units/invariant.ts'
import {
  type Batch,
  type Digest,
  endOf,
  JournalFault,
  type JournalPosition,
  type Tail,
} from '../port/journal.ts'
import { CLAIMANT_CHARACTERS_MAX, claimBatch, claimOf } from '../writer/own-batches.ts'

/** What an operator has done, as the name of such a claim begins. No engine's name has a space. */
const BEGINNINGS = { REPAIRED: 'repair by ', TAIL_ACCEPTED: 'accept-tail by ' } as const

export type OperatorAct = keyof typeof BEGINNINGS

/** Epochs that one act may pass over: what is remembered beyond them was never of this journal. */
const EPOCHS_MAX = 10_000

/** Who has done what, where the journal says so. */
export type OperatorClaim = {
  readonly act: OperatorAct
  /** Who and why, as it was given: `accept-tail by anna@east: both disks lost`. */
  readonly name: string
  readonly position: number
  readonly epoch: number
}

/** The claimant's name of an act. What is too long is cut. */
export function operatorClaimName(act: OperatorAct, by: string, reason: string): string {
  const text = `${BEGINNINGS[act]}${by}: ${reason}`.replaceAll(/\s+/g, ' ')
  return [...text].slice(0, CLAIMANT_CHARACTERS_MAX).join('')
}

/** Claims behind `tail`, at least one, of which the last is of a later epoch than `epochMax`. Throws `JournalFault`. */
export function operatorClaims(options: {
  readonly digest: Digest
  readonly tail: Tail
  readonly epochMax: number
  readonly name: string
  readonly nonce: () => Uint8Array
}): readonly Batch[] {
  const { digest, epochMax, name, nonce } = options
  const count = Math.max(1, epochMax - options.tail.epoch + 1)
  if (count > EPOCHS_MAX) {
    const found = `the journal ends in epoch ${options.tail.epoch}, and epoch ${epochMax} is remembered`
    throw new JournalFault('DAMAGED', `${found}: expected at most ${EPOCHS_MAX} later`)
  }
  const claims: Batch[] = []
  let { tail } = options
  for (let i = 0; i < count; i++) {
    const claim = claimBatch(digest, tail, { name, nonce: nonce() })
    claims.push(claim)
    tail = endOf(claim)
  }
  invariant(tail.epoch > epochMax, () => `expected an epoch after ${epochMax}, found ${tail.epoch}`)
  return claims
}

/** What an operator has done by `batch`; undefined: it is no such claim. Throws `JournalFault`. */
export function operatorClaimOf(batch: Batch): OperatorClaim | undefined {
  if (batch.kind !== 'CLAIM') return undefined
  const { name } = claimOf(batch)
  const { position, epoch } = batch
  for (const act of Object.keys(BEGINNINGS) as OperatorAct[])
    if (name.startsWith(BEGINNINGS[act])) return { act, name, position, epoch }
  return undefined
}

/**
 * By what an operator has given up `remembered`, a place that the journal with these batches of its own does not have; undefined: nobody has, and the
 * journal lost it.
 */
export function givenUpBy(own: readonly Batch[], remembered: JournalPosition): OperatorClaim | undefined {
  const accepted = own.flatMap((batch) => {
    const claim = operatorClaimOf(batch)
    return claim?.act === 'TAIL_ACCEPTED' ? [claim] : []
  })
  const isBehind = accepted.some(({ position }) => position <= remembered.position)
  return isBehind ? accepted.find(({ epoch }) => epoch > remembered.epoch) : undefined
}

/** What to do about a part that remembers what was given up. */
export function givenUpSentence({ name }: OperatorClaim): string {
  return `what it remembers was given up: ${name}. Start a gateway again; of an engine or a historian move the data directory away first`
}
