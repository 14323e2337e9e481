/**
 * How long does another client wait while one trade triggers thousands of orders? Runs an engine on its
 * production storage in this process, with a client that always has one order in flight, first alone and then
 * during the cascade.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startMemoryEngine } from '../sim/memory/engine.ts'
import type { Command } from '../src/core/commands/command.ts'
import type { PlaceOrder } from '../src/core/commands/orders.ts'
import { RULES_VERSION } from '../src/core/exchange/rules.ts'
import type { EnginePort } from '../src/engine/port/ports.ts'
import { credit, limit, market } from '../src/engine/writer/commands.fixture.ts'
import { openStorage } from '../src/storage/sqlite/storage.ts'
import type { AccountId, SymbolId } from '../src/units/ids.ts'
import { lots, price } from '../src/units/quantities.ts'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'

export const PROGRAM = {
  command: 'npm run bench -- triggers',
  about: 'How long another client waits while one trade sets off thousands of orders that wait.',
  options: {
    stops: { kind: 'whole', default: 10_000, help: 'orders that wait, at 100 prices beside one another' },
    alone: { kind: 'whole', default: 2_000, help: 'orders of the other client before the trade' },
  },
} as const satisfies Program

const [OWNER, OTHER] = [3, 4]
const LOT = 1_000_000
/** The maximum number of waiting orders of one account in one symbol. */
const BATCH = 1_000

/** Returns the number of triggered orders: times are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { stops, alone } = parseProgram(PROGRAM, args).values
  console.log(machine())
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const engine = await startMemoryEngine(openStorage({ directory }))
  try {
    const { port } = engine
    await submitAll(port, [...market(), ...rules()])
    await submitAll(
      port,
      Array.from({ length: stops }, (_, i) => stopAt(9_000 + (i % 100))),
    )
    const before = await timesOf(port, (count) => count < alone)
    await submitAll(port, [limit(OTHER, 'BUY', 8_000, 2 * stops * LOT), limit(OTHER, 'SELL', 8_000, LOT)])
    const started = performance.now()
    const during = await timesOf(port, async () => (await waiting(port)) > 0)
    const tookMs = performance.now() - started
    const rows = [
      ['another client', 'orders', 'p50', 'p99', 'longest'],
      line('alone', before),
      line('beside it', during),
    ]
    console.log(table(rows))
    console.log(`${stops} orders carried out in ${tookMs.toFixed(0)} ms`)
    return [`${stops - (await waiting(port))} of ${stops} carried out`]
  } finally {
    await engine.stop()
    rmSync(directory, { recursive: true })
  }
}

/** The newest rules, and enough money for all orders. */
function rules(): Command[] {
  const operator = { actor: 'bench', note: '' }
  const rich = [OWNER, OTHER].flatMap((who) =>
    ['BTC', 'USDT'].map((code) => credit(who, code, 10n ** 20n, `${who} ${code}`)),
  )
  return [{ kind: 'SetRulesVersion', operator, version: RULES_VERSION }, ...rich]
}

function stopAt(ticks: number): PlaceOrder {
  return {
    kind: 'PlaceOrder',
    accountId: OWNER as AccountId,
    symbolId: 0 as SymbolId,
    selfTradeMode: undefined,
    clientOrderId: undefined,
    type: 'STOP_LOSS',
    side: 'SELL',
    quantity: lots(LOT),
    stopPrice: price(ticks),
  }
}

async function submitAll(port: EnginePort, commands: readonly Command[]): Promise<void> {
  for (let at = 0; at < commands.length; at += BATCH) {
    await Promise.all(commands.slice(at, at + BATCH).map((command) => port.submit(command)))
  }
}

/**
 * The time to the acknowledgement of each order, in milliseconds; the orders rest far from all others and are
 * canceled, one in flight at a time.
 */
async function timesOf(
  port: EnginePort,
  isGoing: (count: number) => boolean | Promise<boolean>,
): Promise<number[]> {
  const times: number[] = []
  while (await isGoing(times.length)) {
    const sent = performance.now()
    const reply = await port.submit(limit(OTHER, 'BUY', 5_000, LOT))
    times.push(performance.now() - sent)
    if (reply.kind !== 'OrderAccepted')
      throw new Error(`expected an accepted order, found ${JSON.stringify(reply)}`)
    const { orderNumber, time: orderTime } = reply
    await port.submit({ kind: 'CancelOrder', accountId: OTHER as AccountId, orderNumber, orderTime })
  }
  return times
}

async function waiting(port: EnginePort): Promise<number> {
  const { total } = await port.ask('openOrders', {
    accountId: OWNER as AccountId,
    symbolId: undefined,
    after: undefined,
  })
  return total
}

function line(who: string, times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2)} ms`
  return [who, `${times.length}`, at(0.5), at(0.99), at(1)]
}
