/**
 * Checks the journal's own batches during a walk: each epoch begins with a claim, and nothing follows a seal
 * by which the exchange left this journal.
 */

import { type OperatorClaim, operatorClaimOf } from '../leadership/operator-claims.ts'
import { type Batch, EMBEDDED_EPOCH } from '../port/journal.ts'
import { claimOf, quarantinedBy } from '../writer/own-batches.ts'
import { type Seal, sealOf } from '../writer/seal.ts'
import type { Findings } from './findings.ts'

/** The facts that the journal's own batches record. */
export type OwnReport = {
  readonly claims: number
  /** The epoch of the last batch. */
  readonly epoch: number
  /** The last claimant; undefined if there is none. */
  readonly claimant: string | undefined
  readonly quarantines: number
  /** Repairs and given-up parts by operators, oldest first. */
  readonly mended: readonly OperatorClaim[]
  readonly seals: number
  /** The very last batch, if it is a seal. */
  readonly seal: Seal | undefined
}

export class OwnBatchCheck {
  readonly #findings: Findings
  #epoch = EMBEDDED_EPOCH
  #claims = 0
  #claimant: string | undefined
  readonly #mended: OperatorClaim[] = []
  #quarantines = 0
  #seals = 0
  #seal: Seal | undefined

  constructor(findings: Findings) {
    this.#findings = findings
  }

  /** Processes an intact batch. Throws `JournalFault` for a batch of another version. */
  pass(batch: Batch): void {
    this.#requireEpoch(batch)
    this.#requireUnsealed(batch)
    this.#epoch = batch.epoch
    this.#seal = undefined
    switch (batch.kind) {
      case 'COMMANDS':
        return
      case 'CLAIM':
        this.#claims++
        this.#note(operatorClaimOf(batch))
        this.#claimant = claimOf(batch).name
        return
      case 'QUARANTINE':
        this.#quarantines++
        this.#requireBefore(batch)
        return
      case 'SEAL':
        this.#seals++
        this.#seal = sealOf(batch)
    }
  }

  get report(): OwnReport {
    const [claims, epoch, quarantines] = [this.#claims, this.#epoch, this.#quarantines]
    const [claimant, mended, seals, seal] = [this.#claimant, this.#mended, this.#seals, this.#seal]
    return { claims, epoch, claimant, quarantines, mended, seals, seal }
  }

  /** One repair by an operator may consist of several successive claims. */
  #note(claim: OperatorClaim | undefined): void {
    if (claim !== undefined && claim.name !== this.#claimant) this.#mended.push(claim)
  }

  #requireEpoch({ kind, epoch, position }: Batch): void {
    const expected = kind === 'CLAIM' ? this.#epoch + 1 : this.#epoch
    if (epoch === expected) return
    const what = `position ${position} is a batch of kind ${kind} in epoch ${epoch}`
    this.#findings.add('JOURNAL', `${what}, expected epoch ${expected}: a claim begins each epoch`)
  }

  /** A seal for a cluster is followed by a claim; a seal for a directory is followed by a node's batches. */
  #requireUnsealed({ kind, position }: Batch): void {
    if (this.#seal === undefined) return
    const { to, name } = this.#seal
    if ((to === 'CLUSTER') === (kind === 'CLAIM')) return
    const what = `position ${position} is a batch of kind ${kind}`
    this.#findings.add('JOURNAL', `${what} after a seal that moved the exchange to ${name} (${to})`)
  }

  #requireBefore(batch: Batch): void {
    const { seq } = quarantinedBy(batch)
    if (seq < batch.firstSeq) return
    const found = `the quarantine at position ${batch.position} is for command ${seq}, which comes after it`
    this.#findings.add('QUARANTINE', found)
  }
}
