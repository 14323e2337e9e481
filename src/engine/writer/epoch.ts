/**
 * The batch with which numbers jump when a journal continues without commands that another fork had: after a
 * restored backup, and after a loss accepted by an operator. It is not needed after a claim: the new leader
 * issues the same command first.
 */
import type { BeginEpoch } from '../../core/commands/command.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { writeFrame } from '../port/frames.ts'
import { type Batch, type Digest, following, sealed, type Tail } from '../port/journal.ts'
import { inadmissible } from '../port/state-machine.ts'

/**
 * The batch after `tail`, with the same time as the previous batch, in which numbers jump `jumps` times (at
 * least 1); undefined if numbers do not jump under `rulesVersion`.
 */
export function epochBatch(digest: Digest, tail: Tail, rulesVersion: number, jumps = 1): Batch | undefined {
  const command: BeginEpoch = { kind: 'BeginEpoch', epoch: tail.epoch }
  if (inadmissible(command, { rulesVersion }) !== undefined) return undefined
  const writer = new ByteWriter(32)
  for (let jump = 0; jump < jumps; jump++) writeFrame(writer, command)
  const { time } = tail
  return sealed(digest, { ...following(tail), kind: 'COMMANDS', count: jumps, time, data: writer.take() })
}
