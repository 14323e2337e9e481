/**
 * State that several gateways share: limits, bans, keys, certificates, order sessions. Real processes, each
 * queried over connections of its own.
 */
import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { connect } from 'node:tls'
import { plainEntry } from './order-entry/support/entry-clients.ts'
import { eventually } from './postgres/support/eventually.ts'
import { BourseProcess, dataDirectory, readSandbox, sandbox, signed } from './support/bourse-process.ts'
import { ALONE, count, gatewaysOf } from './support/gateway-processes.ts'
import { inOneWindow, until } from './support/until.ts'

/** Processes take their time to start on a busy machine. */
setDefaultTimeout(300_000)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const ORDER = { symbol: 'BTC/USDT', side: 'SELL', type: 'LIMIT', quantity: '0.01', price: '60000' }

let running: BourseProcess | undefined
let data = dataDirectory()
afterEach(async () => {
  if (running !== undefined) await running.end('SIGKILL')
  running = undefined
  data.remove()
  data = dataDirectory()
})

async function start(...options: string[]): Promise<BourseProcess> {
  running = await sandbox(data.path, '--gateways', '2', '--log-level', 'info', ...options)
  return running
}

async function admin(...words: string[]): Promise<string> {
  const command = new BourseProcess(['admin', '--data', data.path, ...words])
  expect([await command.exited(), command.err]).toEqual([0, ''])
  return command.out
}

/** Weight is counted by the minute of the clock. */
const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS)

/** Kills a gateway, and resolves when another process serves in its place. */
async function replace(node: BourseProcess, pid: number): Promise<void> {
  const served = count(node, 'the gateway serves clients')
  process.kill(pid, 'SIGKILL')
  await until('another one serves', () => count(node, 'the gateway serves clients') > served)
}

test('an address uses its weight once with each gateway at most, and its ban holds at all until it is lifted', async () => {
  const node = await start('--limits-weight-per-minute-max', '200', '--limits-refusals-before-ban', '40')
  const url = await node.ready
  const ask = async (): Promise<number> => (await fetch(`${url}/api/v3/exchangeInfo`, ALONE)).status
  const statuses: number[] = []
  const firstMinute = minuteNow()
  while (statuses.filter((status) => status === 418).length < 20 && statuses.length < 600)
    statuses.push(await ask())
  const weight = 20
  const answered = statuses.filter((status) => status === 200).length
  expect(answered).toBeGreaterThanOrEqual(Math.floor(200 / weight))
  expect(answered * weight).toBeLessThanOrEqual(2 * 200 * (minuteNow() - firstMinute + 1))
  expect(new Set(statuses)).toEqual(new Set([200, 429, 418]))
  const bans = await admin('ban', 'list')
  expect(bans).toContain('127.0.0.1')
  await admin('ban', 'lift', '127.0.0.1')
  let inARow = 0
  await eventually('no gateway refuses it any more', async () => {
    inARow = (await ask()) === 418 ? 0 : inARow + 1
    // Refusals count against the address, so there is a pause between requests.
    await Bun.sleep(100)
    return inARow >= 20
  })
})

test('every connection to the port for clients of Binance reaches a gateway', async () => {
  await start()
  const { binance } = readSandbox(data.path) as never as { readonly binance: { readonly url: string } }
  const asked = Array.from({ length: 40 }, () => fetch(`${binance.url}/api/v3/ping`, ALONE))
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('an account places no more orders than it may, whichever gateway accepts them, and each answer says how many there were', async () => {
  const node = await start('--limits-order-windows', `1D:${DAY_MS}:25`)
  const url = await node.ready
  const { accounts } = readSandbox(data.path)
  const left = [...accounts]
  await inOneWindow(DAY_MS, async () => {
    const account = left.shift()
    const placed = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const fields = { ...ORDER, price: String(60_000 + i) }
        const answer = await signed(url, account as never, 'POST', 'order', fields, ALONE)
        return [answer.status, Number(answer.headers.get('x-mbx-order-count-1d'))] as const
      }),
    )
    expect(placed.filter(([status]) => status === 200)).toHaveLength(25)
    expect(placed.filter(([status]) => status === 429)).toHaveLength(15)
    const counts = placed.filter(([status]) => status === 200).map(([, orders]) => orders)
    expect(Math.max(...counts)).toBe(25)
  })
})

