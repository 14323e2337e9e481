/** Commands beside a due order or list, or before it is carried out, that end it. */
import type { Command } from '../../src/core/commands/command.ts'
import type { PlacePending } from '../../src/core/commands/order-lists.ts'
import type { AccountId, ListNumber, OrderNumber } from '../../src/units/ids.ts'
import type { RandomSource } from './random-source.ts'
import { OPERATOR } from './random-world.ts'
import type { ReferenceExchange } from './reference-exchange.ts'
import type { ReferenceState } from './reference-state.ts'

/** The owner of a due order may no longer trade: the order ends when it is carried out. */
export function restrictionOf({ state }: ReferenceExchange, orderNumber: OrderNumber): Command {
  const accountId = state.all.find(({ number }) => number === orderNumber)?.accountId ?? (0 as AccountId)
  return { kind: 'SetAccountRestrictions', operator: OPERATOR, accountId, restrictions: ['TRADE'] }
}

/** The owner of a due list may no longer trade, or the market winds down in the meantime. */
export function poverty(random: RandomSource, { state }: ReferenceExchange, listNumber: ListNumber): Command {
  const list = state.lists.find(({ number }) => number === listNumber)
  const accountId = list?.accountId ?? (0 as AccountId)
  if (random.once(2) || list === undefined)
    return { kind: 'SetAccountRestrictions', operator: OPERATOR, accountId, restrictions: ['TRADE'] }
  return { kind: 'SetSymbolState', operator: OPERATOR, symbol: list.symbol.name, state: 'HALTED' }
}

/** If the order expires soon, sometimes waits until it has expired before the step is carried out. */
export function orUntilItsEnd(
  random: RandomSource,
  state: ReferenceState,
  orderNumber: OrderNumber,
  afterMs: number,
): number {
  const { expireTime = 0 } = state.all.find(({ number }) => number === orderNumber) ?? {}
  const leftMs = expireTime - state.time
  return leftMs > afterMs && leftMs < 3_000 && random.once(4) ? leftMs : afterMs
}

/**
 * A pending order ends with its session only while its list waits to be carried out: the session is
 * disconnected, and the list waits until the session is over. More often if the order is a MARKET order,
 * which is otherwise never open. Undefined if the list is simply carried out.
 */
export function endOfSession(
  random: RandomSource,
  { lists, sessions, time }: ReferenceState,
  own: PlacePending,
): { readonly command: Command; readonly afterMs: number } | undefined {
  const list = lists.find(({ number }) => number === own.listNumber)
  const pending = list?.orders.at(-1)
  const session = sessions.find(({ number }) => number === pending?.session)
  if (session === undefined || random.once(pending?.kept.type === 'MARKET' ? 6 : 2)) return undefined
  const { number: sessionNumber, attachment, endsAt } = session
  return endsAt === undefined
    ? { command: { kind: 'DisconnectSession', sessionNumber, attachment }, afterMs: 1 }
    : { command: own, afterMs: Math.max(0, endsAt - time) }
}
