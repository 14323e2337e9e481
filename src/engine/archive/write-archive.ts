/**
 * Makes an archive file: takes the batches from the journal's beginning up to a time, replays them from the
 * verified state of the previous archive, and continues the replay up to a snapshot, whose state must match.
 * It only reads the journal: the caller records the file there, and removes the rows.
 */
import { NO_EVENTS } from '../../core/events/event.ts'
import type { Seq } from '../../units/quantities.ts'
import { sameBytes } from '../../units/typed-arrays.ts'
import { QuarantineCheck } from '../audit/chain.ts'
import { Findings } from '../audit/findings.ts'
import type { JournalSource } from '../audit/source.ts'
import {
  type Batch,
  type Digest,
  EMPTY_TAIL,
  hashOfQuarantined,
  hexOf,
  JournalFault,
  lastSeqOf,
  type Quarantined,
  type Tail,
  verifyBatch,
} from '../port/journal.ts'
import type { SnapshotHead, SnapshotStore } from '../port/snapshots.ts'
import type { StateMachine, StateMachineFactory } from '../port/state-machine.ts'
import { replayBatch } from '../writer/recovery/replay.ts'
import { loadMachine } from '../writer/recovery/replay-start.ts'
import { BlockBuilder } from './archive-block.ts'
import type { ArchiveBlock, ArchiveContents, FilePart } from './archive-contents.ts'

/** An archive file that is being made, under a temporary name until it is complete. */
export interface ArchiveTarget {
  /** Compresses and adds the bytes, and returns their place. Rejects with `JournalFault`. */
  add(bytes: Uint8Array): Promise<FilePart>
}

/** The current end of an archive, and the state there. */
export type ArchivedState = {
  readonly end: Tail
  readonly firstHash: Uint8Array
  readonly payload: Uint8Array
}

export type WriteArchiveOptions = {
  readonly source: JournalSource
  readonly snapshots: SnapshotStore
  /** The end of the previous file; undefined if this one begins the journal. */
  readonly before: ArchivedState | undefined
  /** Batches of this time (milliseconds since 1970) and later stay in the journal. */
  readonly cutMs: number
  readonly target: ArchiveTarget
  readonly factory: StateMachineFactory
  readonly digest: Digest
  readonly onProgress: (progress: { readonly seq: Seq; readonly endSeq: Seq }) => void
}

/** Nothing can be archived now; the message states why, and what to do. */
export class NothingToArchiveError extends Error {
  override readonly name = 'NothingToArchiveError'
}

/** Size in bytes of a piece of the state. */
const STATE_PIECE_BYTES = 4 * 1024 * 1024
/** Maximum number of bytes (`sizeOf`) in one read. */
const READ_BYTES = 64 * 1024

/**
 * Rejects with `NothingToArchiveError`, with `DAMAGED` if the journal or the snapshot is damaged, or with
 * errors of reading and writing.
 */
export async function writeArchive(options: WriteArchiveOptions): Promise<ArchiveContents> {
  const begin = options.before?.end ?? EMPTY_TAIL
  const { head, stateHash } = await newestSnapshot(options, begin)
  const work = new ArchiveWork(options, head)
  await work.replay()
  work.requireState(stateHash)
  return work.contents()
}

type Confirming = { readonly head: SnapshotHead; readonly stateHash: Uint8Array }

/** The newest usable snapshot after `begin`, and the hash of its state in today's layout. */
async function newestSnapshot(options: WriteArchiveOptions, begin: Tail): Promise<Confirming> {
  const { snapshots, source, factory, digest } = options
  const problems: string[] = []
  for (const head of (await snapshots.list()).heads) {
    if (head.seq <= begin.seq || head.seq > source.tail.seq) continue
    const onDamaged = (name: string, problem: string): void => void problems.push(`${name}: ${problem}`)
    const machine = await loadMachine({ snapshots, factory, onDamaged }, head)
    if (machine !== undefined) return { head, stateHash: digest([machine.encodeSnapshot()]) }
  }
  const found = problems.length === 0 ? '' : ` (${problems.join('; ')})`
  throw new NothingToArchiveError(
    `there is no usable snapshot after command ${begin.seq}${found}, and only commands before a snapshot can be archived. A node saves a snapshot when it stops`,
  )
}

class ArchiveWork {
  readonly #options: WriteArchiveOptions
  readonly #head: SnapshotHead
  readonly #begin: Tail
  readonly #machine: StateMachine
  readonly #block: BlockBuilder
  readonly #blocks: ArchiveBlock[] = []
  readonly #quarantined: Quarantined[] = []
  #firstHash: Uint8Array | undefined
  /** The position of the replay. */
  #tail: Tail
  /** The state at the end of the file; undefined until the file ends. */
  #state: { readonly hash: Uint8Array; readonly pieces: readonly FilePart[] } | undefined

