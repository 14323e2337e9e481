/**
 * The complete audit of a node's data: one walk over the journal from its first batch, with a replay, during
 * which all other stored data is compared. It only reads. Problems of the data become findings; problems that
 * prevent the audit are thrown.
 */

import type { ExchangeEvent } from '../../core/events/event.ts'
import type { AssetAudit } from '../../core/exchange/audit.ts'
import type { Seq } from '../../units/quantities.ts'
import { HistoryFault } from '../history/history.ts'
import { HistoryProjection } from '../history/history-projection.ts'
import { type Batch, type Digest, EMPTY_TAIL, type Tail } from '../port/journal.ts'
import type { SnapshotStore } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import type { WitnessRecord } from '../port/witness.ts'
import { ReplayFault, replayCommands } from '../writer/recovery/replay.ts'
import { auditAssets, balanceProblem } from './balances.ts'
import { type AuditedBatch, auditedBatches, QuarantineCheck, WitnessedMarks } from './chain.ts'
import type { Findings } from './findings.ts'
import type { AuditedHistory, HistoryAudit } from './history.ts'
import { AuditNames } from './names.ts'
import { OwnBatchCheck, type OwnReport } from './own-batches.ts'
import { SnapshotAudit } from './snapshots.ts'
import type { JournalSource } from './source.ts'
import { AuditStatements } from './statements.ts'

/**
 * How many times the balances are added up during the replay; the cost of each time is proportional to the
 * number of accounts and open orders.
 */
const BALANCE_AUDITS = 16

/**
 * The stored data besides the journal. On a running node it must have been read before the journal's source
 * was opened: then the source contains every position that it refers to.
 */
export type StoredBesides = {
  /** Undefined if the witness of the journal is kept elsewhere. */
  readonly recorded: WitnessRecord | undefined
  readonly snapshots: SnapshotAudit
  /** Undefined if there is no history, or if it is of another version; the node rebuilds it. */
  readonly history: AuditedHistory | undefined
}

export type VerifyOptions = StoredBesides & {
  readonly source: JournalSource
  readonly factory: StateMachineFactory
  readonly digest: Digest
  /** Receives all findings, including those of `besides`. */
  readonly findings: Findings
  readonly onProgress: (progress: AuditProgress) => void
}

export type AuditProgress = { readonly seq: Seq; readonly endSeq: Seq }

export type VerifyReport = {
  /** The end of the walk over the journal. */
  readonly tail: Tail
  readonly batches: number
  readonly own: OwnReport
  /** The last command replayed: `tail.seq`, or the one before the first damage. */
  readonly replayedSeq: Seq
  /** The hash of the state after `replayedSeq`. */
  readonly stateHash: Uint8Array
  readonly assets: readonly AssetAudit[]
  readonly witnessSeq: Seq | undefined
  readonly snapshotsConfirmed: readonly Seq[]
  /** Undefined if there is no history. */
  readonly history: { readonly seq: Seq; readonly trades: number } | undefined
  readonly findings: Findings
  /** The machine after `replayedSeq`. */
  readonly machine: StateMachine
  readonly names: AuditNames
}

/** Reads the snapshots; see `StoredBesides`. */
export function readSnapshots(
  snapshots: SnapshotStore,
  parts: Pick<VerifyOptions, 'factory' | 'digest' | 'findings'>,
): Promise<SnapshotAudit> {
  return SnapshotAudit.read({ ...parts, snapshots }, parts.findings)
}

/** Audits everything. Rejects with the error that prevents reading, such as a command of another version. */
export async function verifyStorage(options: VerifyOptions): Promise<VerifyReport> {
  const { source, digest, findings, onProgress } = options
  const quarantine = await source.quarantined()
  const quarantineCheck = new QuarantineCheck(quarantine, digest, findings)
  const marks = new WitnessedMarks(marksOf(options), findings)
  const ownCheck = new OwnBatchCheck(findings)
  const replay = new AuditedReplay(options, new Set(quarantine.keys()))
  let tail = EMPTY_TAIL
  let batches = 0
  for await (const step of auditedBatches(source, digest, findings)) {
    tail = step.tail
    batches++
    marks.pass(tail)
    quarantineCheck.pass(step.batch)
    if (step.isSound) ownCheck.pass(step.batch)
    replay.take(step)
    onProgress({ seq: tail.seq, endSeq: source.tail.seq })
  }
  marks.end(tail.seq)
  quarantineCheck.end()
  const witnessSeq = witnessSeqOf(options.recorded)
  return { tail, batches, witnessSeq, own: ownCheck.report, findings, ...replay.finish() }
}

/** The last command that any data besides the journal refers to; 0 if there is none. */
export function rememberedSeq({ recorded, snapshots, history }: StoredBesides): Seq {
  const marks = [...snapshots.marks.map(({ seq }) => seq), history?.position.seq ?? 0]
  return Math.max(0, ...marks, witnessSeqOf(recorded) ?? 0) as Seq
}

function witnessSeqOf(recorded: WitnessRecord | undefined): Seq | undefined {
  return recorded?.kind === 'MARK' ? recorded.mark.seq : undefined
}

