/**
 * Moves an exchange from one journal to another: copies every batch unchanged, checks that both lead to the
 * same state, seals the source, and copies the seal last. If a move ends at any step, at most one of the two
 * journals can be started, and a repeated move continues where it stopped
 * (docs/decisions/0029-moving-an-exchange.md). It is independent of the kinds of journals.
 */
import { NO_EVENTS } from '../../core/events/event.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { QuarantineCheck, type Witnessed, WitnessedMarks } from '../audit/chain.ts'
import { Findings } from '../audit/findings.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  endOf,
  hexOf,
  type Journal,
  JournalFault,
  type Quarantined,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import { type Snapshot, takeSnapshot } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { quarantineBatch, quarantinedBy } from '../writer/own-batches.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import { verifiedBatches } from '../writer/recovery/verified-batches.ts'
import { type Seal, sealBatch, sealOf } from '../writer/seal.ts'

/** Maximum number of bytes of batches (`sizeOf`) copied in one step, unless one batch alone is larger. */
export const MOVE_BYTES_MAX = 1024 * 1024

/**
 * The journal that the exchange leaves. If another process appends to it, the move's own append is refused.
 */
export type MoveSource = Pick<Journal, 'tail' | 'read' | 'quarantined' | 'append'>

/** The journal in which the exchange continues. All calls reject with `JournalFault`. */
export interface MoveTarget extends Pick<Journal, 'tail' | 'read' | 'hashAt'> {
  /** Rejects if the journal already contains an exchange of its own. Changes nothing. */
  requireFree(): Promise<void>
  /**
   * Takes possession: from now on nothing can start on the journal until `finish`. Rejects like
   * `requireFree`.
   */
  begin(): Promise<void>
  /** Adds batches that follow `tail`: all of them or none. */
  write(batches: readonly Batch[]): Promise<void>
  /** Resolves once everything in the journal is as durable as possible. */
  settle(): Promise<void>
  /**
   * Adds the seal, records the quarantined commands, and makes the exchange startable: all or nothing.
   * Durable.
   */
  finish(seal: Batch, quarantined: readonly Quarantined[]): Promise<void>
}

export type MoveOptions = {
  readonly source: MoveSource
  readonly target: MoveTarget
  readonly digest: Digest
  readonly factory: StateMachineFactory
  /** The content of the seal, if there is none yet; its destination must be `target`. */
  readonly seal: () => Seal
  /**
   * An operator has confirmed that the destination of an earlier, interrupted move is permanently lost: this
   * move replaces it.
   */
  readonly isDestinationLost: boolean
  /** Witnesses of the source: moving an incomplete journal would hide the loss. */
  readonly marks: readonly Witnessed[]
  /** Checks everything, but changes nothing. */
  readonly isDryRun: boolean
  /** Called once the source is sealed and before the target is opened, with the state at the seal. */
  readonly beforeFinish: (snapshot: Snapshot) => Promise<void>
  readonly onProgress: (progress: MoveProgress) => void
  /**
   * Lets other work of the process run; called after each step. A claimed source must keep sending
   * heartbeats, and neither a replay nor reading a file yields on its own.
   */
  readonly untilTurn: () => Promise<void>
}

export type MoveProgress = { readonly step: 'COPY' | 'VERIFY'; readonly seq: Seq; readonly endSeq: Seq }

export type Moved = {
  /** `MOVED_BEFORE`: the target already had the seal, and nothing was done. */
  readonly kind: 'MOVED' | 'MOVED_BEFORE' | 'DRY_RUN'
  /** The end of the source: its seal, except for a dry run. */
  readonly tail: Tail
  /** The number of batches that this run copied, or would copy, including the seal. */
  readonly copied: number
  /** Whether an earlier run had started to copy. */
  readonly isResumed: boolean
  /** The state at `tail`; undefined if nothing was replayed. */
  readonly snapshot: Snapshot | undefined
}

/**
 * Moves the exchange, or continues a move. Rejects with `JournalFault`; after any fault the same move can be
 * started again.
 */
