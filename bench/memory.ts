/**
 * How much memory do an account, a resting order and an idle connection take? Measures the resident bytes of
 * separate processes: of the core alone, and of the complete node, which has a second copy of the state in
 * its follower, and the gateway's data about accounts and orders.
 */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Program, parseProgram } from '../tools/lib/program.mjs'
import { machine, table } from './support/conditions.ts'
import { makeDirectory, type RestingLoad } from './support/resting-load.ts'
import { ServerProcess } from './support/server-process.ts'

const PROBE = path.join(import.meta.dir, 'support/memory-probe.ts')

const SETTLING_SECONDS = 10
const NOT_MEASURED = { still: Number.NaN, connected: Number.NaN }

export const PROGRAM = {
  command: 'npm run bench -- memory',
  about: 'How much memory an account, an order and a connection take, in the core and in a node.',
  options: {
    accounts: {
      kind: 'whole',
      default: 100_000,
      help: 'accounts, each with one balance and the reference of one transfer',
    },
    orders: { kind: 'whole', default: 1_000_000, help: 'resting orders' },
    connections: { kind: 'whole', default: 1_000, help: 'connections of the stream' },
    'core-only': { kind: 'flag', help: 'starts no node' },
  },
} as const satisfies Program

/** Returns the number of commands of each load: figures of memory are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  const { accounts, orders, connections } = values
  console.log(machine())
  const rows = [['what', 'core alone', 'each', 'node', 'each']]
  const some = { accounts, orders: 0 }
  const all = { accounts, orders }
  const core = { some: await probe(some), all: await probe(all) }
  const measured = (load: RestingLoad, idle: number) =>
    values['core-only'] ? NOT_MEASURED : nodeBytes(load, idle)
  const empty = await measured({ accounts: 1, orders: 0 }, connections)
  const node = { some: await measured(some, 0), all: await measured(all, 0) }
  rows.push(
    [
      `${accounts} accounts`,
      ...figures(core.some.bytes, accounts),
      ...figures(node.some.still - empty.still, accounts),
    ],
    [
      `${orders} resting orders`,
      ...figures(core.all.bytes - core.some.bytes, orders),
      ...figures(node.all.still - node.some.still, orders),
    ],
    [`${connections} idle connections`, '', '', ...figures(empty.connected - empty.still, connections)],
    ['an empty node', '', '', megabytes(empty.still), ''],
  )
  console.log(table(rows))
  return [`accounts: ${core.some.seq} commands`, `and orders: ${core.all.seq} commands`]
}

function figures(bytes: number, count: number): [string, string] {
  return [megabytes(bytes), `${(bytes / count).toFixed(0)} B`]
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

async function probe({ accounts, orders }: RestingLoad): Promise<{ bytes: number; seq: number }> {
  const command = [process.execPath, '--no-env-file', PROBE, String(accounts), String(orders)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as { bytes: number; seq: number }
}

/** Resident bytes of a node that has read a snapshot of the load, before and with idle connections. */
async function nodeBytes(
  load: RestingLoad,
  connections: number,
): Promise<{ still: number; connected: number }> {
  const directory = await makeDirectory(load)
  const start = (): Promise<ServerProcess> =>
    ServerProcess.start(
      'src/app/main.ts',
      ['serve', '--port', '0', '--data', directory, '--log-level', 'error'],
      [],
    )
  try {
    // The first run replays the journal and saves the snapshot from which the second one starts.
    await (await start()).stop()
    const node = await start()
    try {
      await (await fetch(`${node.url}/api/v3/exchangeInfo`)).text()
      const still = await settledOf(node.pid)
      const sockets = await Promise.all(Array.from({ length: connections }, () => connect(node.port)))
      const connected = residentOf(node.pid)
      for (const socket of sockets) socket.terminate()
      return { still, connected }
    } finally {
      await node.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A connection that has received one answer and sends no more requests. */
function connect(port: number): Promise<Bun.Socket> {
  return new Promise((resolve, reject) => {
    const request = `GET /api/v3/exchangeInfo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
    const socket = {
      open: (opened: Bun.Socket) => void opened.write(request),
      data: (opened: Bun.Socket) => resolve(opened),
      error: (_: Bun.Socket, cause: Error) => reject(cause),
    }
    Bun.connect({ hostname: '127.0.0.1', port, socket }).catch(reject)
  })
}

/**
 * The smallest value within some seconds after the start: garbage of the start does not belong to the load's
 * memory.
 */
async function settledOf(pid: number): Promise<number> {
  let least = residentOf(pid)
  for (let i = 0; i < SETTLING_SECONDS; i++) {
    await Bun.sleep(1_000)
    least = Math.min(least, residentOf(pid))
  }
  return least
}

function residentOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kilobytes) * 1024
}
