/**
 * How many durable orders does Bourse accept per second, compared with a typical self-hosted exchange: tables
 * in PostgreSQL and one transaction per order, with synchronous commit (`support/plain-sql.sql`)? Both get
 * the same kind of orders over the same number of connections, one in flight on each, alternately in one run.
 * The tables get their orders from prepared statements; Bourse's are signed HTTP requests, which cost it
 * more. Both store their data under the same directory for temporary files, and share the cores with their
 * clients. An order in the tables holds its market's lock until its commit is on the disk, so a single market
 * has one sync per order; more markets share syncs, up to the number of connections.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { ADMINISTRATOR, discardServers, PostgresServer } from '../test/postgres/support/server.ts'
import { median } from '../test/support/median.ts'
// @ts-expect-error The tools are plain JavaScript without types.
import { ensurePostgres } from '../tools/lib/postgres.mjs'
import { type Program, parseProgram, type Values } from '../tools/lib/program.mjs'
import { bourseTarget } from './support/ack-targets.ts'
import { machine, table } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'

export const PROGRAM = {
  command: 'npm run bench -- plain-sql',
  about: 'Durable orders a second, beside an exchange of PostgreSQL tables with one transaction an order.',
  options: {
    orders: { kind: 'whole', default: 4_000, help: 'orders of each round in the tables' },
    'bourse-orders': { kind: 'whole', default: 24_000, help: 'orders of each round of Bourse' },
    connections: { kind: 'whole', default: 64, help: 'connections, with one order under way on each' },
    markets: {
      kind: 'numbers',
      default: [1, 16],
      help: 'markets that the tables spread them over, a row for each',
    },
    rounds: { kind: 'whole', default: 5, help: 'alternating rounds, after one to warm up' },
  },
} as const satisfies Program

const ACCOUNTS = 1_000
const SETTINGS = { max_connections: '300', autovacuum: 'on', shared_buffers: '128MB', max_wal_size: '4GB' }
const TABLES = path.join(import.meta.dir, 'support/plain-sql.sql')
const PLACE = { name: 'place', text: 'SELECT place_order($1, $2, $3, $4, $5)' }
const PRICES = 10
const MIDDLE = 50_000
const QUANTITY = 100
const BALANCE = 10 ** 12

/** Returns what was stored, after checking that the sums of balances are unchanged. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { reason } = ensurePostgres() as { readonly reason?: string }
  if (reason !== undefined) throw new Error(`expected a PostgreSQL: ${reason}`)
  try {
    return await measure(values)
  } finally {
    await discardServers()
  }
}

async function measure({
  orders,
  markets,
  connections,
  rounds,
  ...rest
}: Values<typeof PROGRAM>): Promise<string[]> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const tables = await Tables.open(Math.max(...markets), connections)
  const { server, trader } = await bourseTarget(directory)
  const client = new LoadClient()
  try {
    const rates = [...markets, 'Bourse'].map((): number[] => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [k, count] of markets.entries()) {
        const rate = await tables.play(orders, count)
        if (round > 0) rates[k]?.push(rate)
      }
      const load = await client.run({
        ...trader,
        connections,
        orders: rest['bourse-orders'],
        ratePerSecond: undefined,
      })
      if (load.refused > 0)
        throw new Error(`expected every order to be accepted, found ${load.refused} refused`)
      if (round > 0) rates[markets.length]?.push(load.perSecond)
    }
    console.log(
      `${machine()}; load average ${loadavg()[0]?.toFixed(1)}; ${connections} connections, medians of ${rounds} alternating rounds`,
    )
    console.log(`${tables.conditions}; both store under ${tmpdir()}`)
    console.log(table(rowsOf(markets, rates.map(median))))
    const stored = await tables.check()
    console.log(stored)
    return [stored]
  } finally {
    client.stop()
    await tables.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function rowsOf(markets: readonly number[], medians: readonly number[]): string[][] {
  const ours = medians.at(-1) as number
  const rows = medians.map((rate, k) => {
    const name = k === markets.length ? 'Bourse, one market' : `PostgreSQL tables, markets: ${markets[k]}`
    return [name, rate.toFixed(0), k === markets.length ? '' : `${(ours / rate).toFixed(1)}x`]
  })
  return [['durable orders', 'a second', 'Bourse does'], ...rows]
}

type Client = Awaited<ReturnType<PostgresServer['connect']>>

/** The exchange in tables. */
class Tables {
  /** Version and durability settings of the database, as the database reports them. */
  readonly conditions: string
  readonly #clients: readonly Client[]
  readonly #first: Client
  #placed = 0

