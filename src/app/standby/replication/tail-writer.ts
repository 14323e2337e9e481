/** Publishes the end of the journal of this thread's engine in shared memory. It is loaded only if needed. */

import { PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { JournalPosition } from '../../../engine/port/journal.ts'

export function tailWriter(memory: SharedArrayBuffer): (tail: JournalPosition) => void {
  const positions = new PositionBoard(memory)
  return (tail) => positions.write(tail)
}
