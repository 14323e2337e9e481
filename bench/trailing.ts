/**
 * What does a trade cost where many orders follow the price? Measures a core without storage, in this
 * process: trades that each rise to a new best price, trades that fall and trigger nothing, and the single
 * trade that merges all groups of orders, with and without orders that follow.
 */

import type { Command } from '../src/core/commands/command.ts'
import type { PlaceOrder } from '../src/core/commands/orders.ts'
import { NO_EVENTS } from '../src/core/events/event.ts'
import { Exchange } from '../src/core/exchange/exchange.ts'
import { RULES_VERSION } from '../src/core/exchange/rules.ts'
import { account, credit, limit, market } from '../src/engine/writer/commands.fixture.ts'
import type { AccountId, SymbolId } from '../src/units/ids.ts'
import { lots, price, timeMs } from '../src/units/quantities.ts'
import type { TrailingDelta } from '../src/units/trailing-delta.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'

export const PROGRAM = {
  command: 'npm run bench -- trailing',
  about: 'What a trade costs where many orders follow the price.',
  options: {
    orders: { kind: 'whole', default: 100_000, help: 'orders that follow the price, at most' },
    trades: { kind: 'whole', default: 20_000, help: 'trades of each kind' },
  },
} as const satisfies Program

const OTHER = 3
const LOT = 1_000_000
/** Below this price a trade triggers nothing: the smallest distance is 1,000 basis points. */
const LOWEST_SHARE = 0.95
const FROM = 1_000_000
/** The number of different best prices that are being followed before the trades. */
const GROUPS = 900
/** Maximum number of open orders of one account in the symbol. */
const EACH_MAX = 10_000

/** Returns the number of orders that are still waiting: times are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { orders, trades } = parseProgram(PROGRAM, args).values
  console.log(machine())
  const rows = [['orders that follow', 'groups', 'a falling trade', 'a rising trade', 'taking in all groups']]
  const left: string[] = []
  for (const count of [0, Math.ceil(orders / 100), Math.ceil(orders / 10), orders]) {
    const { row, waiting } = measure(count, trades)
    rows.push(row)
    left.push(`${waiting} of ${count} wait`)
  }
  console.log(table(rows))
  return left
}

function measure(count: number, trades: number): { readonly row: string[]; readonly waiting: number } {
  const exchange = new Exchange()
  const give = (command: Command) => exchange.apply(command, timeMs(exchange.time + 1), NO_EVENTS)
  const operator = { actor: 'bench', note: '' }
  for (const command of market()) give(command)
  give({ kind: 'SetRulesVersion', operator, version: RULES_VERSION })
  const owners = Array.from({ length: Math.ceil(count / EACH_MAX) }, (_, i) => {
    const made = give(account(`owner-${i}`))
    return made.kind === 'AccountOpened' ? made.accountId : OTHER
  })
  for (const who of [OTHER, ...owners]) {
    for (const code of ['BTC', 'USDT']) give(credit(who, code, 10n ** 24n, `${who} ${code}`))
  }
  const trade = (at: number): number => {
    give(limit(OTHER, 'SELL', at, LOT))
    const started = performance.now()
    give(limit(OTHER, 'BUY', at, LOT))
    return performance.now() - started
  }
  trade(FROM + GROUPS)
  const each = Math.max(1, Math.ceil(count / GROUPS))
  for (let placed = 0; placed < count; ) {
    for (let i = 0; i < each && placed < count; i++) give(following(owners, placed++))
    trade(FROM + GROUPS - Math.floor(placed / each))
  }
  const falling = mean(trades, (i) => trade(Math.floor(FROM * LOWEST_SHARE) + (i % 1_000)))
  const groups = Math.min(count, GROUPS)
  const joining = trade(FROM + GROUPS + 1)
  const rising = mean(trades, (i) => trade(FROM + GROUPS + 2 + i))
  const waiting = owners.reduce(
    (sum, who) => sum + exchange.openOrders(who as AccountId, undefined).length,
    0,
  )
  const row = [`${count}`, `${groups}`, micros(falling), micros(rising), micros(joining)]
  return { row, waiting }
}

function mean(times: number, run: (i: number) => number): number {
  let sum = 0
  for (let i = 0; i < times; i++) sum += run(i)
  return sum / times
}

function micros(ms: number): string {
  return `${(ms * 1_000).toFixed(1)} us`
}

/** Each of a thousand distances in turn. */
function following(owners: readonly number[], i: number): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: owners[i % owners.length] as AccountId,
    symbolId: 0 as SymbolId,
    selfTradeMode: undefined,
    clientOrderId: undefined,
    type: 'STOP_LOSS_LIMIT',
    side: 'SELL',
    timeInForce: 'GTC',
    price: price(2_000_000_000),
    quantity: lots(LOT),
    total: undefined,
    stopPrice: undefined,
    trailingDelta: (1_001 + (i % 1_000)) as TrailingDelta,
  }
}