export async function moveJournal(options: MoveOptions): Promise<Moved> {
  const { source, target, digest, isDryRun, beforeFinish } = options
  const known = await sealOfSource(options)
  const isResumed = target.tail.position > 0
  if (known !== undefined && (await hasEnd(target, source.tail))) {
    return { kind: 'MOVED_BEFORE', tail: source.tail, copied: 0, isResumed, snapshot: undefined }
  }
  if (known !== undefined) requireSameDestination(known, options)
  await target.requireFree()
  await requirePrefix(source, target.tail)
  if (!isDryRun) await target.begin()
  const copy = new Copy(options, known)
  await copy.run()
  if (isDryRun) return { kind: 'DRY_RUN', ...copy.result(), isResumed }
  await target.settle()
  await requireSameState(options, copy)
  const seal = known ?? sealBatch(digest, copy.tail, options.seal())
  if (known === undefined) await source.append(seal)
  copy.apply(seal)
  const { snapshot, ...result } = copy.result()
  await beforeFinish(snapshot)
  await target.finish(seal, copy.entries)
  return { kind: 'MOVED', ...result, copied: result.copied + 1, isResumed, snapshot }
}

/** The seal of an earlier move in the source; undefined if there is none. */
async function sealOfSource({ source, seal }: MoveOptions): Promise<Batch | undefined> {
  const [last] = source.tail.seq === 0 ? [] : await source.read((source.tail.seq - 1) as Seq, 1)
  return last?.kind === 'SEAL' && sealOf(last).to === seal().to ? last : undefined
}

/** Throws `SEALED` if the source was sealed for another destination, which may be in use. */
function requireSameDestination(sealed: Batch, { seal, isDestinationLost }: MoveOptions): void {
  const { identity, name, time } = sealOf(sealed)
  const wanted = seal()
  if (identity === wanted.identity || isDestinationLost) return
  const message = `the journal has been sealed for ${name} (${identity}) since ${new Date(time).toISOString()}`
  throw new JournalFault(
    'SEALED',
    `${message}, but this is ${wanted.name} (${wanted.identity}). Finish the move there. Only if that destination is lost ` +
      'permanently, and no node can have started on it, add --destination-lost',
  )
}

/** Throws `UNSUPPORTED` unless the destination's content is a beginning of the source. */
async function requirePrefix(source: MoveSource, end: Tail): Promise<void> {
  if (end.position === 0) return
  if (end.position > source.tail.position) throw notPrefix(end, 'the source ends before it')
  const [there] = await source.read((end.seq - 1) as Seq, 1)
  if (there === undefined || !sameBytes(there.hash, end.hash)) {
    throw notPrefix(end, `the source has hash ${there === undefined ? 'none' : hexOf(there.hash)} there`)
  }
}

async function hasEnd(target: MoveTarget, { seq, hash }: Tail): Promise<boolean> {
  const found = await target.hashAt(seq)
  return found !== undefined && sameBytes(found, hash)
}

/** One pass over the source, with a replay; missing batches are written to the target. */
class Copy {
  readonly #options: MoveOptions
  readonly #known: Batch | undefined
  readonly #machine: StateMachine
  readonly #findings = new Findings()
  readonly #recorded = new Set<Seq>()
  #quarantined: ReadonlySet<Seq> = new Set()
  #entries: readonly Quarantined[] = []
  #tail = EMPTY_TAIL
  #copied = 0

  constructor(options: MoveOptions, known: Batch | undefined) {
    this.#options = options
    this.#known = known
    this.#machine = options.factory.empty()
  }

  /** The end of the copy: everything in the source except its seal, until the seal is copied. */
  get tail(): Tail {
    return this.#tail
  }

  get entries(): readonly Quarantined[] {
    return this.#entries
  }

  get quarantined(): ReadonlySet<Seq> {
    return this.#quarantined
  }

