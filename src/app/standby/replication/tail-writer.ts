/** Shows where the journal of this thread's engine ends to whoever shares the memory. Loaded where there is somebody. */

import { PositionBoard } from '../../../engine/leadership/position-board.ts'
import type { JournalPosition } from '../../../engine/port/journal.ts'

export function tailWriter(memory: SharedArrayBuffer): (tail: JournalPosition) => void {
  const positions = new PositionBoard(memory)
  return (tail) => positions.write(tail)
}
