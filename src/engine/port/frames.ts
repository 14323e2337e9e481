/**
 * The encoding of commands in a batch: each as a length of four bytes and the bytes of its codec. The length
 * lets a reader skip a command that it must not or cannot decode. Clients of the engine write this form, and
 * the journal stores the same bytes.
 */

import type { Command } from '../../core/commands/command.ts'
import { readCommand, writeCommand } from '../../core/commands/command-codec.ts'
import { ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import { COMMAND_BYTES_MAX } from './limits.ts'

/** Bytes before each command. */
export const FRAME_HEAD_BYTES = 4

/**
 * Appends a command as a frame. A command above `COMMAND_BYTES_MAX` is a bug of the code that accepted it.
 */
export function writeFrame(writer: ByteWriter, command: Command): void {
  const start = writer.length
  writer.u32(0)
  writeCommand(writer, command)
  const length = writer.length - start - FRAME_HEAD_BYTES
  invariant(
    length <= COMMAND_BYTES_MAX,
    () => `${command.kind} has ${length} bytes, above ${COMMAND_BYTES_MAX}`,
  )
  writer.u32At(start, length)
}

/** The next frame, head included: a view, not a copy. */
export function readFrame(reader: ByteReader): Uint8Array {
  const start = reader.at
  skipFrame(reader)
  return reader.since(start)
}

/** The codec's bytes of a frame. */
export function frameBody(frame: Uint8Array): Uint8Array {
  return frame.subarray(FRAME_HEAD_BYTES)
}

/** The command of the next frame, which must fill the frame. Throws `BytesFault`. */
export function readFramed(reader: ByteReader): Command {
  const length = reader.u32()
  const start = reader.at
  const command = readCommand(reader)
  const read = reader.at - start
  if (read !== length) throw new BytesFault(`command of ${read} bytes in ${length} before byte ${reader.at}`)
  return command
}

/** Skips the next frame. */
export function skipFrame(reader: ByteReader): void {
  const length = reader.u32()
  if (length > COMMAND_BYTES_MAX) throw new BytesFault(`command of ${length} bytes before byte ${reader.at}`)
  reader.skip(length)
}

/** The `count` frames of a batch; throws `BytesFault` unless they make up exactly its data. */
export function framesOf(data: Uint8Array, count: number): Uint8Array[] {
  const reader = new ByteReader(data)
  const frames: Uint8Array[] = []
  for (let i = 0; i < count; i++) frames.push(readFrame(reader))
  reader.end()
  return frames
}
