/**
 * The cost of the customers process for traders. First, signed orders alternately with and without it. Then
 * orders at a steady rate, alternately beside failing sign-ins and beside as many requests without an effect,
 * while the owner of an account signs in from a known browser with the right password, and another owner with
 * a passkey. Clients and server share the machine.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AdminAddress, AdminOperation } from '../src/contract/admin/admin.ts'
import { adminResult } from '../test/browser/support/admin.ts'
import { type Answered, answered, Customer } from '../test/support/customer.ts'
import { median } from '../test/support/median.ts'
import { type Program, parseProgram, type Values } from '../tools/lib/program.mjs'
import { AckRow, type AckTarget, untilHistoryShows } from './support/ack-targets.ts'
import { machine, table } from './support/conditions.ts'
import { LoadClient } from './support/load-client.ts'
import type { Flooded, FloodOrder } from './support/request-flood.ts'
import { ServerProcess } from './support/server-process.ts'

const FLOOD = path.join(import.meta.dir, 'support/request-flood-process.ts')
const PASSWORD = 'tarantula viaduct 9'
const OWNER = 'owner@example.org'
/** The refusals of a correct sign-in at a busy time. */
const AGAIN = ['PASSWORDS_BUSY', 'CUSTOMERS_AWAY']
const KINDS = ['NOTHING', 'SIGN_IN'] as const

export const PROGRAM = {
  command: 'npm run bench -- customers',
  about: 'What the process of customers costs traders, idle and beside a flood of failing sign-ins.',
  options: {
    orders: { kind: 'whole', default: 10_000, help: 'orders of each round, with customers and without' },
    connections: { kind: 'whole', default: 64, help: 'connections of all orders' },
    rounds: { kind: 'whole', default: 8, help: 'pairs of rounds, after one to warm up' },
    rate: { kind: 'whole', default: 200, help: 'orders per second beside the floods' },
    flood: { kind: 'whole', default: 2_000, help: 'failing requests per second' },
    seconds: { kind: 'whole', default: 10, help: 'length of each flood' },
  },
} as const satisfies Program

type Size = Values<typeof PROGRAM>

/** Returns the reasons with which sign-ins of the flood were refused: figures are not a digest. */
export async function run(args: readonly string[]): Promise<string[]> {
  const { values } = parseProgram(PROGRAM, args)
  console.log(machine())
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  try {
    await offAndOn(root, values)
    return await besideFloods(root, values)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

type Sandbox = AckTarget<ServerProcess> & { readonly data: string }

/** A sandbox without limits; it trusts the client address that the benchmark sends. */
async function sandbox(root: string, name: 'on' | 'off' | 'flooded'): Promise<Sandbox> {
  const data = path.join(root, name)
  const customers = name === 'off' ? 'off' : 'on'
  const config = `${data}.json`
  writeFileSync(config, JSON.stringify({ http: { trustedProxies: ['127.0.0.1'] } }))
  const options = { port: '0', data, limits: 'off', 'self-trade': 'NONE', customers, config }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const server = await ServerProcess.start(
    'src/app/main.ts',
    ['sandbox', ...args],
    ['gateway', 'engine', 'follower'],
  )
  const { accounts } = JSON.parse(readFileSync(path.join(data, 'sandbox.json'), 'utf8')) as {
    readonly accounts: readonly [{ readonly apiKey: string; readonly secret: string }]
  }
  const trader = { port: server.port, apiKey: accounts[0].apiKey, secret: accounts[0].secret }
  return { name, data, server, trader, settle: () => untilHistoryShows(trader) }
}

async function offAndOn(root: string, { orders, connections, rounds }: Size): Promise<void> {
  const load = new LoadClient()
  const targets: Sandbox[] = []
  try {
    for (const customers of ['off', 'on'] as const) targets.push(await sandbox(root, customers))
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
      row.serverCpuUs()?.toFixed(1) ?? '-',
    ])
    console.log(`-- orders, medians of ${rounds} alternating pairs; CPU in microseconds per order`)
    console.log(table([['customers', 'orders/s', 'p50 ms', 'p99 ms', 'server'], ...lines]))
  } finally {
    load.stop()
    for (const { server } of targets) await server.stop()
  }
}

type Owners = { readonly withPassword: Customer; readonly withPasskey: Customer }

