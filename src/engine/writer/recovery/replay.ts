/**
 * Applies stored batches again: at start, in a follower, in an audit. All of them must do it in the same way.
 */

import {
  COMMAND_CODES,
  type Command,
  ENGINE_KINDS,
  type EngineCommand,
  isEngines,
} from '../../../core/commands/command.ts'
import { readCommand } from '../../../core/commands/command-codec.ts'
import { RulesFloorFault } from '../../../core/commands/command-rules.ts'
import type { EventSink } from '../../../core/events/event.ts'
import { UnknownRulesFault } from '../../../core/exchange/operate.ts'
import type { Reply } from '../../../core/questions/reply.ts'
import { ByteReader } from '../../../units/bytes.ts'
import { invariant } from '../../../units/invariant.ts'
import type { Seq, TimeMs } from '../../../units/quantities.ts'
import { FRAME_HEAD_BYTES, frameBody, readFrame, readFramed, skipFrame } from '../../port/frames.ts'
import { type Batch, JournalFault, lastSeqOf, NEWER_WRITER } from '../../port/journal.ts'
import type { StateMachine } from '../../port/state-machine.ts'

/** Codes of the engine's own commands. */
const ENGINE_CODES: ReadonlySet<number> = new Set(ENGINE_KINDS.map((kind) => COMMAND_CODES[kind]))

/** Applying command `seq` threw. The machine must no longer be used. */
export class ReplayFault extends Error {
  override readonly name = 'ReplayFault'
  readonly seq: Seq

  constructor(seq: Seq, cause: unknown) {
    super(
      `applying command ${seq} of the journal failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
    this.seq = seq
  }
}

/** One command that is passed to a machine. */
export type ReplayedCommand = {
  readonly seq: Seq
  readonly time: TimeMs
  /** Undefined if the command was skipped: it is quarantined, or one of the journal's own batches. */
  readonly command: Command | undefined
  readonly reply: Reply
}

/**
 * Applies the commands of a verified batch that come after `machine.seq`. Throws `ReplayFault` if the machine
 * throws and `JournalFault` if this version cannot read a command. `note` is called for each command before
 * the next one; without it, no object is created for a command besides the command itself
 * (`npm run bench -- recovery`).
 */
export function replayBatch(
  machine: StateMachine,
  batch: Batch,
  quarantined: ReadonlySet<Seq>,
  emit: EventSink,
  note?: (replayed: ReplayedCommand) => void,
): void {
  const { time } = batch
  const stored = new StoredCommands(batch, machine.seq)
  for (let seq = stored.next; seq <= stored.last; seq = stored.next) {
    let command: Command | undefined
    let reply: Reply
    if (batch.kind !== 'COMMANDS') {
      stored.passOverOwn()
      reply = machine.refuse(time)
    } else if (quarantined.has(seq)) reply = machine.refuse(time, stored.passOver())
    else {
      command = stored.take()
      reply = applyStored(machine, command, seq, time, emit)
    }
    if (note !== undefined) note({ seq, time, command, reply })
  }
  checkEnd(machine, batch)
}

/**
 * Applies the commands one after another; if the caller stops early, the machine is after the last command
 * taken.
 */
export function* replayCommands(
  machine: StateMachine,
  batch: Batch,
  quarantined: ReadonlySet<Seq>,
  emit: EventSink,
): Generator<ReplayedCommand, void> {
  const { time } = batch
  const stored = new StoredCommands(batch, machine.seq)
  for (let seq = stored.next; seq <= stored.last; seq = stored.next) {
    if (batch.kind !== 'COMMANDS') {
      stored.passOverOwn()
      yield { seq, time, command: undefined, reply: machine.refuse(time) }
      continue
    }
    if (quarantined.has(seq)) {
      yield { seq, time, command: undefined, reply: machine.refuse(time, stored.passOver()) }
      continue
    }
    const command = stored.take()
    yield { seq, time, command, reply: applyStored(machine, command, seq, time, emit) }
  }
  checkEnd(machine, batch)
}

function checkEnd(machine: StateMachine, batch: Batch): void {
  invariant(
    machine.seq === lastSeqOf(batch),
    () => `expected to be at ${lastSeqOf(batch)}, found ${machine.seq}`,
  )
}

/** The commands of one batch after a position in the journal, read one after another from its bytes. */
class StoredCommands {
  readonly #reader: ByteReader
  readonly last: Seq
  #next: Seq

  /** Throws `JournalFault` unless the batch consists of as many complete frames as its count. */
  constructor(batch: Batch, after: Seq) {
    checkFrames(batch)
    this.last = lastSeqOf(batch)
    this.#reader = new ByteReader(batch.data)
    this.#next = batch.firstSeq
    while (this.#next <= after && this.#next <= this.last) this.#step()
  }

  /** Sequence number of the next command; above `last` after the end. */
  get next(): Seq {
    return this.#next
  }

  /** The next command. Throws `JournalFault`. */
  take(): Command {
    const seq = this.#next
    this.#next = (seq + 1) as Seq
    return readStored(this.#reader, seq)
  }

  /** Skips the next command; returns it if it is one of the engine's own. Throws `JournalFault`. */
  passOver(): EngineCommand | undefined {
    const seq = this.#next
    this.#next = (seq + 1) as Seq
    const frame = readFrame(this.#reader)
    if (!ENGINE_CODES.has(frameBody(frame)[0] ?? 0)) return undefined
    const command = readStored(new ByteReader(frame), seq)
    return isEngines(command) ? command : undefined
  }

  /** Skips the next command, which is the journal's own: it changes nothing but the sequence number. */
  passOverOwn(): void {
    this.#step()
  }

  #step(): void {
    this.#next = (this.#next + 1) as Seq
    skipFrame(this.#reader)
  }
}

function applyStored(
  machine: StateMachine,
  command: Command,
  seq: Seq,
  time: TimeMs,
  emit: EventSink,
): Reply {
  try {
    return machine.apply(command, time, emit)
  } catch (cause) {
    if (cause instanceof RulesFloorFault) throw new JournalFault('UNSUPPORTED', cause.message, { cause })
    if (cause instanceof UnknownRulesFault) {
      throw new JournalFault('UNSUPPORTED', `command ${seq}: ${cause.message}: ${NEWER_WRITER}`, { cause })
    }
    throw new ReplayFault(seq, cause)
  }
}

/** Reads the command of a frame, which must use all of its bytes. Throws `BytesFault`. */
export function decodeFrame(frame: Uint8Array): Command {
  const reader = new ByteReader(frame, FRAME_HEAD_BYTES)
  const command = readCommand(reader)
  reader.end()
  return command
}

function checkFrames(batch: Batch): void {
  try {
    const reader = new ByteReader(batch.data)
    for (let left = batch.count; left > 0; left--) skipFrame(reader)
    reader.end()
  } catch (cause) {
    const where = `batch ${batch.firstSeq} to ${lastSeqOf(batch)} of the journal`
    throw new JournalFault(
      'UNSUPPORTED',
      `${where} is intact, but not in a format that this version can read: ${NEWER_WRITER}`,
      {
        cause,
      },
    )
  }
}

export function readStored(reader: ByteReader, seq: Seq): Command {
  try {
    return readFramed(reader)
  } catch (cause) {
    // Commands are decoded once before they are stored, so this one is from another version: it must never be
    // skipped.
    const problem = `command ${seq} is intact, but of a kind that this version cannot read: ${NEWER_WRITER}`
    throw new JournalFault('UNSUPPORTED', problem, { cause })
  }
}
