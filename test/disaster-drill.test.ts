/**
 * The drill of docs/recovery.md, exactly as written there: an exchange is set up, traded on and backed up,
 * its disk is lost, and it is restored, verified and traded on again. All steps use the program's own
 * commands.
 */
import { afterAll, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseOrderUuid } from '../src/units/ids.ts'
import { BourseProcess, type Credentials, dataDirectory, signed } from './support/bourse-process.ts'

const TIMEOUT_MS = 300_000

const { path: data, remove } = dataDirectory()
const backups = path.join(data, '..', 'backups')
const MASTER_KEY = { BOURSE_MASTER_KEY: 'c0'.repeat(32) }
const nodes: BourseProcess[] = []

afterAll(async () => {
  for (const node of nodes) await node.end('SIGKILL')
  remove()
})

async function serve(...options: string[]): Promise<{ node: BourseProcess; baseUrl: string }> {
  const node = new BourseProcess(['serve', '--data', data, '--port', '0', ...options], MASTER_KEY)
  nodes.push(node)
  return { node, baseUrl: await node.ready }
}

/** Runs a command that must succeed; returns its JSON. */
async function bourse(...line: string[]): Promise<unknown> {
  const run = new BourseProcess([...line, '--json'])
  const code = await run.exited()
  expect([line, code, run.err]).toEqual([line, 0, ''])
  return JSON.parse(run.out)
}

const admin = (...line: string[]) => bourse('admin', '--data', data, ...line)

/** Opens an account with a key and money. */
async function onboard(name: string, asset: string, amount: string): Promise<Credentials> {
  await admin('account', 'add', name)
  const { apiKey, secret } = (await admin('key', 'add', name)) as Credentials
  await admin('credit', name, asset, amount, '--reference', `deposit-${name}`)
  return { name, apiKey, secret }
}

async function balances(baseUrl: string, trader: Credentials): Promise<Record<string, string>> {
  const answer = await signed(baseUrl, trader, 'GET', 'wallet/balance')
  const { data: wallet } = (await answer.json()) as {
    data: { acc: { Spot: { assetAccs: Record<string, string>[] } } }
  }
  return Object.fromEntries(
    wallet.acc.Spot.assetAccs.map(({ asset, free }) => [asset as string, free as string]),
  )
}

/** Places an order that rests; returns its id. */
async function bid(baseUrl: string, trader: Credentials): Promise<string> {
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', side: 'BUY', quantity: '0.1', price: '1' }
  const { data } = (await (await signed(baseUrl, trader, 'POST', 'order', order)).json()) as {
    data: { id: string }
  }
  return data.id
}

function numberOf(id: string): number {
  return Number(parseOrderUuid(id)?.number)
}

async function trade(baseUrl: string, seller: Credentials, buyer: Credentials): Promise<void> {
  const order = { symbol: 'BTC/USDT', type: 'LIMIT', quantity: '0.5', price: '100' }
  for (const [trader, side] of [
    [seller, 'SELL'],
    [buyer, 'BUY'],
  ] as const) {
    const answer = await signed(baseUrl, trader, 'POST', 'order', { ...order, side })
    expect([side, answer.status]).toEqual([side, 200])
  }
}

test(
  'a lost disk loses what came after the last backup and nothing else: restore, verify, continue trading',
  async () => {
    const first = await serve('--init')
    await admin('asset', 'add', 'BTC', '--fraction', '8')
    await admin('asset', 'add', 'USDT', '--fraction', '8')
    await admin('symbol', 'add', 'BTC/USDT', '--base-fraction', '4', '--quote-fraction', '2')
    const alice = await onboard('alice', 'BTC', '10')
    const bob = await onboard('bob', 'USDT', '1000')
    await trade(first.baseUrl, alice, bob)
    const atBackup = [await balances(first.baseUrl, alice), await balances(first.baseUrl, bob)]

    const backup = (await bourse('backup', '--data', data, '--into', backups, '--keep', '3')) as {
      directory: string
      stateHash: string
    }
    // This transfer comes after the backup, and is lost with the disk.
    await admin('credit', 'bob', 'USDT', '77', '--reference', 'deposit-late')
    const lost = await bid(first.baseUrl, bob)

    await first.node.end('SIGKILL')
    rmSync(data, { recursive: true })
    expect(readdirSync(backups)).toEqual([path.basename(backup.directory)])

    expect(await bourse('verify', '--data', backup.directory)).toMatchObject({
      sound: true,
      stateHash: backup.stateHash,
    })
    const tooEarly = new BourseProcess(['serve', '--data', data, '--port', '0'], MASTER_KEY)
    expect(await tooEarly.exited()).toBe(1)
    expect(tooEarly.err).toStartWith(`bourse: ${data} contains no exchange`)
    await bourse('restore', '--from', backup.directory, '--data', data)
    expect(await bourse('verify', '--data', data)).toMatchObject({ sound: true, findingsTotal: 0 })

    const second = await serve()
    expect([await balances(second.baseUrl, alice), await balances(second.baseUrl, bob)]).toEqual(atBackup)
    // The id of a lost order identifies no other order, and is never assigned again.
    for (const method of ['GET', 'DELETE'] as const) {
      const param = method === 'GET' ? { orderId: lost } : { id: lost }
      const answer = await signed(second.baseUrl, bob, method, 'order', param)
      expect([method, await answer.json()]).toMatchObject([method, { reason: 'UNKNOWN_ORDER' }])
    }
    const next = await bid(second.baseUrl, bob)
    expect(numberOf(next)).toBe(numberOf(lost) + 1_000_000_000)
    expect((await signed(second.baseUrl, bob, 'DELETE', 'order', { id: next })).status).toBe(200)
    // Repeating a reference is safe: a transfer that is in the backup is not made twice, and one that is not
    // in it is made now.
    expect(await admin('credit', 'bob', 'USDT', '1000', '--reference', 'deposit-bob')).toMatchObject({
      repeated: true,
    })
    expect(await admin('credit', 'bob', 'USDT', '77', '--reference', 'deposit-late')).toMatchObject({
      repeated: false,
    })
    await trade(second.baseUrl, alice, bob)
    const sums = [await balances(second.baseUrl, alice), await balances(second.baseUrl, bob)]
    expect(sums.map(({ BTC, USDT }) => [BTC, USDT])).toEqual([
      ['9', '99.9'],
      ['0.999', '977'],
    ])
    expect(await bourse('verify', '--data', data)).toMatchObject({ sound: true, findingsTotal: 0 })
    expect(await second.node.end('SIGTERM')).toBe(0)
  },
  TIMEOUT_MS,
)