  static async open(markets: number, connections: number): Promise<Tables> {
    const server = await PostgresServer.startAt({ settings: SETTINGS, root: tmpdir() })
    const connect = () => server.connect(ADMINISTRATOR)
    const first = await connect()
    await first.run({ text: readFileSync(TABLES, 'utf8') })
    await first.run({ text: `INSERT INTO markets SELECT generate_series(0, ${markets - 1})` })
    await first.run({
      text: `INSERT INTO balances (account, asset, free) SELECT account, asset, ${BALANCE}
             FROM generate_series(0, ${ACCOUNTS - 1}) account, generate_series(0, 1) asset`,
    })
    const { rows } = await first.run({
      text: `SELECT current_setting('fsync') || current_setting('synchronous_commit') AS set,
        'PostgreSQL ' || current_setting('server_version') || ', fsync ' || current_setting('fsync') || ', synchronous_commit '
          || current_setting('synchronous_commit') || ', shared_buffers ' || current_setting('shared_buffers') AS conditions`,
    })
    if (rows[0]?.['set'] !== 'onon')
      throw new Error(`expected fsync and synchronous commit, found ${rows[0]?.['set']}`)
    const clients = await Promise.all(Array.from({ length: connections }, connect))
    return new Tables(first, clients, String(rows[0]?.['conditions']))
  }

  private constructor(first: Client, clients: readonly Client[], conditions: string) {
    this.conditions = conditions
    this.#first = first
    this.#clients = clients
  }

  /**
   * Returns the orders per second. Orders alternate, one that rests and one that takes it, spread over
   * `markets` markets.
   */
  async play(orders: number, markets: number): Promise<number> {
    let next = 0
    const startedAt = performance.now()
    await Promise.all(
      this.#clients.map(async (client) => {
        while (next < orders) await client.run(PLACE, orderOf(next++, markets))
      }),
    )
    this.#placed += orders
    return orders / ((performance.now() - startedAt) / 1_000)
  }

  /** Throws if an order is missing, a market is crossed, or the sum of an asset changed. */
  async check(): Promise<string> {
    const { rows } = await this.#first.run({
      text: `SELECT (SELECT count(*)::int FROM orders) AS orders, (SELECT count(*)::int FROM trades) AS trades,
        (SELECT count(DISTINCT total)::int FROM (SELECT sum(free + held) AS total FROM balances GROUP BY asset) sums
          WHERE total = ${BALANCE}::bigint * ${ACCOUNTS}) AS whole,
        (SELECT count(*)::int FROM orders b JOIN orders a ON a.market = b.market AND a.side = 1 AND a.remaining > 0
          AND a.price <= b.price WHERE b.side = 0 AND b.remaining > 0) AS crossed`,
    })
    const { orders, trades, whole, crossed } = rows[0] ?? {}
    if (orders !== this.#placed || whole !== 1 || crossed !== 0 || Number(trades) === 0) {
      throw new Error(`expected ${this.#placed} orders and whole balances, found ${JSON.stringify(rows[0])}`)
    }
    return `tables: ${orders} orders, balances whole, no market crossed`
  }

  async close(): Promise<void> {
    await Promise.all([this.#first, ...this.#clients].map((client) => client.close()))
  }
}

/** The price changes with every pair, as in Bourse's load (`support/signed-orders.ts`). */
function orderOf(n: number, markets: number): number[] {
  const pair = n >> 1
  const [account, side] = [(n * 7) % ACCOUNTS, 1 - (n % 2)]
  return [account, pair % markets, side, MIDDLE + (pair % PRICES), QUANTITY]
}