test('keys are opened by every gateway while the master key is rotated and after, by a later one too, and their use is known', async () => {
  const node = await start()
  const url = await node.ready
  const { accounts } = readSandbox(data.path)
  const ask = async (): Promise<number> =>
    (await signed(url, accounts[0] as never, 'GET', 'openOrders', {}, ALONE)).status
  const answers = (): Promise<number[]> => Promise.all(Array.from({ length: 20 }, ask))
  expect(new Set(await answers())).toEqual(new Set([200]))
  const rotation = admin('master-key', 'rotate', '--yes')
  expect(new Set(await answers())).toEqual(new Set([200]))
  await rotation
  expect(new Set(await answers())).toEqual(new Set([200]))
  for (const pid of gatewaysOf(node)) await replace(node, pid)
  expect(new Set(await answers())).toEqual(new Set([200]))
  const name = accounts[0]?.name as string
  await eventually('the use of the key is known', async () => {
    const [key] = JSON.parse(await admin('--json', 'key', 'list', name)) as { lastUsedAt?: string }[]
    return /"lastUsed\w*":"20\d\d-/.test(JSON.stringify(key))
  })
})

test('orders of a session are canceled when the gateway that has its connection is killed', async () => {
  const node = await start()
  const url = await node.ready
  const { accounts } = readSandbox(data.path)
  const [alice] = accounts as never as [Parameters<typeof signed>[1]]
  const client = await plainEntry(url)
  const login = await client.login(alice, Date.now(), { recvWindow: 60_000, cancelOnDisconnect: true })
  expect(login.status).toBe(200)
  const order = await client.ask('order.place', ORDER)
  expect(order.status).toBe(200)
  const open = async (): Promise<string> =>
    (await signed(url, alice, 'GET', 'openOrders', { symbol: 'BTC/USDT' }, ALONE)).text()
  expect(await open()).toContain(order.body.data.id)
  for (const pid of gatewaysOf(node)) if (!client.isClosed) await replace(node, pid)
  await until('its connection has ended', () => client.isClosed)
  await eventually('the order is canceled', async () => !(await open()).includes(order.body.data.id))
})

test('a renewed certificate is used by every gateway', async () => {
  const from = path.join(import.meta.dir, 'support', 'tls')
  const files = { cert: path.join(data.path, '..', 'cert.pem'), key: path.join(data.path, '..', 'key.pem') }
  const install = (name: string): void => {
    copyFileSync(path.join(from, `${name}.pem`), files.cert)
    copyFileSync(path.join(from, `${name}.key.pem`), files.key)
  }
  mkdirSync(path.dirname(files.cert), { recursive: true })
  install('first')
  const node = await start('--tls-cert-file', files.cert, '--tls-key-file', files.key)
  const { hostname, port, protocol } = new URL(await node.ready)
  expect(protocol).toBe('https:')
  // A connection that a listener did not accept before it was closed is reset: the client then connects
  // again.
  const peer = (attempts = 5): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      })
      const isReset = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ECONNRESET'
      socket.on('error', (error) =>
        isReset(error) && attempts > 1 ? peer(attempts - 1).then(resolve, reject) : reject(error),
      )
    })
  const peers = async (): Promise<string[]> => [
    ...new Set(await Promise.all(Array.from({ length: 20 }, () => peer()))),
  ]
  expect(await peers()).toEqual(['first.test'])
  install('second')
  node.child.kill('SIGHUP')
  await until('it was read', () => node.err.includes('the certificate was reloaded'))
  await eventually('all show it', async () => (await peers()).join() === 'second.test')
  const [pid] = gatewaysOf(node)
  await replace(node, pid as number)
  expect(await peers()).toEqual(['second.test'])
})
