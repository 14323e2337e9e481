/**
 * The commands that the engine must issue itself, computed only from the state and a time: a planned phase
 * that has begun, countdowns that have ended, mass cancels in progress, sessions that were not resumed,
 * expired orders, then triggered orders and lists whose pending orders are to be placed. In a symbol, what
 * became due first comes first, and the symbols take turns, so that a long queue of one symbol does not keep
 * another waiting (docs/reference/waiting-orders.md#triggering,
 * docs/reference/timers.md#when-orders-end).
 */
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import type { EngineCommand } from '../commands/command.ts'
import type { PlacePending } from '../commands/order-lists.ts'
import type { TriggerOrder } from '../commands/orders.ts'
import type { Market } from '../exchange/market.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { ICEBERG_PARTS_MAX } from './iceberg.ts'
import { NOT_DATED, ordersOf } from './lists/order-lists.ts'
import { causeOfEnd } from './timers/ended.ts'

/**
 * At most `max` commands, each to be applied at `time`, right after the previous one. There are fewer
 * triggered orders and lists, but at least one, if together they could be matched against more than
 * `stepsMax` resting orders.
 */
export function dueCommands(
  state: ExchangeState,
  max: number,
  time: TimeMs,
  stepsMax: number,
): EngineCommand[] {
  if (isNothingDue(state, time)) return []
  const entries: EngineCommand[] = state.phases.isDue(time) ? [{ kind: 'EnterPhase' }] : []
  const others = otherCommands(state, max - entries.length, time, stepsMax)
  return [...entries, ...others]
}

function otherCommands(state: ExchangeState, max: number, time: TimeMs, stepsMax: number): EngineCommand[] {
  const timers = timerCommands(state, max, time)
  const triggers = triggerCommands(state, { max, time, stepsMax, timers })
  // Timers and triggers each get their share, however many of the other kind there are.
  const timersMax = Math.max(Math.ceil(max / 2), max - triggers.length)
  const first = timers.slice(0, timersMax)
  return [...first, ...triggers.slice(0, max - first.length)]
}

/**
 * Called several times for each batch, some thousand times a second, while in most exchanges nothing is due.
 */
function isNothingDue(state: ExchangeState, time: TimeMs): boolean {
  const { countdowns, massCancels, sessions, expiries, marketsDue, lists, phases } = state
  if (phases.isDue(time) || marketsDue.size > 0 || lists.hasDue || !massCancels.isEmpty) return false
  return isLater(countdowns, time) && isLater(sessions, time) && isLater(expiries, time)
}

function isLater({ firstTime }: { readonly firstTime: TimeMs | undefined }, time: TimeMs): boolean {
  return firstTime === undefined || firstTime > time
}

/**
 * Whether a symbol's due orders are carried out at `time`: while the symbol or the exchange does not trade,
 * they stay due.
 */
export function isCarryingOut(state: ExchangeState, market: Market, time = state.time): boolean {
  return market.symbol.state === 'TRADING' && state.phases.at(time) === 'TRADING' && state.isTradable(market)
}

/** An account with a mass cancel gets only that command, since it may end other due orders. */
function timerCommands(state: ExchangeState, max: number, time: TimeMs): EngineCommand[] {
  const { countdowns, massCancels, sessions, expiries, orders } = state
  const commands: EngineCommand[] = []
  const canceling = new Set<AccountId>()
  for (const { accountId, symbolId } of countdowns.due(time, max)) {
    commands.push({ kind: 'FireCountdown', accountId, symbolId })
    canceling.add(accountId)
  }
  for (const accountId of massCancels.accountsDue(max - commands.length)) {
    if (canceling.has(accountId)) continue
    commands.push({ kind: 'ContinueCancelAll', accountId })
    canceling.add(accountId)
  }
  // Another command may end all orders of a session; the session itself must still be ended.
  for (const sessionNumber of sessions.due(time, max - commands.length)) {
    commands.push({ kind: 'EndSession', sessionNumber })
    const session = sessions.get(sessionNumber)
    if (session !== undefined) canceling.add(session.accountId)
  }
  for (const orderNumber of expiries.due(time, max - commands.length)) {
    const accountId = orders.get(orderNumber)?.accountId
    if (accountId === undefined || !canceling.has(accountId))
      commands.push({ kind: 'ExpireOrder', orderNumber })
  }
  return commands
}

