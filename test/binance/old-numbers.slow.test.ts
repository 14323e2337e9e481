/**
 * Numbers of orders on Binance's wire are permanent integers. After a restore, and after the promotion of a
 * standby, the number of a lost order refers to no order, and no number is assigned a second time.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { eventually } from '../postgres/support/eventually.ts'
import { lagOf, Pair } from '../standby/support/pair.ts'
import { BourseProcess, dataDirectory } from '../support/bourse-process.ts'
import { freePort } from '../support/free-port.ts'
import { WireClient, type WireKey, wireOf } from './support/wire-client.ts'

setDefaultTimeout(300_000)

const ORDERS = 20
const JUMP = 1_000_000_000
const MASTER_KEY = { BOURSE_MASTER_KEY: 'd1'.repeat(32) }
const BID = { symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.1', price: '1' }

const endings: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Runs a command that must succeed; returns its JSON. */
async function bourse(...line: string[]) {
  const run = new BourseProcess([...line, '--json'])
  expect([line, await run.exited(), run.err]).toEqual([line, 0, ''])
  return JSON.parse(run.out)
}

async function serve(data: string, ...options: string[]) {
  const port = freePort()
  const line = ['serve', '--data', data, '--port', '0', '--binance-port', String(port), ...options]
  const node = new BourseProcess(line, MASTER_KEY)
  endings.push(async () => void (await node.end('SIGKILL')))
  await node.ready
  return { node, url: `http://127.0.0.1:${port}` }
}

/** Places orders; returns their numbers, each with its client order id. */
async function place(client: WireClient, name: string): Promise<Map<number, string>> {
  const numbers = new Map<number, string>()
  for (let i = 0; i < ORDERS; i++) {
    const newClientOrderId = `${name}-${i}`
    const { status, body } = await client.ask('POST', '/api/v3/order', { ...BID, newClientOrderId })
    expect([status, body.msg]).toEqual([200, undefined])
    numbers.set(body.orderId, newClientOrderId)
  }
  return numbers
}

/** Checks that no lost number, and no lost id, can be read, canceled or amended. */
async function expectUnknown(client: WireClient, lost: ReadonlyMap<number, string>): Promise<void> {
  for (const [orderId, origClientOrderId] of lost)
    for (const name of [{ orderId }, { origClientOrderId }]) {
      const asked = { symbol: 'BTCUSDT', ...name }
      const read = await client.ask('GET', '/api/v3/order', asked)
      expect([read.status, read.body.code, read.body.msg]).toEqual([400, -2013, 'Order does not exist.'])
      const canceled = await client.ask('DELETE', '/api/v3/order', asked)
      expect([canceled.status, canceled.body.code, canceled.body.msg]).toEqual([
        400,
        -2011,
        'Unknown order sent.',
      ])
      const amended = await client.ask('PUT', '/api/v3/order/amend/keepPriority', {
        ...asked,
        newQty: '0.05',
      })
      expect([amended.status, amended.body.code]).toEqual([400, -2013])
    }
}

/**
 * Checks that orders that were kept are found by both names; lost ones are not; new ones have numbers of
 * their own.
 */
async function expectNumbersForLife(
  client: WireClient,
  kept: ReadonlyMap<number, string>,
  lost: ReadonlyMap<number, string>,
): Promise<void> {
  await client.ready()
  await expectUnknown(client, lost)
  for (const [orderId, clientOrderId] of kept) {
    const { body } = await client.ask('GET', '/api/v3/order', { symbol: 'BTCUSDT', orderId })
    expect([body.clientOrderId, body.status]).toEqual([clientOrderId, 'NEW'])
  }
  const anew = await place(client, 'anew')
  const old = [...kept.keys(), ...lost.keys()]
  expect(Math.min(...anew.keys())).toBeGreaterThan(JUMP)
  expect(new Set([...old, ...anew.keys()]).size).toBe(old.length + ORDERS)
  // Lost numbers stay unknown after as many new numbers have been assigned.
  await expectUnknown(client, lost)
  const { body: all } = await client.ask('GET', '/api/v3/openOrders', { symbol: 'BTCUSDT' })
  const numbers = all
    .map(({ orderId }: { readonly orderId: number }) => orderId)
    .toSorted((a: number, b: number) => a - b)
  expect(numbers).toEqual([...kept.keys(), ...anew.keys()].toSorted((a, b) => a - b))
}

test('after a restore the numbers and ids of lost orders are -2013 on the port for clients of Binance, and none is given twice', async () => {
  const { path: data, remove } = dataDirectory()
  endings.push(remove)
  const admin = (...line: string[]) => bourse('admin', '--data', data, ...line)
  const first = await serve(data, '--init')
  for (const asset of ['BTC', 'USDT']) await admin('asset', 'add', asset, '--fraction', '8')
  await admin('symbol', 'add', 'BTC/USDT', '--base-fraction', '4', '--quote-fraction', '2')
  await admin('account', 'add', 'alice')
  await admin('credit', 'alice', 'USDT', '1000', '--reference', 'deposit-alice')
  const key = (await admin('key', 'add', 'alice', '--wire', 'BINANCE')) as WireKey
  const client = await new WireClient(first.url, key).ready()
  const kept = await place(client, 'kept')
  const backup = await bourse('backup', '--data', data, '--into', path.join(data, '..', 'backups'))
  const lost = await place(client, 'lost')
  await first.node.end('SIGKILL')
  rmSync(data, { recursive: true })
  await bourse('restore', '--from', backup.directory, '--data', data)
  const second = await serve(data)
  await expectNumbersForLife(new WireClient(second.url, key), kept, lost)
})

test('after the promotion of a standby the numbers and ids of orders that it lacks are -2013, and none is given twice', async () => {
  const pair = new Pair()
  endings.push(() => pair.end())
  const node = await pair.node()
  const standby = await pair.standby()
  const { url, accounts } = wireOf(pair.nodeData)
  const key = accounts[0] as WireKey
  const client = await new WireClient(url, key).ready()
  await eventually('the standby has all', async () => (await lagOf(standby)).behindCommands === 0)
  const { storedSeq } = await lagOf(standby)
  const kept = await place(client, 'kept')
  await eventually('the standby has them', async () => (await lagOf(standby)).storedSeq >= storedSeq + ORDERS)
  await standby.end('SIGKILL')
  const lost = await place(client, 'lost')
  await node.end('SIGKILL')
  pair.carryMasterKey()
  const port = freePort()
  await pair.promote('--yes-the-old-node-is-off', '--binance-port', String(port)).ready
  await expectNumbersForLife(new WireClient(`http://127.0.0.1:${port}`, key), kept, lost)
})
