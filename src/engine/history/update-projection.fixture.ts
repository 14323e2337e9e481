/**
 * The records of history for the private feed, command by command, compared with the machine: in random runs
 * of the model, with every kind of command, each order or balance of an account that a command changed is in
 * the account's update, with its current value.
 */
import { expect } from 'bun:test'
import { MemoryHistory } from '../../../sim/memory/history.ts'
import { RandomSource } from '../../../test/model/random-source.ts'
import { randomSteps } from '../../../test/model/run.ts'
import type { Balance, OpenOrder } from '../../core/questions/view.ts'
import type { AccountId, AssetId, OrderNumber } from '../../units/ids.ts'
import { FEES_ACCOUNT, OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import type { AccountUpdate } from '../port/ports.ts'
import type { StateMachine } from '../port/state-machine.ts'
import { accountsOf } from './account-updates.ts'
import { HistoryProjection } from './history-projection.ts'

/** The length of each run: a long one exhausts the accounts' money. */
const STEPS = 500
const START_MS = 1_790_000_000_000

type AccountState = {
  readonly orders: ReadonlyMap<OrderNumber, OpenOrder>
  readonly balances: ReadonlyMap<AssetId, Balance>
}

function stateOf(machine: StateMachine, accountId: AccountId): AccountState {
  const orders = new Map<OrderNumber, OpenOrder>()
  for (let after: Parameters<StateMachine['openOrdersPage']>[0]['after']; ; ) {
    const page = machine.openOrdersPage({ accountId, symbolId: undefined, after })
    for (const order of page.orders) orders.set(order.orderNumber, order)
    after = page.next
    if (after === undefined) break
  }
  return { orders, balances: new Map(machine.balances(accountId).map((each) => [each.assetId, each])) }
}

/**
 * Traders only: the balances of the house and the rounding accounts change with every trade, and have no
 * followers.
 */
function traders(machine: StateMachine): AccountId[] {
  const { accounts, symbols } = machine.bootstrap()
  const house = new Set<AccountId>([FEES_ACCOUNT, OUTSIDE_ACCOUNT])
  for (const { roundingAccountId } of symbols) house.add(roundingAccountId)
  return accounts.map(({ id }) => id).filter((id) => !house.has(id))
}

const same = (a: unknown, b: unknown): boolean => Bun.deepEquals(a, b)

/** Without the time since which it has followed the price: a change of that time alone causes no update. */
function unfollowed(order: OpenOrder | undefined): OpenOrder | undefined {
  const trailing = order?.stop?.trailing
  if (order?.stop === undefined || trailing === undefined) return order
  return { ...order, stop: { ...order.stop, trailing: { ...trailing, since: undefined } } }
}

/** Checks that each difference is in the update, and that the content of the update is right. */
function check(before: AccountState, after: AccountState, update: AccountUpdate | undefined): number {
  const open = new Map(update?.open.map((order) => [order.orderNumber, order]))
  const ended = new Map(update?.ended.map((order) => [order.orderNumber, order]))
  const balances = new Map(update?.balances.map((balance) => [balance.assetId, balance]))
  for (const [number, order] of open) {
    const kept = after.orders.get(number)
    // Under rules before version 5 the machine does not keep how an order was placed, but history does.
    const { type, timeInForce, selfTradeMode } = kept?.selfTradeMode === undefined ? order : kept
    expect(order).toEqual({ ...kept, type, timeInForce, selfTradeMode } as OpenOrder)
  }
  for (const [number, order] of ended) {
    expect([number, after.orders.has(number), order.end?.seq]).toEqual([number, false, update?.seq as Seq])
  }
  for (const [assetId, balance] of balances) expect(balance).toEqual(after.balances.get(assetId) as Balance)
  let changes = 0
  for (const [number, order] of after.orders) {
    if (same(unfollowed(order), unfollowed(before.orders.get(number)))) continue
    expect([number, open.has(number)]).toEqual([number, true])
    changes++
  }
  for (const number of before.orders.keys()) {
    if (after.orders.has(number)) continue
    expect([number, ended.has(number)]).toEqual([number, true])
    changes++
  }
  for (const [assetId, balance] of after.balances) {
    const had = before.balances.get(assetId)
    if (had === undefined || same(balance, had)) continue
    expect([assetId, balances.has(assetId)]).toEqual([assetId, true])
    changes++
  }
  return changes
}

/**
 * Number of changes of orders and balances in a random run, each of which is in the update of its account
 * with the values right after the command.
 */
export async function changesIn(seed: number): Promise<number> {
  const random = new RandomSource(seed)
  const steps = randomSteps(Array.from({ length: STEPS }, () => random.word()))
  let machine = ANY_EXCHANGES.empty()
  let projection = new HistoryProjection(machine)
  const history = new MemoryHistory()
  const stateByAccount = new Map<AccountId, AccountState>()
  let time = START_MS
  let changes = 0
  for (const step of steps) {
    if (step.kind === 'reload') {
      machine = ANY_EXCHANGES.fromSnapshot(machine.encodeSnapshot())
      projection = new HistoryProjection(machine)
      continue
    }
    time += step.afterMs
    const at = timeMs(time)
    const concerned = new Set<AccountId>()
    const command = step.kind === 'apply' ? step.command : undefined
    const reply =
      step.kind === 'refuse'
        ? machine.refuse(at, step.own)
        : machine.apply(step.command, at, (event) => {
            projection.sink(event)
            accountsOf(event, (accountId) => concerned.add(accountId))
          })
    projection.note({ seq: machine.seq, time: at, command, reply })
    const { trades, ...besides } = projection.drain()
    await history.append(trades, { seq: machine.seq, hash: new Uint8Array(32) }, besides)
    const accounts = traders(machine)
    const after = seq(machine.seq - 1)
    const answers = await history.updates({ accounts: accounts.map((accountId) => ({ accountId, after })) })
    for (const [i, accountId] of accounts.entries()) {
      const answer = answers[i]
      if (answer === undefined || answer === 'TOO_OLD') throw new Error('what has just happened is kept')
      expect(answer.updates.length).toBeLessThanOrEqual(1)
      const [update] = answer.updates
      // The same events determine the accounts whose followers are notified.
      if (update !== undefined) expect([accountId, concerned.has(accountId)]).toEqual([accountId, true])
      const now = stateOf(machine, accountId)
      const before = stateByAccount.get(accountId)
      if (before !== undefined) changes += check(before, now, update)
      stateByAccount.set(accountId, now)
    }
  }
  return changes
}
