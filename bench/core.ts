/**
 * How many complete commands does the core apply per second: registry, checks, ledger, matching, events and
 * answers, on one thread, without the journal? Every second order trades. The digest is the hash of the
 * complete state and of the published events.
 */
import type { ExchangeEvent } from '../src/core/events/event.ts'
import { Exchange } from '../src/core/exchange/exchange.ts'
import type { TimeMs } from '../src/units/quantities.ts'
import { median } from '../test/support/median.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { cpuNanoseconds, machine, short, table } from './support/conditions.ts'
import { type CoreLoad, type CoreLoadOptions, coreLoad, FIRST_COMMAND } from './support/core-load.ts'

/** Counts the events without keeping them. */
class Listener {
  events = 0
  trades = 0

  readonly sink = (event: ExchangeEvent): void => {
    this.events++
    if (event.kind === 'OrdersMatched') this.trades++
  }
}

/** An exchange right before the load's first order. */
export function opened({ opening }: CoreLoad): Exchange {
  const exchange = new Exchange()
  for (const command of [FIRST_COMMAND, ...opening]) {
    const { kind } = exchange.apply(command, 0 as TimeMs, () => {})
    if (kind === 'Refused') throw new Error(`expected ${command.kind} to be done`)
  }
  return exchange
}

/** CPU nanoseconds per order, and the results. */
function play(load: CoreLoad): { nanoseconds: number; exchange: Exchange; listener: Listener } {
  const exchange = opened(load)
  const listener = new Listener()
  const { sink } = listener
  Bun.gc(true)
  const startedAt = cpuNanoseconds()
  let time = 1
  for (const order of load.orders) exchange.apply(order, (time++ >> 4) as TimeMs, sink)
  return { nanoseconds: (cpuNanoseconds() - startedAt) / load.orders.length, exchange, listener }
}

export function digestOf(exchange: Exchange): string {
  return new Bun.CryptoHasher('sha256').update(exchange.encodeSnapshot()).digest('hex').slice(0, 16)
}

type Row = Omit<CoreLoadOptions, 'orders'> & { readonly name: string }

export const PROGRAM = {
  command: 'npm run bench -- core',
  about: 'What the core costs: orders a second of one CPU, applied and published.',
  options: {
    orders: { kind: 'whole', default: 400_000, help: 'orders of each load' },
    accounts: { kind: 'whole', default: 1_000, help: 'accounts that trade' },
    rounds: { kind: 'whole', default: 7, help: 'rounds, after one to warm up' },
  },
} as const satisfies Program

/** Returns the results, load by load. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { orders, accounts, rounds } = values
  console.log(machine())
  console.log(`medians of ${rounds} rounds of ${orders} orders, per second of CPU time`)
  const usual = { accounts, fraction: 8, isOneSize: true }
  const loads: Row[] = [
    { name: 'a taker trades once', ...usual },
    { name: 'a taker trades twice', ...usual, isOneSize: false },
    { name: 'once, amounts above 2^53', ...usual, fraction: 18 },
    { name: 'once, 10 times as many accounts', ...usual, accounts: accounts * 10 },
    { name: 'once, 100 times as many accounts', ...usual, accounts: accounts * 100 },
  ]
  const rows = [['load', 'accounts', 'orders/s', 'ns an order', 'trades an order', 'events an order']]
  const digests: string[] = []
  for (const { name, ...size } of loads) {
    const load = coreLoad({ ...size, orders })
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const { nanoseconds, exchange, listener } = play(load)
      if (round > 0) times.push(nanoseconds)
      if (round < rounds) continue
      const { trades, events } = listener
      digests.push(`${name}: ${trades} trades, ${events} events, state ${digestOf(exchange)}`)
      const time = median(times)
      const shares = [trades, events].map((count) => (count / orders).toFixed(2))
      rows.push([name, String(size.accounts), short(1e9 / time), time.toFixed(0), ...shares])
    }
  }
  console.log(table(rows))
  for (const digest of digests) console.log(digest)
  return digests
}
