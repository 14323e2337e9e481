/**
 * `memory-probe.ts <accounts> <orders>`: reports the resident bytes of a process before and after it creates
 * the accounts and orders.
 */
import { Exchange } from '../../src/core/exchange/exchange.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { restingCommands } from './resting-load.ts'

const [accounts = 0, orders = 0] = Bun.argv.slice(2).map(Number)

function resident(): number {
  Bun.gc(true)
  return process.memoryUsage.rss()
}

function applied(load: { accounts: number; orders: number }): Exchange {
  const exchange = new Exchange()
  for (const command of restingCommands(load)) exchange.apply(command, 0 as TimeMs, () => {})
  return exchange
}

// The program is compiled, and its arrays are allocated once, before the measurement.
applied({ accounts: 100, orders: 100 })
const before = resident()
const exchange = applied({ accounts, orders })
const after = resident()
console.log(JSON.stringify({ bytes: after - before, seq: exchange.seq }))
