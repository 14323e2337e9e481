/**
 * Claims stored by operators, under which no engine leads: the journal was repaired, or its end was accepted
 * although later positions had been seen. Their epoch is later than any lost epoch, so that no lost batch can
 * come back, and their name records the operator and the reason.
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

/** The prefix of the claimant's name in a claim by an operator, by action. No engine's name has a space. */
const BEGINNINGS = { REPAIRED: 'repair by ', TAIL_ACCEPTED: 'accept-tail by ' } as const

export type OperatorAct = keyof typeof BEGINNINGS

/**
 * Maximum number of epochs that one action may skip: a remembered position beyond them never belonged to this
 * journal.
 */
const EPOCHS_MAX = 10_000

/** The operator and the action, if the journal records them. */
export type OperatorClaim = {
  readonly act: OperatorAct
  /** Operator and reason, as given: `accept-tail by anna@east: both disks lost`. */
  readonly name: string
  readonly position: number
  readonly epoch: number
}

/** The claimant's name for an operator's action. A long text is truncated. */
export function operatorClaimName(act: OperatorAct, by: string, reason: string): string {
  const text = `${BEGINNINGS[act]}${by}: ${reason}`.replaceAll(/\s+/g, ' ')
  return [...text].slice(0, CLAIMANT_CHARACTERS_MAX).join('')
}

/** Claims after `tail`, at least one; the last has a later epoch than `epochMax`. Throws `JournalFault`. */
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
    const found = `the journal ends in epoch ${options.tail.epoch}, but epoch ${epochMax} is remembered`
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

/**
 * The operator's action in `batch`; undefined if the batch is not an operator's claim. Throws `JournalFault`.
 */
export function operatorClaimOf(batch: Batch): OperatorClaim | undefined {
  if (batch.kind !== 'CLAIM') return undefined
  const { name } = claimOf(batch)
  const { position, epoch } = batch
  for (const act of Object.keys(BEGINNINGS) as OperatorAct[])
    if (name.startsWith(BEGINNINGS[act])) return { act, name, position, epoch }
  return undefined
}

/**
 * The operator's claim that gave up `remembered`, a position that the journal with these own batches lacks;
 * undefined if there is none, and then the journal has lost the position.
 */
export function givenUpBy(own: readonly Batch[], remembered: JournalPosition): OperatorClaim | undefined {
  const accepted = own.flatMap((batch) => {
    const claim = operatorClaimOf(batch)
    return claim?.act === 'TAIL_ACCEPTED' ? [claim] : []
  })
  const isBehind = accepted.some(({ position }) => position <= remembered.position)
  return isBehind ? accepted.find(({ epoch }) => epoch > remembered.epoch) : undefined
}

/** Advice for a process that has seen commands that were given up. */
export function givenUpSentence({ name }: OperatorClaim): string {
  return `the position that it remembers was given up: ${name}. Restart a gateway; for an engine or a historian, move the data directory away first`
}
