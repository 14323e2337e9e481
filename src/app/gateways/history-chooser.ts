/**
 * Chooses the history for a query: any historian that has reached the required command, otherwise the
 * leader's. If a historian fails, the query is sent to the next one; queries rotate, so that historians share
 * the load.
 */
import { EngineFault } from '../../engine/port/fault.ts'
import { type HistoryPort, historyPort, shownBy } from '../../engine/port/history-questions.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { Seq } from '../../units/quantities.ts'

/** A historian that can be asked now. */
export type ReachedHistory = { readonly history: HistoryPort; readonly reached: () => Seq }

/** `historians`: those that can be asked now. */
export function chosenHistory(historians: () => readonly ReachedHistory[], leader: HistoryPort): HistoryPort {
  let turn = 0
  const asked = async <Value>(
    atLeast: Seq,
    ask: (history: HistoryPort) => Promise<Value>,
  ): Promise<Value> => {
    const able = historians().filter(({ reached }) => reached() >= atLeast)
    const first = turn++
    for (let tried = 0; tried < able.length; tried++) {
      const { history } = able[(first + tried) % able.length] as ReachedHistory
      try {
        return await ask(history)
      } catch (cause) {
        // Another historian, or the leader, may have the data that this one lacks.
        if (!(cause instanceof EngineFault || cause instanceof JournalFault)) throw cause
      }
    }
    return ask(leader)
  }
  return historyPort((name, query) => asked(shownBy(name, query), (history) => history[name](query)))
}
