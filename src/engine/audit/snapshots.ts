/**
 * Snapshots in an audit: each is read completely once, and its state must be the one that a replay from the
 * first command reaches at its position.
 */
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { type Digest, hexOf, type Tail } from '../port/journal.ts'
import { type SnapshotStore, takeSnapshot } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { loadMachine } from '../writer/recovery/replay-start.ts'
import type { Witnessed } from './chain.ts'
import type { Findings } from './findings.ts'

export type SnapshotAuditParts = {
  readonly snapshots: SnapshotStore
  readonly factory: StateMachineFactory
  readonly digest: Digest
}

export class SnapshotAudit {
  readonly #digest: Digest
  readonly #findings: Findings
  /**
   * By command; the hash of the state in today's layout, which a snapshot of another version need not have.
   */
  readonly #stateHashBySeq: ReadonlyMap<Seq, Uint8Array>
  /** The journal positions recorded in the snapshots. */
  readonly marks: readonly Witnessed[]
  #confirmed: Seq[] = []

  /** Reads all snapshots; those that a running node deletes during the read are skipped. */
  static async read(parts: SnapshotAuditParts, findings: Findings): Promise<SnapshotAudit> {
    const { snapshots, digest } = parts
    const { heads, damaged } = await snapshots.list()
    for (const { name, problem } of damaged) findings.add('SNAPSHOT', `${name}: ${problem}`)
    const stateHashBySeq = new Map<Seq, Uint8Array>()
    const marks: Witnessed[] = []
    for (const head of heads) {
      let problem: string | undefined
      const onDamaged = (name: string, found: string): void => {
        problem = `${name}: ${found}`
      }
      const machine = await loadMachine({ ...parts, onDamaged }, head)
      const mark = { who: `snapshot ${head.seq}`, seq: head.seq, hash: head.journalHash }
      if (machine !== undefined) {
        stateHashBySeq.set(head.seq, digest([machine.encodeSnapshot()]))
        marks.push(mark)
      } else if ((await snapshots.list()).heads.some(({ seq }) => seq === head.seq)) {
        findings.add('SNAPSHOT', problem ?? `snapshot of command ${head.seq} cannot be read`)
        marks.push(mark)
      }
    }
    return new SnapshotAudit(digest, findings, stateHashBySeq, marks)
  }

  /** For a journal audited without snapshots. */
  static none(digest: Digest, findings: Findings): SnapshotAudit {
    return new SnapshotAudit(digest, findings, new Map(), [])
  }

  private constructor(
    digest: Digest,
    findings: Findings,
    stateHashBySeq: ReadonlyMap<Seq, Uint8Array>,
    marks: readonly Witnessed[],
  ) {
    this.#digest = digest
    this.#findings = findings
    this.#stateHashBySeq = stateHashBySeq
    this.marks = marks
  }

  /** Commands after which the replay reached the state of the snapshot there. */
  get confirmed(): readonly Seq[] {
    return this.#confirmed
  }

  /** Called when the replay has reached `tail`. */
  compare(machine: StateMachine, tail: Tail): void {
    const expected = this.#stateHashBySeq.get(tail.seq)
    if (expected === undefined) return
    const { stateHash } = takeSnapshot(machine, tail, this.#digest)
    if (sameBytes(stateHash, expected)) this.#confirmed.push(tail.seq)
    else {
      const found = `the replay has ${hexOf(stateHash)}, the snapshot has ${hexOf(expected)}`
      this.#findings.add('SNAPSHOT', `the states after command ${tail.seq} differ: ${found}`)
    }
  }
}
