/** Machines whose books begin small: a run makes many. */
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { FastBook } from '../../src/core/market/fast-book.ts'
import type { StateMachineFactory } from '../../src/engine/state-machine.ts'

const OPTIONS = { createBook: () => new FastBook(16, 4) }

export const MACHINES: StateMachineFactory = {
  empty: () => new Exchange(OPTIONS),
  fromSnapshot: (payload) => Exchange.decodeSnapshot(payload, OPTIONS),
}
