/**
 * The journal's batches in order, each verified. After a damaged batch the walk continues, so that an auditor
 * sees the extent of the damage and not only its beginning. Batches after damage must not be replayed.
 */

import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  endOf,
  hashOfQuarantined,
  hexOf,
  JournalFault,
  lastSeqOf,
  type Mark,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import type { Findings } from './findings.ts'
import type { JournalSource } from './source.ts'

/**
 * Maximum number of bytes (`sizeOf`) in one read. A running node's writer waits during the read: a
 * millisecond for 63 batches.
 */
export const AUDIT_READ_BYTES = 64 * 1024

export type AuditedBatch = {
  readonly batch: Batch
  /** The end of the batch. */
  readonly tail: Tail
  /** Whether the batch and all batches before it are intact. */
  readonly isSound: boolean
}

/** Walks the journal; damage goes to `findings`. Ends early if storage returns no more rows. */
export async function* auditedBatches(
  source: JournalSource,
  digest: Digest,
  findings: Findings,
): AsyncGenerator<AuditedBatch, void> {
  let tail = EMPTY_TAIL
  let isSound = true
  while (tail.seq < source.tail.seq) {
    const batches = await readOn(source, tail.seq, findings)
    if (batches === undefined) return
    for (const batch of batches) {
      const problem = damageOf(digest, tail, batch)
      if (problem !== undefined) {
        findings.add('JOURNAL', problem)
        isSound = false
      }
      tail = endOf(batch)
      yield { batch, tail, isSound }
    }
  }
}

/** Returns the next batches; if expected ones are missing, returns undefined and adds a finding. */
async function readOn(
  source: JournalSource,
  after: Seq,
  findings: Findings,
): Promise<readonly Batch[] | undefined> {
  const where = `after command ${after} of ${source.tail.seq}`
  // One unreadable row fails the whole read, so the rows before it are then read one by one.
  for (const bytesMax of [AUDIT_READ_BYTES, 1]) {
    try {
      const batches = await source.read(after, bytesMax)
      if (batches.length > 0) return batches
      findings.add('JOURNAL', `${where}: expected a batch, found none`)
      return undefined
    } catch (cause) {
      if (!(cause instanceof JournalFault && cause.kind === 'DAMAGED')) throw cause
      if (bytesMax === 1) findings.add('JOURNAL', `${where}: ${cause.message}`)
    }
  }
  return undefined
}

function damageOf(digest: Digest, tail: Tail, batch: Batch): string | undefined {
  try {
    verifyBatch(digest, tail, batch)
    return undefined
  } catch (cause) {
    if (cause instanceof JournalFault) return cause.message
    throw cause
  }
}

/** A journal position recorded outside the journal. */
export type Witnessed = Mark & { readonly who: string }

/** Compares positions stored elsewhere with the journal during a walk over it. */
export class WitnessedMarks {
  readonly #findings: Findings
  /** Oldest first. */
  readonly #marks: Witnessed[]

  constructor(marks: readonly Witnessed[], findings: Findings) {
    this.#findings = findings
    this.#marks = marks.filter(({ seq }) => seq > 0).sort((a, b) => a.seq - b.seq)
  }

  /** Called at the end of each batch. */
  pass(tail: Tail): void {
    for (let mark = this.#marks[0]; mark !== undefined && mark.seq <= tail.seq; mark = this.#marks[0]) {
      this.#marks.shift()
      const { who, seq, hash } = mark
      if (seq === tail.seq && sameBytes(hash, tail.hash)) continue
      const found = seq < tail.seq ? 'no batch end' : `hash ${hexOf(tail.hash)}`
      this.#findings.add(
        'WITNESS',
        `${who} has hash ${hexOf(hash)} at command ${seq}, but the journal has ${found} there`,
      )
    }
  }

  /** Called when the walk ends, at command `seq`. */
  end(end: Seq): void {
    for (const { who, seq } of this.#marks) {
      this.#findings.add('WITNESS', `${who} is at command ${seq}, but the journal ends at ${end}`)
    }
  }
}

/** Compares the quarantine's entries with the batches that they refer to. */
export class QuarantineCheck {
  readonly #digest: Digest
  readonly #findings: Findings
  readonly #checkBySeq: Map<Seq, Uint8Array | undefined>

  constructor(entries: ReadonlyMap<Seq, Uint8Array | undefined>, digest: Digest, findings: Findings) {
    this.#checkBySeq = new Map(entries)
    this.#digest = digest
    this.#findings = findings
  }

  pass(batch: Batch): void {
    if (this.#checkBySeq.size === 0) return
    for (const [seq, check] of this.#checkBySeq) {
      if (seq > lastSeqOf(batch) || seq < batch.firstSeq) continue
      this.#checkBySeq.delete(seq)
      if (check !== undefined && !sameBytes(check, hashOfQuarantined(this.#digest, batch.hash, seq))) {
        this.#findings.add(
          'QUARANTINE',
          `the quarantine of command ${seq} does not belong to the journal's command ${seq}`,
        )
      }
    }
  }

  end(): void {
    for (const seq of this.#checkBySeq.keys()) {
      this.#findings.add(
        'QUARANTINE',
        `the quarantine contains command ${seq}, which the journal does not have`,
      )
    }
  }
}
