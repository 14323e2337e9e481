/**
 * A data directory with only a journal, written batch by batch at chosen times: everything that reports
 * read.
 */
import type { Command } from '../../../core/commands/command.ts'
import { writeFrame } from '../../../engine/port/frames.ts'
import { type Batch, EMPTY_TAIL, endOf, following, sealed, type Tail } from '../../../engine/port/journal.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { ByteWriter } from '../../../units/bytes.ts'
import { timeMs } from '../../../units/quantities.ts'
import { StoredExchange } from '../../node/storage/stored-exchange.ts'

export type JournaledBatch = { readonly time: number; readonly commands: readonly Command[] }

/** Number of batches of one write. */
const PIECE = 500

/** Writes the journal into `directory`, which does not exist yet. Returns the ends of its batches. */
export async function writeJournal(directory: string, batches: Iterable<JournaledBatch>): Promise<Tail[]> {
  const target = new StoredExchange(directory).createJournal()
  const tails: Tail[] = []
  let tail = EMPTY_TAIL
  let piece: Batch[] = []
  const writer = new ByteWriter()
  for (const { time, commands } of batches) {
    writer.reset()
    for (const command of commands) writeFrame(writer, command)
    const batch = sealed(sha256, {
      ...following(tail),
      kind: 'COMMANDS',
      count: commands.length,
      time: timeMs(time),
      data: writer.take(),
    })
    tail = endOf(batch)
    tails.push(tail)
    piece.push(batch)
    if (piece.length < PIECE) continue
    await target.write(piece)
    piece = []
  }
  await target.write(piece)
  await target.close()
  return tails
}