async function besideFloods(root: string, size: Size): Promise<string[]> {
  const target = await sandbox(root, 'flooded')
  const load = new LoadClient()
  try {
    const owners = await signedUp(target)
    const reasons = new Set<string>()
    const p99Ms: Record<(typeof KINDS)[number], number[]> = { NOTHING: [], SIGN_IN: [] }
    const rows: string[][] = []
    let code = owners.withPassword.code()
    // The first round is a warm-up.
    for (let round = 0; round <= size.rounds; round++) {
      for (const kind of KINDS) {
        const isTimed = kind === 'SIGN_IN' && round > 0
        if (isTimed) code = await untilNewCode(owners.withPassword, code)
        const ofOwners = isTimed ? () => signIns(owners) : async () => []
        const [orders, { perSecond, answers }, tookMs] = await Promise.all([
          load.run({ ...target.trader, ...steady(size) }),
          flooded({
            port: target.server.port,
            kind,
            perSecond: size.flood,
            milliseconds: size.seconds * 1_000,
          }),
          Bun.sleep(size.seconds * 300).then(ofOwners),
        ])
        if (kind === 'SIGN_IN') for (const answer of Object.keys(answers)) reasons.add(answer)
        if (round === 0) continue
        p99Ms[kind].push(orders.p99Ms)
        const figures = [orders.p50Ms, orders.p99Ms, ...tookMs].map((ms) => ms.toFixed(1))
        rows.push([
          kind === 'SIGN_IN' ? 'failing sign-ins' : 'nothing there',
          perSecond.toFixed(0),
          ...figures,
        ])
        console.log(`${kind}: ${JSON.stringify(answers)}`)
      }
    }
    const ratios = p99Ms.SIGN_IN.map((ms, i) => ms / (p99Ms.NOTHING[i] ?? Number.NaN))
    console.log(`-- orders at ${size.rate} a second beside ${size.flood} failing requests a second`)
    const head = ['beside', 'requests/s', 'p50 ms', 'p99 ms', 'password ms', 'passkey ms']
    console.log(table([head, ...rows]))
    console.log(
      `p99 beside sign-ins, as a multiple of p99 beside nothing: median ${median(ratios).toFixed(2)}`,
    )
    return [...reasons].toSorted()
  } finally {
    load.stop()
    await target.server.stop()
  }
}

const steady = ({ rate, seconds, connections }: Size) => ({
  connections,
  orders: rate * seconds,
  ratePerSecond: rate,
})

async function signedUp({ server, data }: Sandbox): Promise<Owners> {
  const admin = (...words: readonly string[]): Promise<unknown> => {
    const address = JSON.parse(readFileSync(path.join(data, 'admin.json'), 'utf8')) as AdminAddress
    return adminResult(address, words.join('/') as AdminOperation, {})
  }
  const place = { url: server.url, admin }
  const owners = { withPassword: new Customer(place), withPasskey: new Customer(place) }
  await answered(() => owners.withPasskey.ask('GET', 'config'))
  expectOk(await owners.withPassword.signUpWithPassword(OWNER, PASSWORD))
  expectOk(await owners.withPasskey.signUp('other@example.org'))
  return owners
}

/**
 * The time that each owner needs to sign in, in milliseconds. A browser tries again while too many are
 * waiting.
 */
async function signIns({ withPassword, withPasskey }: Owners): Promise<readonly number[]> {
  return Promise.all(
    [() => withPassword.signInWithPassword(OWNER, PASSWORD), () => withPasskey.signIn()].map(
      async (signIn) => {
        const startMs = performance.now()
        let answer = await signIn()
        for (; AGAIN.includes(answer.reason ?? ''); answer = await signIn()) await Bun.sleep(100)
        expectOk(answer)
        return performance.now() - startMs
      },
    ),
  )
}

/** Waits for a code other than the last one: each code is valid only once. */
async function untilNewCode(owner: Customer, used: string): Promise<string> {
  while (owner.code() === used) await Bun.sleep(200)
  return owner.code()
}

function expectOk(answer: Answered): void {
  if (answer.status !== 200) throw new Error(`expected a sign-in, found ${answer.status} ${answer.reason}`)
}

async function flooded(order: FloodOrder): Promise<Flooded> {
  const command = [process.execPath, '--no-env-file', FLOOD, JSON.stringify(order)]
  const child = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as Flooded
}
