/**
 * Applying stored batches again: at start, in a follower, in an audit. All of them must do it in the same way.
 */

import { readCommand } from '../core/exchange/codec/command-codec.ts'
import type { Command } from '../core/exchange/command.ts'
import type { EventSink } from '../core/exchange/event.ts'
import { UnknownRulesFault } from '../core/exchange/exchange.ts'
import type { Reply } from '../core/exchange/reply.ts'
import { ByteReader } from '../units/bytes.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq, TimeMs } from '../units/quantities.ts'
import { FRAME_HEAD_BYTES, framesOf } from './frames.ts'
import { type Batch, JournalFault, lastSeqOf, NEWER_WRITER } from './journal.ts'
import type { StateMachine } from './state-machine.ts'

/** Applying command `seq` threw. The machine is not to be used any more. */
export class ReplayFailure extends Error {
  override readonly name = 'ReplayFailure'
  readonly seq: Seq

  constructor(seq: Seq, cause: unknown) {
    super(
      `applying command ${seq} of the journal failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
    this.seq = seq
  }
}

/** One command on its way into a machine. */
export type ReplayedCommand = {
  readonly seq: Seq
  readonly time: TimeMs
  /** Undefined: it is quarantined and was passed over. */
  readonly command: Command | undefined
  readonly reply: Reply
}

/**
 * Applies the commands of a verified batch that come after `machine.seq`. Throws `ReplayFailure` where the machine
 * throws and `JournalFault` where this version cannot read a command.
 */
export function replayBatch(
  machine: StateMachine,
  batch: Batch,
  quarantined: ReadonlySet<Seq>,
  emit: EventSink,
): void {
  for (const _ of replayCommands(machine, batch, quarantined, emit)) {
    // Applied; nobody asks what was answered.
  }
}

/** The same, one command after another; whoever takes no more leaves the machine after the last one taken. */
export function* replayCommands(
  machine: StateMachine,
  batch: Batch,
  quarantined: ReadonlySet<Seq>,
  emit: EventSink,
): Generator<ReplayedCommand, void> {
  const { time } = batch
  const frames = framesOfStored(batch)
  for (let i = machine.seq + 1 - batch.firstSeq; i < frames.length; i++) {
    const seq = (batch.firstSeq + i) as Seq
    if (quarantined.has(seq)) {
      yield { seq, time, command: undefined, reply: machine.refuse(time) }
      continue
    }
    const command = decodeStored(frames[i] as Uint8Array, seq)
    yield { seq, time, command, reply: applyStored(machine, command, seq, time, emit) }
  }
  invariant(
    machine.seq === lastSeqOf(batch),
    () => `expected to be at ${lastSeqOf(batch)}, found ${machine.seq}`,
  )
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
    if (cause instanceof UnknownRulesFault) {
      throw new JournalFault('UNSUPPORTED', `command ${seq}: ${cause.message}: ${NEWER_WRITER}`, { cause })
    }
    throw new ReplayFailure(seq, cause)
  }
}

/** A sink for replays that nobody watches. */
export const NO_EVENTS: EventSink = () => {}

/** Reads the command of a frame, all of its bytes. Throws `BytesFault`. */
export function decodeFrame(frame: Uint8Array): Command {
  const reader = new ByteReader(frame, FRAME_HEAD_BYTES)
  const command = readCommand(reader)
  reader.end()
  return command
}

function framesOfStored(batch: Batch): Uint8Array[] {
  try {
    return framesOf(batch.data, batch.count)
  } catch (cause) {
    const where = `batch ${batch.firstSeq} to ${lastSeqOf(batch)} of the journal`
    throw new JournalFault(
      'UNSUPPORTED',
      `${where} is whole, but not in a form that this version reads: ${NEWER_WRITER}`,
      {
        cause,
      },
    )
  }
}

function decodeStored(frame: Uint8Array, seq: Seq): Command {
  try {
    return decodeFrame(frame)
  } catch (cause) {
    // Commands are read once before they are stored, so this is one of another version: never to be skipped.
    const problem = `command ${seq} is whole, but not one that this version knows: ${NEWER_WRITER}`
    throw new JournalFault('UNSUPPORTED', problem, { cause })
  }
}
