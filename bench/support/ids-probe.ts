/**
 * `ids-probe.ts <choice> <accounts> <orders>`: places orders with client order ids of a given choice, then
 * all of the orders again.
 */
import { Exchange } from '../../src/core/exchange/exchange.ts'
import { RULES_VERSION } from '../../src/core/exchange/rules.ts'
import { collidingIds } from '../../src/core/trading/colliding-ids.fixture.ts'
import type { AccountId } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { cpuNanoseconds } from './conditions.ts'
import { coreLoad, restingOrder } from './core-load.ts'

/** The cost of a choice of ids. */
export type IdsProbe = {
  /** CPU nanoseconds per order, for the first placement and for the repeated one. */
  readonly placed: number
  readonly repeated: number
  /** Resident bytes per ended order. */
  readonly bytes: number
}

/** The ids of an account's orders, by their number. */
const CHOICES: Readonly<Record<string, (account: AccountId, count: number) => (string | undefined)[]>> = {
  none: (_, count) => Array<undefined>(count).fill(undefined),
  random: (_, count) => Array.from({ length: count }, () => crypto.randomUUID()),
  ascending: (_, count) => Array.from({ length: count }, (_, at) => `order-${String(at).padStart(12, '0')}`),
  descending: (_, count) =>
    Array.from({ length: count }, (_, at) => `order-${String(count - at).padStart(12, '0')}`),
  'one beginning': (_, count) =>
    Array.from({ length: count }, (_, at) => 'x'.repeat(28) + String(at).padStart(8, '0')),
  'one hash': (account, count) => collidingIds(account).slice(0, count),
}

const [choice = '', accounts = 0, orders = 0] = Bun.argv
  .slice(2)
  .map((word, at) => (at === 0 ? word : Number(word)))
const idsOf = CHOICES[choice]
if (idsOf === undefined)
  throw new Error(`expected one of ${Object.keys(CHOICES).join(', ')}, found ${choice}`)

const each = Math.floor(Number(orders) / Number(accounts))
const { opening } = coreLoad({ accounts: Number(accounts), orders: 0, fraction: 8, isOneSize: true })
const exchange = new Exchange()
const rules = { actor: 'bench', note: '' }
for (const command of [
  { kind: 'SetRulesVersion', operator: rules, version: RULES_VERSION } as const,
  ...opening,
]) {
  const reply = exchange.apply(command, 0 as TimeMs, () => {})
  if (reply.kind === 'Refused') throw new Error(`${command.kind}: ${reply.reason}`)
}
const traders = opening.flatMap((command) => (command.kind === 'Credit' ? [command.accountId] : []))
const owners = [...new Set(traders)].slice(0, Number(accounts))
const ids = owners.map((account) => idsOf(account, each))
const plain = restingOrder({
  accountId: owners[0] as AccountId,
  side: 'BUY',
  price: 1_000 as never,
  quantity: 1_000_000 as never,
})

/** Places all orders, one account after the other. */
function place(wanted: string): number {
  const startedAt = cpuNanoseconds()
  for (let at = 0; at < each; at++) {
    for (const [index, accountId] of owners.entries()) {
      const order = { ...plain, accountId, timeInForce: 'IOC', clientOrderId: ids[index]?.[at] } as const
      const { kind } = exchange.apply(order, 1 as TimeMs, () => {})
      if (kind !== wanted) throw new Error(`expected ${wanted}, found ${kind}`)
    }
  }
  return (cpuNanoseconds() - startedAt) / (each * owners.length)
}

Bun.gc(true)
const before = process.memoryUsage.rss()
const placed = place('OrderAccepted')
Bun.gc(true)
const bytes = (process.memoryUsage.rss() - before) / (each * owners.length)
const repeated = place(choice === 'none' ? 'OrderAccepted' : 'OrderRepeated')
console.log(JSON.stringify({ placed, repeated, bytes } satisfies IdsProbe))