  async run(): Promise<void> {
    const { source, target, digest, isDryRun, marks, onProgress, untilTurn } = this.#options
    this.#entries = await source.quarantined()
    this.#quarantined = new Set(this.#entries.map(({ seq }) => seq))
    const checks = new Map(this.#entries.map(({ seq, check }) => [seq, check]))
    const quarantineCheck = new QuarantineCheck(checks, digest, this.#findings)
    const witnessed = new WitnessedMarks(marks, this.#findings)
    const end = target.tail
    const endSeq = source.tail.seq
    for await (const { batches } of verifiedBatches(source, digest, EMPTY_TAIL, MOVE_BYTES_MAX)) {
      const missing: Batch[] = []
      for (const batch of batches) {
        witnessed.pass(endOf(batch))
        quarantineCheck.pass(batch)
        if (batch.position === this.#known?.position) continue
        this.#take(batch, end)
        if (batch.position > end.position) missing.push(batch)
      }
      if (missing.length > 0 && !isDryRun) await target.write(missing)
      this.#copied += missing.length
      onProgress({ step: 'COPY', seq: this.#tail.seq, endSeq })
      await untilTurn()
    }
    witnessed.end(endSeq)
    quarantineCheck.end()
    this.#requireNoFindings()
    await this.#recordQuarantine()
  }

  /** Applies the seal that the source already has. */
  apply(seal: Batch): void {
    verifyBatch(this.#options.digest, this.#tail, seal)
    this.#replay(seal)
  }

  result() {
    const snapshot = takeSnapshot(this.#machine, this.#tail, this.#options.digest)
    return { tail: this.#tail, copied: this.#copied, snapshot }
  }

  #take(batch: Batch, end: Tail): void {
    if (batch.position === end.position && !sameBytes(batch.hash, end.hash)) {
      throw notPrefix(end, `the source has hash ${hexOf(batch.hash)} there`)
    }
    if (batch.kind === 'QUARANTINE') this.#recorded.add(quarantinedBy(batch).seq)
    this.#replay(batch)
  }

  #replay(batch: Batch): void {
    replayBatch(this.#machine, batch, this.#quarantined, NO_EVENTS)
    this.#tail = endOf(batch)
  }

  /**
   * Quarantined commands that a directory stores beside its journal become batches of it, since only batches
   * are copied.
   */
  async #recordQuarantine(): Promise<void> {
    const { source, target, digest, isDryRun } = this.#options
    for (const entry of this.#entries) {
      if (this.#recorded.has(entry.seq)) continue
      const batch = quarantineBatch(digest, this.#tail, entry)
      if (!isDryRun) {
        await source.append(batch)
        await target.write([batch])
      }
      this.#replay(batch)
      this.#copied++
    }
  }

  #requireNoFindings(): void {
    const [first] = this.#findings.kept
    if (first === undefined) return
    throw new JournalFault(first.check === 'WITNESS' ? 'WITNESS' : 'DAMAGED', first.message)
  }
}

/**
 * Reads the stored copy, and checks that its chain is complete, that it ends where the source does, and that
 * it leads to the same state.
 */
async function requireSameState(options: MoveOptions, copy: Copy): Promise<void> {
  const { target, digest, factory, onProgress, untilTurn } = options
  const machine = factory.empty()
  let tail = EMPTY_TAIL
  for await (const read of verifiedBatches(target, digest, EMPTY_TAIL, MOVE_BYTES_MAX)) {
    for (const batch of read.batches) replayBatch(machine, batch, copy.quarantined, NO_EVENTS)
    tail = read.tail
    onProgress({ step: 'VERIFY', seq: tail.seq, endSeq: target.tail.seq })
    await untilTurn()
  }
  const { snapshot } = copy.result()
  const found = takeSnapshot(machine, tail, digest)
  if (sameBytes(tail.hash, copy.tail.hash) && sameBytes(found.stateHash, snapshot.stateHash)) return
  const expected = `command ${copy.tail.seq}, state hash ${hexOf(snapshot.stateHash)}`
  throw new JournalFault(
    'DAMAGED',
    `the copy leads to command ${tail.seq}, state hash ${hexOf(found.stateHash)}; expected ${expected}`,
  )
}

function notPrefix({ position, hash }: Tail, found: string): JournalFault {
  const what = `the destination ends at position ${position} with hash ${hexOf(hash)}, but ${found}`
  return new JournalFault(
    'UNSUPPORTED',
    `${what}: it belongs to another exchange, or the source is older than the copy. Nothing was changed: specify an empty destination`,
  )
}