  constructor(options: WriteArchiveOptions, head: SnapshotHead) {
    const { before, factory } = options
    this.#options = options
    this.#head = head
    this.#begin = before?.end ?? EMPTY_TAIL
    this.#firstHash = before?.firstHash
    this.#machine = before === undefined ? factory.empty() : factory.fromSnapshot(before.payload)
    this.#tail = this.#begin
    this.#block = new BlockBuilder(this.#begin)
  }

  /** Replays up to the snapshot, and writes the batches to be archived on the way. */
  async replay(): Promise<void> {
    const { source, digest, onProgress } = this.#options
    const entries = await source.quarantined()
    const findings = new Findings()
    const check = new QuarantineCheck(entries, digest, findings)
    const quarantined = new Set(entries.keys())
    while (this.#tail.seq < this.#head.seq) {
      const batches = await source.read(this.#tail.seq, READ_BYTES)
      if (batches.length === 0)
        throw new JournalFault('DAMAGED', `expected a batch after command ${this.#tail.seq}, found none`)
      for (const batch of batches) {
        if (this.#tail.seq >= this.#head.seq) break
        const tail = verifyBatch(digest, this.#tail, batch)
        await this.#take(batch, quarantined)
        check.pass(batch)
        replayBatch(this.#machine, batch, quarantined, NO_EVENTS)
        this.#tail = tail
      }
      const [problem] = findings.kept
      if (problem !== undefined) throw new JournalFault('DAMAGED', problem.message)
      onProgress({ seq: this.#tail.seq, endSeq: this.#head.seq })
    }
    if (this.#state === undefined) await this.#end()
  }

  /** Throws `DAMAGED` unless the replay has reached the snapshot and its state. */
  requireState(stateHash: Uint8Array): void {
    const { seq, journalHash } = this.#head
    const isThere = this.#tail.seq === seq && sameBytes(this.#tail.hash, journalHash)
    if (!isThere)
      throw new JournalFault(
        'DAMAGED',
        `the snapshot of command ${seq} was saved with journal hash ${hexOf(journalHash)}, but the journal has ${hexOf(this.#tail.hash)} at command ${this.#tail.seq}`,
      )
    const found = this.#options.digest([this.#machine.encodeSnapshot()])
    if (sameBytes(found, stateHash)) return
    throw new JournalFault(
      'DAMAGED',
      `the states after command ${seq} differ: the replay has ${hexOf(found)}, the snapshot has ${hexOf(stateHash)}`,
    )
  }

  contents(): ArchiveContents {
    if (this.#state === undefined || this.#firstHash === undefined)
      throw new Error('an archive is complete only after its replay')
    const { hash: stateHash, pieces: state } = this.#state
    return {
      begin: this.#begin,
      end: this.#block.tail,
      firstHash: this.#firstHash,
      quarantined: this.#quarantined,
      blocks: this.#blocks,
      stateHash,
      state,
      confirmedSeq: this.#head.seq,
    }
  }

  /** Receives each batch before it is applied. */
  async #take(batch: Batch, quarantined: ReadonlySet<Seq>): Promise<void> {
    if (this.#state !== undefined) return
    const { cutMs, source, digest } = this.#options
    // The journal's last batch stays, so that the journal's end does not move.
    if (batch.time >= cutMs || lastSeqOf(batch) >= source.tail.seq) {
      await this.#end()
      return
    }
    if (this.#block.isFullFor(batch)) await this.#writeBlock()
    this.#block.add(batch)
    this.#firstHash ??= batch.hash
    for (const seq of quarantined) {
      if (batch.firstSeq <= seq && seq <= lastSeqOf(batch))
        this.#quarantined.push({ seq, check: hashOfQuarantined(digest, batch.hash, seq) })
    }
  }

  /** Called when the file ends before the next batch, at the position of the machine. */
  async #end(): Promise<void> {
    if (this.#block.tail.seq === this.#begin.seq)
      throw new NothingToArchiveError(
        `nothing is old enough to be archived: the journal begins with command ${this.#begin.seq + 1}, which must stay`,
      )
    if (!this.#block.isEmpty) await this.#writeBlock()
    const payload = this.#machine.encodeSnapshot()
    const pieces: FilePart[] = []
    for (let at = 0; at < payload.length; at += STATE_PIECE_BYTES)
      pieces.push(await this.#options.target.add(payload.subarray(at, at + STATE_PIECE_BYTES)))
    this.#state = { hash: this.#options.digest([payload]), pieces }
  }

  async #writeBlock(): Promise<void> {
    const end = this.#block.tail
    const part = await this.#options.target.add(this.#block.take())
    this.#blocks.push({ ...part, end })
  }
}
