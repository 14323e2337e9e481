/**
 * The client as a package: built, packed by npm, installed in an empty project without a network, and used
 * there from Node and Bun against a real sandbox; the compiler reads its declarations as those of another
 * package.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { programVersion } from '../../src/app/version.ts'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  ROOT,
  readSandbox,
  sandbox,
} from '../support/bourse-process.ts'

setDefaultTimeout(300_000)

/** Limit of the client's compressed size, since pages load it. */
const SCRIPT_BYTES_MAX = 30_000

const directory = mkdtempSync(path.join(tmpdir(), 'bourse-client-'))
const made = path.join(directory, 'made')
const project = path.join(directory, 'project')
const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
let environment: Readonly<Record<string, string>> = {}

/** Runs a program to its end; resolves with its output. Rejects with all its output if it fails. */
async function run(cwd: string, ...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed: ${out}${err}`)
  return out
}

beforeAll(async () => {
  mkdirSync(project)
  await run(ROOT, process.execPath, 'tools/build.mjs', '--client', made)
  await run(made, 'npm', 'pack', '--pack-destination', directory)
  const [archive] = readdirSync(directory).filter((name) => name.endsWith('.tgz'))
  writeFileSync(
    path.join(project, 'package.json'),
    '{ "name": "empty", "private": true, "type": "module" }\n',
  )
  await run(
    project,
    'npm',
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    path.join(directory, archive ?? ''),
  )
  // As in a project that installed it according to the page.
  symlinkSync(path.join(ROOT, 'node_modules', 'ws'), path.join(project, 'node_modules', 'ws'))
  node = await sandbox(data)
  const { baseUrl, accounts } = readSandbox(data)
  const { apiKey, secret } = accounts[0] as Credentials
  environment = { BOURSE_URL: baseUrl, BOURSE_KEY: apiKey, BOURSE_SECRET: secret }
})

afterAll(async () => {
  await node?.end('SIGKILL')
  remove()
  rmSync(directory, { recursive: true, force: true })
})

const PROGRAM = `
import { BourseError, createBourseClient, Decimal, eachOrder, importSecret, RefusedError } from 'bourse-client'

const { BOURSE_URL: url, BOURSE_KEY: apiKey, BOURSE_SECRET: secret } = process.env
const client = createBourseClient({ url, apiKey, secret: await importSecret(crypto.subtle, secret) })
const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: Decimal.from('60000').minus('0.5') }
const { order: placed } = await client.newOrder({ ...order, newOrderRespType: 'RESULT' })
await client.cancelOrder({ id: placed.id })
const refused = await client.newOrder({ ...order, quantity: '0.000000001' }).catch((error) => error)
let count = 0
for await (const each of eachOrder(client, {}, { elementsMax: 1 })) if (each.id === placed.id) count++
console.log(JSON.stringify([placed.price, refused.reason, refused instanceof RefusedError && refused instanceof BourseError, count]))
`

test('the installed package places, cancels and lists an order from Node and from Bun', async () => {
  writeFileSync(path.join(project, 'program.mjs'), PROGRAM)
  for (const runtime of ['node', process.execPath]) {
    expect(JSON.parse(await run(project, runtime, 'program.mjs'))).toEqual([
      '59999.5',
      'TOO_MANY_DECIMALS',
      true,
      1,
    ])
  }
})

/** Each program of a page, with the output given after it. */
const SNIPPET = /<!-- snippet: (\S+) -->\n```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g

/**
 * Pages of the client, and the runtimes of their programs: Node 20 has no WebSocket, so only programs that
 * bring one run there.
 */
const PAGES = [
  ['client.md', 'node'],
  ['client-streams.md', process.execPath],
] as const

const BRINGS_A_SOCKET = /^import .* from 'ws'$/m

