/**
 * Operators' commands as the second bookkeeper expects them. The oracle carries each out on its records and its money
 * (test/oracle), and what the exchange has answered and caused must equal it; orders cancelled by the hundred are checked
 * here, since they leave its books.
 */
import type { CommandOf } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { AdministeredCommand } from '../../test/oracle/administered.ts'
import { administer } from '../../test/oracle/administration.ts'
import { checkLevels, leave, levelKey, levelOf } from './shadow-book.ts'
import { type Applied, demand, type ShadowOrder, type ShadowState } from './shadow-state.ts'

const ORDERS_PER_COMMAND = 500

export function checkAdministration(
  state: ShadowState,
  { reply, events }: Applied,
  command: AdministeredCommand,
): void {
  const expected: ExchangeEvent[] = []
  const answer = administer(state, command, (event) => expected.push(event))
  demand(
    Bun.deepEquals(reply, answer),
    () => `${command.kind} is to be answered with ${shown(answer)}, found ${shown(reply)}`,
  )
  demand(
    Bun.deepEquals(events, expected),
    () => `${command.kind} is to cause ${shown(expected)}, found ${shown(events)}`,
  )
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
}

/** An account's newest orders first; of a symbol alone the sells, then the buys, each in the order of their turn, then those that wait. */
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
  const taken = meant.slice(0, ORDERS_PER_COMMAND)
  demand(
    reply.kind === 'OrdersCanceled' &&
      reply.canceled === taken.length &&
      reply.left === meant.length - taken.length,
    () => `of ${meant.length} open orders ${taken.length} are cancelled, found ${shown(reply)}`,
  )
  for (const [i, order] of taken.entries()) {
    const event = events[i]
    demand(
      event?.kind === 'OrderCanceled' &&
        event.orderNumber === order.number &&
        event.cause === 'OPERATOR' &&
        event.quantity === order.remaining,
      () => `order ${order.number} is the next that an operator cancels`,
    )
  }
  const resting = taken.filter((order) => levelOf(state, order).size > 0)
  for (const order of taken) leave(state, order)
  checkLevelsOf(state, resting, events.slice(taken.length))
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
  const waiting = [...state.waiting, ...state.due, ...state.aside].filter(
    (order) => order.symbol.id === symbol.id,
  )
  return [...book.SELL, ...book.BUY, ...waiting.sort((a, b) => a.number - b.number)]
}

/** Of orders that have left, those that rested: each level of every symbol once. */
export function checkLevelsOf(
  state: ShadowState,
  taken: readonly ShadowOrder[],
  events: Applied['events'],
): void {
  let checked = 0
  for (const symbol of state.symbols) {
    const touched = taken.filter((order) => order.symbol.id === symbol.id)
    const changes = events.filter((event) => event.kind === 'LevelChanged' && event.symbolId === symbol.id)
    checkLevels(state, symbol, changes, new Set(touched.map(({ side, price }) => levelKey(side, price))))
    checked += changes.length
  }
  demand(checked === events.length, 'nothing but levels changes when orders are cancelled')
}
