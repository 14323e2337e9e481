/**
 * What does the port for clients of Binance cost all other clients? First, signed orders over the exchange's
 * own interface, alternately with and without the port. Then a client of that interface, which reads the best
 * prices all the time, beside hostile use of each of the port's endpoints, requests and messages, without the
 * limits that would refuse it. Clients and server share the machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { WireClient, type WireKey } from '../test/binance/support/wire-client.ts'
import { type Program, parseProgram, type Values } from '../tools/lib/program.mjs'
import { AckRow, type AckTarget, bourseTarget, untilHistoryShows } from './support/ack-targets.ts'
import { machine, table } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import { ProbeClient } from './support/probe-client.ts'
import { ServerProcess } from './support/server-process.ts'
import { type Abused, type AbuseOrder, abuses } from './support/wire-abuse.ts'

const ABUSE = path.join(import.meta.dir, 'support/wire-abuse-process.ts')
const ALONE = 'nothing'

export const PROGRAM = {
  command: 'npm run bench -- binance',
  about: 'What the port for clients of Binance costs all others, unused and abused.',
  options: {
    orders: { kind: 'whole', default: 10_000, help: 'orders of each round, with the port and without it' },
    connections: { kind: 'whole', default: 64, help: 'connections of these orders' },
    rounds: { kind: 'whole', default: 8, help: 'pairs of rounds, after one to warm up' },
    abusers: { kind: 'whole', default: 8, help: 'connections of each hostile use' },
    milliseconds: { kind: 'whole', default: 2_000, help: 'length of each hostile use' },
    levels: { kind: 'whole', default: 1_000, help: 'levels of each side of the book, each an open order' },
    only: { kind: 'text', help: 'hostile uses whose name contains this text' },
  },
} as const satisfies Program

type Size = Values<typeof PROGRAM>

/** Returns the names of the hostile uses: figures are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  console.log(machine())
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  try {
    await offAndOn(root, values)
    return await besideAbuse(path.join(root, 'abused'), values)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** The data of a sandbox, served with or without the port. */
async function served(directory: string, hasPort: boolean): Promise<AckTarget<ServerProcess>> {
  const made = await bourseTarget(directory)
  await made.server.stop()
  const more = hasPort ? ['--binance-port', '0'] : []
  const args = [
    'serve',
    '--data',
    directory,
    '--port',
    '0',
    '--limits',
    'off',
    '--log-level',
    'error',
    ...more,
  ]
  const server = await ServerProcess.start('src/app/main.ts', args, ['gateway', 'engine', 'follower'])
  const trader = { ...made.trader, port: server.port }
  return { name: hasPort ? 'on' : 'off', server, trader, settle: () => untilHistoryShows(trader) }
}

async function offAndOn(root: string, { orders, connections, rounds }: Size): Promise<void> {
  const load = new LoadClient()
  const targets: AckTarget[] = []
  try {
    for (const hasPort of [false, true]) targets.push(await served(path.join(root, String(hasPort)), hasPort))
    const rows = targets.map((target) => new AckRow(target, connections))
    for (let round = 0; round <= rounds; round++) {
      // The order of the two cases changes with each pair.
      const pair = round % 2 === 0 ? rows : rows.toReversed()
      for (const row of pair) await row.measure(load, orders, round === 0)
    }
    const lines = rows.map((row) => [
      row.target.name,
      row.of('perSecond').toFixed(0),
      row.of('p50Ms').toFixed(2),
      row.of('p99Ms').toFixed(2),
      row.cpuUs('gateway')?.toFixed(1) ?? '-',
      row.serverCpuUs()?.toFixed(1) ?? '-',
    ])
    console.log(
      `-- orders over the interface of the exchange, medians of ${rounds} alternating pairs; CPU in microseconds per order`,
    )
    console.log(table([['port', 'orders/s', 'p50 ms', 'p99 ms', 'gateway', 'server'], ...lines]))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
  }
}

async function besideAbuse(directory: string, size: Size): Promise<string[]> {
  const { server, trader } = await bourseTarget(directory)
  const probe = new ProbeClient()
  try {
    const { binance } = JSON.parse(readFileSync(path.join(directory, 'sandbox.json'), 'utf8')) as {
      readonly binance: { readonly url: string; readonly accounts: readonly WireKey[] }
    }
    const [key] = binance.accounts as [WireKey]
    await fill(new WireClient(binance.url, key), size.levels)
    const wanted = abuses().filter(({ name }) => name.includes(size.only ?? ''))
    const rows: string[][] = []
    const measure = async (name: string, hostile: () => Promise<Abused>) => {
      probe.begin(trader)
      const { perSecond } = await hostile()
      const { questions, p50Ms, p99Ms, maxMs } = await probe.report()
      const figures = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1))
      rows.push([name, perSecond.toFixed(0), String(questions), ...figures])
    }
    const idle = async (): Promise<Abused> => {
      await Bun.sleep(size.milliseconds)
      return { done: 0, perSecond: 0 }
    }
    await idle()
    await measure(ALONE, idle)
    for (const { name, abuse } of wanted) {
      const { abusers: connections, milliseconds } = size
      await measure(name, () => abused({ abuse, url: binance.url, ...key, connections, milliseconds }))
    }
    await measure(ALONE, idle)
    console.log(
      `\n-- another client's answers beside ${size.abusers} connections that use the port as hard as they can`,
    )
    console.log(table([['beside', 'uses/s', 'answers', 'p50 ms', 'p99 ms', 'max ms'], ...rows]))
    return wanted.map(({ name }) => name)
  } finally {
    probe.stop()
    await server.stop()
  }
}

async function abused(order: AbuseOrder): Promise<Abused> {
  const command = [process.execPath, '--no-env-file', ABUSE, JSON.stringify(order)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as Abused
}

/** Places open orders at `levels` prices on each side, and makes some trades. */
async function fill(client: WireClient, levels: number): Promise<void> {
  await client.ready()
  const common = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.001' }
  const order = (side: string, price: number) =>
    client.ask('POST', '/api/v3/order', { ...common, side, price })
  let next = 0
  const work = async () => {
    for (let i = next++; i < levels; i = next++) {
      await order('BUY', 40_000 - i)
      await order('SELL', 60_001 + i)
      if (i % 10 !== 0) continue
      await order('SELL', 50_000)
      await order('BUY', 50_000)
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
}