/** All journal positions recorded elsewhere; an empty witness is a finding. */
function marksOf({ recorded, snapshots, history, source, findings }: VerifyOptions) {
  const marks = [...snapshots.marks]
  if (history !== undefined) marks.push({ who: 'history', ...history.position })
  if (recorded === undefined) return marks
  if (recorded.kind === 'MARK') {
    marks.push({ who: 'the witness file', ...recorded.mark })
    if (recorded.damage !== undefined) findings.add('WITNESS', recorded.damage)
  } else if (recorded.kind === 'UNREADABLE') {
    findings.add('WITNESS', `the witness file cannot be read: ${recorded.damage}`)
  } else if (source.tail.seq > 0) {
    findings.add('WITNESS', `the journal has ${source.tail.seq} commands, and its witness file is missing`)
  }
  return marks
}

/** The replay of an audit and its comparisons; it ends at the first damage. */
class AuditedReplay {
  readonly #options: VerifyOptions
  readonly #machine: StateMachine
  readonly #quarantined: ReadonlySet<Seq>
  readonly #names: AuditNames
  readonly #statements: AuditStatements
  readonly #projection: HistoryProjection
  readonly #history: HistoryAudit | undefined
  #tradesCompared = 0
  readonly #balanceEvery: number
  #nextBalanceSeq: number
  #tail = EMPTY_TAIL
  #isReplaying = true
  #isHistoryReadable = true

  constructor(options: VerifyOptions, quarantined: ReadonlySet<Seq>) {
    const { factory, history, findings, source } = options
    this.#options = options
    this.#quarantined = quarantined
    this.#machine = factory.empty()
    this.#names = new AuditNames(this.#machine.bootstrap().accounts)
    this.#statements = new AuditStatements(this.#names)
    this.#projection = new HistoryProjection(this.#machine)
    this.#history = history?.audit(this.#names, ({ sentence }) => findings.add('HISTORY', sentence))
    this.#balanceEvery = Math.max(1, Math.floor(source.tail.seq / BALANCE_AUDITS))
    this.#nextBalanceSeq = this.#balanceEvery
  }

  take({ batch, tail, isSound }: AuditedBatch): void {
    this.#isReplaying &&= isSound && this.#apply(batch)
    if (!this.#isReplaying) return
    this.#tail = tail
    this.#compareHistory()
    this.#options.snapshots.compare(this.#machine, tail)
    if (tail.seq < this.#nextBalanceSeq) return
    this.#nextBalanceSeq = tail.seq + this.#balanceEvery
    if (this.#options.findings.count('BALANCE') === 0) this.#auditBalances()
  }

  finish() {
    const { findings, digest, history, snapshots } = this.#options
    const machine = this.#machine
    // A machine that a bug has stopped in the middle of a batch has no usable state.
    if (machine.seq === this.#tail.seq) {
      if (findings.count('BALANCE') === 0) this.#auditBalances()
      this.#statements.compare(machine, findings)
    }
    // Commands after the damage were not replayed, so their trades cannot be checked.
    if (this.#isReplaying) this.#withHistory((audit) => audit.finish())
    return {
      replayedSeq: this.#tail.seq,
      stateHash: digest([machine.encodeSnapshot()]),
      assets: auditAssets(machine),
      snapshotsConfirmed: snapshots.confirmed,
      history: history && { seq: history.position.seq, trades: this.#tradesCompared },
      machine,
      names: this.#names,
    }
  }

  /** False when a command cannot be applied: then the machine is no longer usable. */
  #apply(batch: Batch): boolean {
    try {
      const replay = replayCommands(this.#machine, batch, this.#quarantined, this.#sink)
      for (const replayed of replay) this.#projection.note(replayed)
      return true
    } catch (cause) {
      if (!(cause instanceof ReplayFault)) throw cause
      this.#options.findings.add('REPLAY', cause.message)
      return false
    }
  }

  readonly #sink = (event: ExchangeEvent): void => {
    this.#names.sink(event)
    this.#statements.sink(event)
    this.#projection.sink(event)
  }

  #compareHistory(): void {
    const records = this.#projection.drain()
    const { trades, transfers, orders, ends, actions, events, updates } = records
    const { history } = this.#options
    if (history === undefined || this.#tail.seq > history.position.seq) return
    this.#withHistory((audit) => {
      for (const trade of trades) {
        this.#tradesCompared++
        audit.compare(trade)
      }
      for (const transfer of transfers) audit.compareTransfer(transfer)
      audit.comparePositions(records)
      for (const order of orders) audit.compareOrder(order)
      for (const end of ends) audit.compareEnd(end)
      for (const action of actions) audit.compareAction(action)
      for (const event of events) audit.compareEvent(event)
      if (updates !== undefined) audit.compareUpdates(updates)
    })
  }

  /** A file that cannot be read any further is a finding, and ends the comparison. */
  #withHistory(work: (audit: HistoryAudit) => void): void {
    if (this.#history === undefined || !this.#isHistoryReadable) return
    try {
      work(this.#history)
    } catch (cause) {
      if (!(cause instanceof HistoryFault)) throw cause
      this.#options.findings.add('HISTORY', cause.message)
      this.#isHistoryReadable = false
    }
  }

  #auditBalances(): void {
    for (const audit of auditAssets(this.#machine)) {
      const problem = balanceProblem(audit)
      if (problem !== undefined) {
        this.#options.findings.add('BALANCE', `after command ${this.#tail.seq}: ${problem}`)
      }
    }
  }
}