type TriggersAsked = {
  readonly max: number
  readonly time: TimeMs
  readonly stepsMax: number
  /** The commands of timers, which come before the triggers. */
  readonly timers: readonly EngineCommand[]
}

/**
 * Leaves out orders that a timer ends first, and later orders of their symbol, which must wait their turn.
 */
function triggerCommands(
  state: ExchangeState,
  { max, time, stepsMax, timers }: TriggersAsked,
): EngineCommand[] {
  const queues = queuesOf(state, time)
  const commands: EngineCommand[] = []
  let stepsLeft = stepsMax
  for (let round = 0; queues.length > 0 && commands.length < max; round++) {
    const at = (state.seq + round) % queues.length
    const { market, queue } = queues[at] as MarketQueue
    const next = queue.next()
    if (next.done || (timers.length > 0 && isEndedFirst(state, next.value.own, time))) queues.splice(at, 1)
    else {
      const steps = stepsIn(state, market)
      if (commands.length > 0 && steps > stepsLeft) break
      commands.push(next.value.own)
      stepsLeft -= steps
    }
  }
  return commands
}

/**
 * The maximum number of resting orders that one arriving order can be matched against in a book, each part of
 * an iceberg order counted as one.
 */
function stepsIn({ matchStepsMax, orders }: ExchangeState, { book }: Market): number {
  return Math.min(matchStepsMax, book.restingCount * (orders.hasIcebergs ? ICEBERG_PARTS_MAX : 1))
}

/**
 * Whether a due order or list, or an order of that list, ends by `time`, so that a timer may end it before
 * its turn.
 */
function isEndedFirst(state: ExchangeState, own: TriggerOrder | PlacePending, time: TimeMs): boolean {
  const list = own.kind === 'PlacePending' ? state.lists.get(own.listNumber) : undefined
  const numbers = own.kind === 'TriggerOrder' ? [own.orderNumber] : list === undefined ? [] : ordersOf(list)
  return numbers.some((number) => {
    const order = state.orders.get(number)
    return order !== undefined && causeOfEnd(state, order, time) !== undefined
  })
}

/** The command for an order or list whose turn it is, and the number of the command that made it due. */
type Turn = { readonly own: TriggerOrder | PlacePending; readonly since: Seq }
type Queue = Generator<Turn, void>
type MarketQueue = { readonly market: Market; readonly queue: Queue }

/**
 * For each symbol the due turns in order: of triggered orders, and of lists whose working order was filled.
 */
function queuesOf(state: ExchangeState, time: TimeMs): MarketQueue[] {
  const { marketsDue, lists } = state
  if (marketsDue.size === 0 && !lists.hasDue) return []
  for (const market of marketsDue) if (!market.triggers.hasDue) marketsDue.delete(market)
  const withLists = lists.dueSymbols().map((symbolId) => state.market(symbolId) as Market)
  return [...new Set([...marketsDue, ...withLists])]
    .filter((market) => isCarryingOut(state, market, time))
    .sort((a, b) => a.symbol.id - b.symbol.id)
    .map((market) => ({ market, queue: olderFirst(triggersOf(market), listsOf(state, market)) }))
}

/**
 * Merges two queues by the command that made each turn due; turns of the same command come from the first
 * queue first.
 */
function* olderFirst(first: Queue, second: Queue): Queue {
  let [a, b] = [first.next(), second.next()]
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.since <= b.value.since)) {
      yield a.value
      a = first.next()
    } else if (!b.done) {
      yield b.value
      b = second.next()
    }
  }
}

function* triggersOf({ triggers }: Market): Queue {
  for (const { number: orderNumber, since } of triggers.dueTurns())
    yield { own: { kind: 'TriggerOrder', orderNumber }, since }
}

function* listsOf({ lists }: ExchangeState, { symbol }: Market): Queue {
  for (const listNumber of lists.dueIn(symbol.id)) {
    const since = lists.get(listNumber)?.dueSince ?? NOT_DATED
    yield { own: { kind: 'PlacePending', listNumber }, since }
  }
}
