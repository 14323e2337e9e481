/**
 * A generated order flow in the form of the public matching-engine benchmark: a random walk of the middle
 * price, orders within some ticks of it, of which some are IOC, some are modified and most are canceled;
 * occasionally a cancel or a modify is repeated, or gives the id of a closed order. The same seed gives the
 * same flow.
 */
import { RandomSource } from '../../test/model/random-source.ts'
import { BUY, CANCEL, type EngineMessage, MODIFY, NEW, SELL } from './engine-workload.ts'

const MIDDLE = 30_000
const TICKS = 40
const QUANTITY_MAX = 100
/** Number of orders that may be modified or canceled at one time. */
const KNOWN_MAX = 500

type Known = { readonly id: number; readonly side: number; readonly price: number; readonly quantity: number }

export function engineFlow(length: number, seed: number): EngineMessage[] {
  const random = new RandomSource(seed)
  const known: Known[] = []
  const messages: EngineMessage[] = []
  let middle = MIDDLE
  let lastId = 0
  while (messages.length < length) {
    const share = random.below(100)
    middle += random.below(3) - 1
    if (known.length < 10 || (share < 50 && known.length < KNOWN_MAX)) {
      const side = random.below(2)
      const distance = random.below(TICKS) - 2
      const price = side === BUY ? middle - distance : middle + distance
      const order = { id: ++lastId, side, price, quantity: 1 + random.below(QUANTITY_MAX) }
      const isIoc = random.below(100) < 15
      messages.push({ kind: NEW, ...order, isIoc })
      known.push(order)
      continue
    }
    const at = random.below(known.length)
    const { id, side, price, quantity } = known[at] as Known
    if (share < 90) messages.push({ kind: CANCEL, id })
    else {
      const moved = price + (side === SELL ? -1 : 1) * random.below(3)
      messages.push({ kind: MODIFY, id, side, price: moved, quantity: quantity + 1 })
    }
    // The other orders may be referred to again after they are closed.
    if (share < 88) known.splice(at, 1)
  }
  return messages
}
