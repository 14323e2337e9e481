/** The next step of a random run, drawn from the state of the reference exchange. */
import type { ListNumber, OrderNumber } from '../../src/units/ids.ts'
import { randomAmendment, randomReplacement } from './random-changes.ts'
import { endOfSession, orUntilItsEnd, poverty, restrictionOf } from './random-due.ts'
import { randomList, randomListCancel } from './random-lists.ts'
import { randomOperation } from './random-operations.ts'
import { randomCancel, randomOrder } from './random-orders.ts'
import { placedBy, randomSession } from './random-sessions.ts'
import type { RandomSource } from './random-source.ts'
import { randomOwn, randomTimers } from './random-timers.ts'
import { randomWithdrawing } from './random-withdrawals.ts'
import type { ReferenceExchange } from './reference-exchange.ts'
import type { Step } from './step.ts'

/** A pending approval is forgotten after this time. */
const WEEK_MS = 604_800_000

/** Must be called after the market has been set up. */
export function randomStep(random: RandomSource, reference: ReferenceExchange): Step {
  const { state } = reference
  if (random.once(200)) return { kind: 'reload' }
  const afterMs = random.once(250) ? WEEK_MS : random.once(12) ? random.between(15, 60) : random.below(3)
  const due = reference.due().map(([first]) => first as OrderNumber)
  if (due.length > 0 && random.once(2)) {
    const own = { kind: 'TriggerOrder', orderNumber: random.pick(due) } as const
    if (random.once(8)) return { kind: 'apply', command: restrictionOf(reference, own.orderNumber), afterMs }
    if (random.once(30)) return { kind: 'refuse', afterMs, own }
    return { kind: 'apply', command: own, afterMs: orUntilItsEnd(random, state, own.orderNumber, afterMs) }
  }
  const timers = reference.ownDue(state.time + afterMs)
  if (timers.length > 0 && random.once(3)) {
    const own = random.pick(timers)
    return random.once(20) ? { kind: 'refuse', afterMs, own } : { kind: 'apply', command: own, afterMs }
  }
  if (random.once(80)) {
    const own = randomOwn(random, state)
    const isRefused = own.kind === 'DisconnectSessions' && random.once(3)
    return isRefused ? { kind: 'refuse', afterMs, own } : { kind: 'apply', command: own, afterMs }
  }
  const dueLists = reference.dueLists().map(([first]) => first as ListNumber)
  if (dueLists.length > 0 && random.once(2)) {
    const own = { kind: 'PlacePending', listNumber: random.pick(dueLists) } as const
    const ending = endOfSession(random, state, own)
    if (ending !== undefined) return { kind: 'apply', ...ending }
    if (random.once(10))
      return { kind: 'apply', command: poverty(random, reference, own.listNumber), afterMs }
    return random.once(25) ? { kind: 'refuse', afterMs, own } : { kind: 'apply', command: own, afterMs }
  }
  const changes = {
    timers: 22,
    session: 45,
    amend: 20,
    replace: 25,
    cancel: 40,
    cancelList: 12,
    withdraw: 34,
  }
  switch (random.weighted({ order: 480, list: 100, ...changes, operation: 205, refuse: 2 })) {
    case 'order':
      return { kind: 'apply', command: placedBy(random, state, randomOrder(random, state)), afterMs }
    case 'withdraw':
      return { kind: 'apply', command: randomWithdrawing(random, state), afterMs }
    case 'list': {
      // A closed exchange accepts neither: cancels of lists are rarer.
      const isCancel = state.phases.at(state.time) === 'CLOSED' && random.once(3)
      if (isCancel) return { kind: 'apply', command: randomListCancel(random, state), afterMs }
      return { kind: 'apply', command: placedBy(random, state, randomList(random, state)), afterMs }
    }
    case 'cancelList':
      return { kind: 'apply', command: randomListCancel(random, state), afterMs }
    case 'cancel':
      return { kind: 'apply', command: randomCancel(random, state), afterMs }
    case 'amend':
      return { kind: 'apply', command: randomAmendment(random, state), afterMs }
    case 'replace':
      return { kind: 'apply', command: placedBy(random, state, randomReplacement(random, state)), afterMs }
    case 'timers':
      return { kind: 'apply', command: randomTimers(random, state), afterMs }
    case 'session':
      return { kind: 'apply', command: randomSession(random, state), afterMs }
    case 'operation':
      return { kind: 'apply', command: randomOperation(random, state), afterMs }
    case 'refuse':
      return { kind: 'refuse', afterMs }
  }
}
