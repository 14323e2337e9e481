/**
 * How many signed orders a second are acknowledged, each only when durable, over real HTTP connections? Beside
 * it, in the same run: a bare server on the same runtime that reads the body, checks the HMAC and answers as many
 * bytes. Closed loop: every connection has one request under way. Client and servers share the machine.
 */
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Load, LoadGenerator, type SignedBody } from './support/load-generator.ts'

const ROOT = path.join(import.meta.dir, '..')

type Account = { readonly apiKey: string; readonly secret: string }
type Target = Account & { readonly name: string; readonly port: number; readonly loads: Load[] }
type Size = { readonly orders: number; readonly connections: number; readonly rounds: number }

/** `--orders` of each round, `--connections`, `--rounds` counted after one to warm up. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      orders: { type: 'string', default: '50000' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const { orders, connections, rounds } = values
  const size = { orders: Number(orders), connections: Number(connections), rounds: Number(rounds) }
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-bench-'))
  const sandbox = ['sandbox', '--port', '0', '--data', directory, '--limits', 'off']
  const bourse = start('src/app/main.ts', sandbox)
  const bare = start('bench/support/bare-server.ts', [])
  try {
    await readyLine(bourse.stdout)
    const told = JSON.parse(readFileSync(path.join(directory, 'sandbox.json'), 'utf8')) as {
      baseUrl: string
      accounts: [Account]
    }
    const bareUrl = /http:\S+/.exec(await readyLine(bare.stdout))?.[0] ?? ''
    const targets: Target[] = [
      { name: 'Bourse', port: portOf(told.baseUrl), ...pick(told.accounts[0]), loads: [] },
      { name: 'bare server', port: portOf(bareUrl), apiKey: 'bench', secret: 'bench-secret', loads: [] },
    ]
    for (let round = 0; round <= size.rounds; round++) {
      for (const target of targets) {
        const generator = new LoadGenerator({ ...target, connections: size.connections })
        const load = await generator.run(size.orders, (n) => orderOf(target.secret, n))
        if (round > 0) target.loads.push(load)
      }
    }
    report(size, targets)
  } finally {
    bare.kill()
    bourse.kill('SIGTERM')
    await bourse.exited
    rmSync(directory, { recursive: true, force: true })
  }
}

function start(program: string, args: readonly string[]) {
  const command = [process.execPath, '--no-env-file', path.join(ROOT, program), ...args]
  return Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
}

function pick({ apiKey, secret }: Account): Account {
  return { apiKey, secret }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** An order that rests, then one that takes it, by turns: half of all trade, and the book stays small. */
function orderOf(secret: string, n: number): SignedBody {
  const side = n % 2 === 0 ? 'SELL' : 'BUY'
  const price = 50_000 + ((n >> 1) % 10)
  const body = `symbol=BTC/USDT&side=${side}&type=LIMIT&quantity=0.001&price=${price}&timestamp=${Date.now()}`
  return { body, signature: createHmac('sha256', secret).update(body).digest('hex') }
}

async function readyLine(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of stdout) {
    text += new TextDecoder().decode(chunk)
    const line = /^.*ready at .*$/m.exec(text)?.[0]
    if (line !== undefined && text.endsWith('\n')) return line
  }
  throw new Error(`expected a server that gets ready, found: ${text}`)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function report({ orders, connections, rounds }: Size, targets: readonly Target[]): void {
  const cpu = cpus()
  console.log(`${cpu.length} x ${cpu[0]?.model}; Bun ${Bun.version}; load generator on the same machine`)
  console.log(`closed loop, ${connections} connections; medians of ${rounds} rounds of ${orders} orders`)
  const rates = targets.map(({ loads }) => median(loads.map(({ perSecond }) => perSecond)))
  for (const [i, { name, loads }] of targets.entries()) {
    const [p50, p99] = [median(loads.map(({ p50Ms }) => p50Ms)), median(loads.map(({ p99Ms }) => p99Ms))]
    const refused = loads.reduce((sum, load) => sum + load.refused, 0)
    const figures = `p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms  not accepted ${refused}`
    console.log(`${name.padEnd(12)} ${(rates[i] ?? 0).toFixed(0).padStart(8)}/s  ${figures}`)
  }
  console.log(`Bourse / bare server: ${((rates[0] ?? 0) / (rates[1] ?? 1)).toFixed(2)}`)
}
