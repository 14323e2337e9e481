/**
 * Findings of an audit. Each states its place, so that a reader can look there; the number of reported
 * findings is bounded, the total is counted.
 */

/**
 * The check in which a finding was made. New checks are added at the end; the words are part of the command's
 * contract.
 */
const AUDIT_CHECKS = [
  /** Stored batches are intact, and follow one another. */
  'JOURNAL',
  /** Entries of the quarantine belong to the commands they refer to. */
  'QUARANTINE',
  /** No position stored elsewhere is beyond the journal's end or differs from the journal. */
  'WITNESS',
  /** Snapshots are complete, and a replay from the first command reaches the same state. */
  'SNAPSHOT',
  /** Every command can be applied. */
  'REPLAY',
  /** Every asset sums to zero, nothing is negative, and locked amounts equal the holds of open orders. */
  'BALANCE',
  /** Every account's balance equals the sum of its deposits, withdrawals and trades. */
  'STATEMENT',
  /** History has exactly the trades that the journal caused. */
  'HISTORY',
] as const
export type AuditCheck = (typeof AUDIT_CHECKS)[number]

export type Finding = {
  readonly check: AuditCheck
  /** One sentence with the place, what was expected and what was found. */
  readonly message: string
}

/** Maximum number of stored findings of one check; further ones are only counted. */
const FINDINGS_KEPT = 20

/** Collects findings. */
export class Findings {
  readonly #kept: Finding[] = []
  readonly #countByCheck = new Map<AuditCheck, number>()

  add(check: AuditCheck, message: string): void {
    const count = this.count(check) + 1
    this.#countByCheck.set(check, count)
    if (count <= FINDINGS_KEPT) this.#kept.push({ check, message })
  }

  count(check: AuditCheck): number {
    return this.#countByCheck.get(check) ?? 0
  }

  get total(): number {
    let total = 0
    for (const count of this.#countByCheck.values()) total += count
    return total
  }

  /** The stored findings, in the order in which they were found. */
  get kept(): readonly Finding[] {
    return this.#kept
  }
}
