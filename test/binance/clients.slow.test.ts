/**
 * Clients of Binance, unmodified: each is connected to a sandbox by the lines that `bourse sandbox clients`
 * prints, and by nothing else, then loads markets, places, fills, lists, cancels and follows streams.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BINANCE_CLIENTS } from '../../src/app/sandbox/binance-lines.ts'
import { BourseProcess, dataDirectory, ROOT, sandbox } from '../support/bourse-process.ts'

setDefaultTimeout(300_000)

/** For each client: the names declared in its lines that its steps use, and the file of its steps. */
const STEPS: Readonly<Record<string, readonly [file: string, names: string]>> = {
  ccxt: ['ccxt.cjs', 'exchange, ccxt, accounts, loaded'],
  '@binance/spot': ['spot.cjs', 'client, Spot, url, accounts, loaded'],
  binance: ['binance.cjs', 'client, streams, requests, MainClient, url, accounts, loaded'],
  'binance-api-node': ['binance-api-node.cjs', 'client, Binance, url, accounts, loaded'],
}
const MARKETS = ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'USDTTRY']
const DONE = 'done: '
/** A client that runs for longer is killed. */
const CLIENT_MS_MAX = 60_000

const data = dataDirectory()
/** The directory in which the clients are installed: their package names resolve from there. */
const programs = mkdtempSync(path.join(tmpdir(), 'bourse-clients-'))
let server: BourseProcess

beforeAll(async () => {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(programs, 'node_modules'))
  server = await sandbox(data.path)
  expect(await outputOf('admin', '--data', data.path, 'symbol', 'halt', 'ETH/USDT')).toContain('HALTED')
})
afterAll(async () => {
  await server.end('SIGTERM')
  data.remove()
  rmSync(programs, { recursive: true })
})

async function outputOf(...words: readonly string[]): Promise<string> {
  const command = new BourseProcess(words)
  expect([await command.exited(), command.err]).toEqual([0, ''])
  return command.out
}

/** Runs a program that begins with the printed lines, on Node. Resolves with its report. */
async function reportOf(name: string, lines: string): Promise<unknown> {
  const [file, names] = STEPS[name] ?? []
  const steps = JSON.stringify(path.join(import.meta.dir, 'steps', String(file)))
  const end = `.then((report) => { console.log(${JSON.stringify(DONE)} + JSON.stringify(report)); process.exit(0) })`
  const program = path.join(programs, 'program.cjs')
  writeFileSync(program, `${lines}\nrequire(${steps})({ ${names} })${end}\n`)
  const guard = path.join(import.meta.dir, 'loopback-only.cjs')
  const child = Bun.spawn(['node', '--require', guard, program], {
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: CLIENT_MS_MAX,
  })
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const
  const [out, err] = await Promise.all(texts)
  const line = out.split('\n').find((each) => each.startsWith(DONE))
  if (line === undefined) throw new Error(`${name} did not get to the end: ${out}\n${err}`)
  return JSON.parse(line.slice(DONE.length))
}

test('npm start says how to print the lines, and prints those of every client with its name', async () => {
  expect(server.out).toContain(`npx bourse sandbox clients --data ${data.path}`)
  const all = await outputOf('sandbox', 'clients', '--data', data.path)
  for (const { name, lines } of BINANCE_CLIENTS) {
    expect(all).toContain(`${name} (npm install ${name}):`)
    expect(all).toContain(lines(path.join(data.path, 'sandbox.json')).join('\n'))
  }
})

test.each(BINANCE_CLIENTS.map(({ name }) => name))(
  '%s connected with its printed lines loads markets, places, fills, lists, cancels and follows streams',
  async (name) => {
    const lines = await outputOf('sandbox', 'clients', name, '--data', data.path)
    const report = await reportOf(name, lines)
    expect(report).toEqual({
      markets: MARKETS,
      placed: 'NEW',
      open: [true],
      fill: 'FILLED',
      order: ['PARTIALLY_FILLED', 0.004],
      mine: [50_000, 0.004, true],
      traded: 50_000,
      duplicate: true,
      halted: true,
      cancel: 'CANCELED',
      bySocket: 'NEW',
      left: 0,
      locked: 0,
      events: ['NEW', 'TRADE', 'CANCELED'],
    })
  },
)

test('a directory without a sandbox, and a client without lines, are refused by name', async () => {
  const cases = [
    [['--data', programs], 'does not contain a sandbox'],
    [['nobody', '--data', data.path], 'expected ccxt, @binance/spot, binance, binance-api-node'],
  ] as const
  for (const [words, text] of cases) {
    const command = new BourseProcess(['sandbox', 'clients', ...words])
    expect(await command.exited()).not.toBe(0)
    expect(command.err).toContain(text)
  }
})
