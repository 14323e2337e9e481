/**
 * Operators' commands as the second bookkeeper expects them. The oracle applies each command to its own
 * records and money (test/oracle), and the exchange's answer and events must equal the result. Mass cancels
 * are checked here, since their orders leave this bookkeeper's books.
 */
import type { CommandOf } from '../../src/core/commands/command.ts'
import type { ExchangeEvent } from '../../src/core/events/event.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { AdministeredCommand, Emit } from '../../test/oracle/administered.ts'
import { administer } from '../../test/oracle/administration.ts'
import { type Withdrawing, withdraw } from '../../test/oracle/asked-withdrawals.ts'
import { enterPhase } from '../../test/oracle/phases.ts'
import { Caused, checkLevelsOf, endNext } from './shadow-ends.ts'
import { isPending } from './shadow-lists.ts'
import { type Applied, demand, type ShadowOrder, type ShadowState } from './shadow-state.ts'

const ORDERS_PER_COMMAND = 500

export function checkAdministration(
  state: ShadowState,
  applied: Applied,
  command: AdministeredCommand,
): void {
  checkAgainst(applied, command.kind, (emit) => administer(state, command, emit))
}

/** Traders' commands for withdrawals and their addresses. */
export function checkWithdrawing(state: ShadowState, applied: Applied, command: Withdrawing): void {
  checkAgainst(applied, command.kind, (emit) => withdraw(state, command, emit))
}

function checkAgainst({ reply, events }: Applied, kind: string, carryOut: (emit: Emit) => Reply): void {
  const expected: ExchangeEvent[] = []
  const answer = carryOut((event) => expected.push(event))
  demand(
    Bun.deepEquals(reply, answer),
    () => `${kind} is to be answered with ${shown(answer)}, found ${shown(reply)}`,
  )
  demand(
    Bun.deepEquals(events, expected),
    () => `${kind} is to cause ${shown(expected)}, found ${shown(events)}`,
  )
}

/** Checks that the engine announces the start of a planned phase if one has started. */
export function checkEnterPhase(state: ShadowState, { reply, events }: Applied): void {
  const expected: ExchangeEvent[] = []
  const answer = enterPhase(state, (event) => expected.push(event))
  const isSame = reply.kind === 'Done' && Bun.deepEquals(reply, answer) && Bun.deepEquals(events, expected)
  demand(isSame, () => `EnterPhase is to cause ${shown(expected)}, found ${shown(events)}`)
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
}

/**
 * Without a symbol: an account's newest orders first. With a symbol: the sells, then the buys, each by
 * priority, then the waiting orders.
 */
export function checkCancelOrders(
  state: ShadowState,
  { reply, events }: Applied,
  command: CommandOf<'CancelOrders'>,
): void {
  const refusal = refusalOf(state, command)
  if (refusal !== undefined) {
    demand(
      reply.kind === 'Refused' && reply.reason === refusal,
      () => `CancelOrders is to be refused with ${refusal}, found ${shown(reply)}`,
    )
    return
  }
  const meant = ordersMeant(state, command)
  const caused = new Caused(events)
  const rested: ShadowOrder[] = []
  const isOpen = ({ number }: ShadowOrder) => state.orders.has(number)
  const left = () => ordersMeant(state, command).length
  for (const order of meant) {
    if (meant.length - left() >= ORDERS_PER_COMMAND) break
    // An order may have ended with another one of its list.
    if (isOpen(order)) rested.push(...endNext(state, order, 'OPERATOR', caused))
  }
  caused.demandNoMore()
  checkLevelsOf(state, rested, caused.levels)
  const canceled = meant.length - left()
  demand(
    reply.kind === 'OrdersCanceled' && reply.canceled === canceled && reply.left === left(),
    () => `of ${meant.length} open orders ${canceled} are canceled, found ${shown(reply)}`,
  )
}

function refusalOf(state: ShadowState, { accountId, symbol }: CommandOf<'CancelOrders'>): string | undefined {
  if (symbol !== undefined && state.symbolNamed(symbol) === undefined) return 'UNKNOWN_SYMBOL'
  if (accountId !== undefined && state.accounts[accountId] === undefined) return 'UNKNOWN_ACCOUNT'
  return accountId === undefined && symbol === undefined ? 'INVALID_COMMAND' : undefined
}

function ordersMeant(
  state: ShadowState,
  { accountId, symbol: name }: CommandOf<'CancelOrders'>,
): readonly ShadowOrder[] {
  const symbol = name === undefined ? undefined : state.symbolNamed(name)
  if (accountId !== undefined) return state.openOrders(accountId, symbol?.id)
  if (symbol === undefined) return []
  const book = state.book(symbol.id)
  const pending = [...state.orders.values()].filter(isPending)
  const waiting = [...state.waiting, ...state.due, ...state.aside, ...pending].filter(
    (order) => order.symbol.id === symbol.id,
  )
  return [...book.SELL, ...book.BUY, ...waiting.sort((a, b) => a.number - b.number)]
}
