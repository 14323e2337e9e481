/** Machines whose books start small, since a run makes many of them. */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { FastBook } from '../../src/core/market/fast-book.ts'
import type { StateMachine, StateMachineFactory } from '../../src/engine/port/state-machine.ts'

/** Orders that no version can apply, and orders that one version cannot apply. */
const POISON = { quantity: 8, priceMultiple: 8 }
const SKEWED_QUANTITY = 9
const OPTIONS = { createBook: () => new FastBook(16, 4) }

export const MACHINES: StateMachineFactory = {
  empty: () => new Exchange(OPTIONS),
  fromSnapshot: (payload) => Exchange.decodeSnapshot(payload, OPTIONS),
}

/** Machines with a bug that some orders trigger, in all versions or only in a skewed one. */
export function machinesWithBug(isSkewed: boolean): StateMachineFactory {
  const change = (machine: StateMachine): StateMachine => {
    const apply = machine.apply.bind(machine)
    machine.apply = (command, time, emit) => {
      if (command.kind === 'PlaceOrder' && isPoison(command, isSkewed)) throw new Error('a bug, on purpose')
      return apply(command, time, emit)
    }
    return machine
  }
  return {
    empty: () => change(MACHINES.empty()),
    fromSnapshot: (payload) => change(MACHINES.fromSnapshot(payload)),
  }
}

function isPoison({ price, quantity }: PlaceOrder, isSkewed: boolean): boolean {
  if (isSkewed && quantity === SKEWED_QUANTITY) return true
  return quantity === POISON.quantity && (price ?? 0) % POISON.priceMultiple === 0
}
