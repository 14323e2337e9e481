/**
 * The initial state of a subscription without a position: the account at one command. Open orders come from
 * the engine in pages, between which other commands are carried out; changes made by these replace the read
 * orders.
 */
import type { Balance, OpenOrder, OpenOrdersPage } from '../../core/questions/view.ts'
import type { EnginePort, UpdatesAnswer } from '../../engine/port/ports.ts'
import type { AccountId, OrderNumber } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'

export type AccountSnapshot = {
  readonly seq: Seq
  readonly balances: readonly Balance[]
  /** Newest first. */
  readonly orders: readonly OpenOrder[]
}

/** Updates of the account after a command. */
export type ReadUpdates = (after: Seq) => Promise<UpdatesAnswer>

/** Rejects with `EngineFault`. */
export async function balancesSnapshot(
  engine: Pick<EnginePort, 'ask'>,
  accountId: AccountId,
): Promise<AccountSnapshot> {
  return { ...(await engine.ask('accountState', { accountId })), orders: [] }
}

/** Rejects with `EngineFault`. */
export async function ordersSnapshot(
  engine: Pick<EnginePort, 'ask'>,
  accountId: AccountId,
  read: ReadUpdates,
): Promise<AccountSnapshot> {
  const first = engine.ask('accountState', { accountId })
  const orderByNumber = new Map<OrderNumber, OpenOrder>()
  let after: OpenOrdersPage['next']
  do {
    const page: OpenOrdersPage = await engine.ask('openOrders', { accountId, symbolId: undefined, after })
    for (const order of page.orders) orderByNumber.set(order.orderNumber, order)
    after = page.next
  } while (after !== undefined)
  const { seq: begin } = await first
  const end = await engine.ask('accountState', { accountId })
  await bringUpToDate(orderByNumber, begin, end.seq, read)
  const orders = [...orderByNumber.values()].sort((a, b) => b.orderNumber - a.orderNumber)
  return { ...end, orders }
}

/**
 * Each order has its state after some command from `begin` to `end`; from here on, the state after `end`.
 */
async function bringUpToDate(
  orderByNumber: Map<OrderNumber, OpenOrder>,
  begin: Seq,
  end: Seq,
  read: ReadUpdates,
): Promise<void> {
  for (let at = begin; at < end; ) {
    const answer = await read(at)
    invariant(answer !== 'TOO_OLD', 'updates are kept for longer than a list of open orders is read')
    for (const { seq, open, ended } of answer.updates) {
      if (seq > end) return
      for (const order of open) orderByNumber.set(order.orderNumber, order)
      for (const { orderNumber } of ended) orderByNumber.delete(orderNumber)
    }
    at = answer.upTo
  }
}