describe.each(PAGES)('the page %s', (name, runtime) => {
  const page = readFileSync(path.join(ROOT, 'docs', name), 'utf8')
  const snippets = [...page.matchAll(SNIPPET)].map(([, file = '', text = '', output = '']) => ({
    file,
    text,
    output,
  }))

  test('has a text behind each of its programs', () => {
    expect(snippets).toHaveLength([...page.matchAll(/^```js$/gm)].length)
  })

  test.each(snippets)('states what its program $file prints', async ({ file, text, output }) => {
    writeFileSync(path.join(project, file), text)
    expect(await run(project, BRINGS_A_SOCKET.test(text) ? 'node' : runtime, file)).toBe(output)
  })
})

/** A program for a runtime without a WebSocket of its own. */
const STREAM_PROGRAM = `
import { createRequire } from 'node:module'
import { createBourseClient } from 'bourse-client'

const { WebSocket } = createRequire(process.env.PACKAGES)('ws')
const { BOURSE_URL: url, BOURSE_KEY: apiKey, BOURSE_SECRET: secret } = process.env
const client = createBourseClient({ url, apiKey, secret, webSocket: WebSocket })
const stream = client.stream()
const balances = await new Promise((resolve) => {
  stream.follow('balances', { onUpdate: ({ rows }) => resolve(rows) })
})
console.log(stream.login.kind, balances.length > 0)
stream.close()
`

test('the stream runs on Node with a WebSocket that it is given, and does not keep the program alive', async () => {
  writeFileSync(path.join(project, 'stream.mjs'), STREAM_PROGRAM)
  environment = { ...environment, PACKAGES: path.join(ROOT, 'package.json') }
  expect(await run(project, 'node', 'stream.mjs')).toBe('in true\n')
})

test('the package has the version of the program, depends on nothing, and a page loads less than 30 KB of it', () => {
  const installed = path.join(project, 'node_modules', 'bourse-client')
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect([manifest.version, manifest.dependencies]).toEqual([programVersion().number, undefined])
  expect(readdirSync(installed).toSorted()).toEqual(['README.md', 'index.js', 'package.json', 'types'])
  const script = readFileSync(path.join(installed, 'index.js'), 'utf8')
  expect(gzipSync(script).length).toBeLessThan(SCRIPT_BYTES_MAX)
  expect(script).not.toMatch(/\b(?:process|Bun|require|Buffer)\b\s*[.([]/)
})

/** A program in which each line that must not compile is marked. */
const TYPED = `
import { type Candle, createBourseClient, type Order, type Reason, RefusedError } from 'bourse-client'

const client = createBourseClient({ url: 'http://127.0.0.1:8080' })
const order = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '1' } as const
export async function typed(): Promise<void> {
  const created: { readonly order: { readonly qty: string } } = await client.newOrder(order)
  const result: { readonly order: Order } = await client.newOrder({ ...order, newOrderRespType: 'RESULT' })
  const full = await client.newOrder({ ...order, newOrderRespType: 'FULL' })
  const [fill] = full.order.fills
  const price: string | undefined = fill?.price
  const one: string | undefined = (await client.priceTicker({ symbol: 'BTC/USDT' })).price
  const all: number = (await client.priceTicker()).length
  const candles: readonly Candle[] = await client.klines({ symbol: 'BTC/USDT', interval: '1m' })
  // @ts-expect-error A number with decimals is no amount.
  await client.newOrder({ ...order, price: 60000.5 })
  // @ts-expect-error There is no such interval.
  await client.klines({ symbol: 'BTC/USDT', interval: '7m' })
  // @ts-expect-error A symbol is needed.
  await client.depth({})
  const stream = client.stream({ cancelOnDisconnect: { graceMs: 1_000 } })
  stream.subscribe({ channel: 'kline_1m', symbol: 'BTC/USDT' }, { onMessage: ({ closed }) => void closed?.[0]?.[1] })
  stream.follow('fills', { onUpdate: async ({ rows }) => void rows[0]?.commission }, { from: { journal: '', seq: 1 } })
  // @ts-expect-error Trades come as they happen.
  stream.subscribe({ channel: 'trades', symbol: 'BTC/USDT', levels: 5 }, {})
  // @ts-expect-error There is no such channel.
  stream.follow('deposits', { onUpdate: () => {} })
  void [created, result, price, one, all, candles]
}
export function reasonOf(error: unknown): Reason | undefined {
  return error instanceof RefusedError ? error.reason : undefined
}
`

test('the declarations of the package compile in a strict project of a user', async () => {
  writeFileSync(path.join(project, 'typed.ts'), TYPED)
  const options = [
    '--strict',
    '--noEmit',
    '--target',
    'ES2022',
    '--module',
    'NodeNext',
    '--lib',
    'ES2022,DOM',
  ]
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  expect(
    await run(project, 'node', compiler, ...options, '--types', '', '--skipLibCheck', 'false', 'typed.ts'),
  ).toBe('')
})
