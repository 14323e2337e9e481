/**
 * The typed client against a real sandbox behind a proxy that loses answers, cuts connections and delays
 * requests: every order ends as the client reports, once or not at all. `CLIENT_FAULT_SEED=7` repeats a run.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type BourseClient, createBourseClient } from '../../src/client/client.ts'
import { BourseError } from '../../src/client/errors.ts'
import {
  type BourseProcess,
  type Credentials,
  dataDirectory,
  readSandbox,
  sandbox,
} from '../support/bourse-process.ts'
import { FaultyProxy } from './support/faulty-proxy.ts'

setDefaultTimeout(300_000)

const SEED = Number(process.env.CLIENT_FAULT_SEED ?? Date.now() % 1_000_000)
const ORDERS = 200

const { path: data, remove } = dataDirectory()
let node: BourseProcess | undefined
let proxy: FaultyProxy
let direct: BourseClient
let account: Credentials

beforeAll(async () => {
  node = await sandbox(data)
  const { baseUrl, accounts } = readSandbox(data)
  account = accounts[0] as Credentials
  proxy = await FaultyProxy.start(baseUrl, SEED)
  direct = createBourseClient({ url: baseUrl, ...account })
})

afterAll(async () => {
  proxy.stop()
  await node?.end('SIGKILL')
  remove()
})

const BEHIND_FAULTS = { patienceMs: 200_000 }

/**
 * Short windows, so that the outcome of a lost request is soon final; but long enough for a machine that
 * pauses.
 */
function clientForLosses(): BourseClient {
  const { apiKey, secret } = account
  return createBourseClient({
    url: proxy.url,
    apiKey,
    secret,
    timeoutMs: 1_000,
    recvWindowMs: 1_500,
    ...BEHIND_FAULTS,
  })
}

type Told = {
  readonly id: string
  readonly outcome: 'DONE' | BourseError['outcome']
  readonly orderId?: string
}

async function told(id: string, work: Promise<{ readonly order: { readonly id: string } }>): Promise<Told> {
  try {
    return { id, outcome: 'DONE', orderId: (await work).order.id }
  } catch (error) {
    if (error instanceof BourseError) return { id, outcome: error.outcome }
    throw error
  }
}

test(`200 orders behind a network that loses, cuts and delays end as the client reports, none repeated (seed ${SEED})`, async () => {
  const client = clientForLosses()
  proxy.faults = {
    commands: ['none', 'none', 'none', 'none', 'none', 'lost', 'cut', 'gateway', 'held'],
    reads: ['none', 'none', 'none', 'none', 'none', 'none', 'lost', 'cut'],
  }
  const outcomes = await Promise.all(
    Array.from({ length: ORDERS }, (_, index) => {
      const id = `fault-${index}`
      const order = {
        symbol: 'BTC/USDT',
        side: 'BUY',
        type: 'LIMIT',
        quantity: '0.0001',
        price: '100',
      } as const
      return told(id, client.newOrder({ ...order, newClientOrderId: id, newOrderRespType: 'RESULT' }))
    }),
  )
  await proxy.drained()
  proxy.faults = { commands: ['none'], reads: ['none'] }
  const placed = (await direct.openOrders({ symbol: 'BTC/USDT' })).filter(({ price }) => price === '100')
  const idsOf = (outcome: Told['outcome']) =>
    outcomes.filter((each) => each.outcome === outcome).map(({ id }) => id)
  expect(idsOf('UNKNOWN')).toEqual([])
  expect(placed.map(({ clientOrderId }) => clientOrderId).toSorted()).toEqual(idsOf('DONE').toSorted())
  const numbers = new Map(placed.map(({ clientOrderId, id }) => [clientOrderId, id]))
  expect(
    outcomes
      .filter(({ outcome }) => outcome === 'DONE')
      .filter(({ id, orderId }) => numbers.get(id) !== orderId),
  ).toEqual([])
  expect(proxy.counts.lost + proxy.counts.held + proxy.counts.gateway).toBeGreaterThan(20)
})

test('cancels behind the same network are done when they are reported as done', async () => {
  const { apiKey, secret } = account
  const client = createBourseClient({
    url: proxy.url,
    apiKey,
    secret,
    recvWindowMs: 60_000,
    ...BEHIND_FAULTS,
  })
  const open = (await direct.openOrders({ symbol: 'BTC/USDT' })).slice(0, 40)
  proxy.faults = {
    commands: ['none', 'none', 'none', 'lost', 'cut', 'gateway'],
    reads: ['none', 'none', 'lost'],
  }
  await Promise.all(open.map(({ id }) => client.cancelOrder({ id })))
  const states = await Promise.all(open.map(({ id }) => direct.order({ orderId: id })))
  expect(states.filter(({ status, endReason }) => status !== 'CANCELED' || endReason !== 'USER')).toEqual([])
})

test('the answers of a running exchange have the exact texts and types of the client', async () => {
  const symbol = 'BTC/USDT'
  const { order, clientOrderId, isRepeated } = await direct.newOrder({
    ...{ symbol, side: 'BUY', type: 'LIMIT', quantity: '0.00020001', price: '100.10' },
  })
  expect([order.price, order.qty, order.total, isRepeated]).toEqual([
    '100.1',
    '0.00020001',
    '0.02002101',
    false,
  ] as never)
  const depth = await direct.depth({ symbol, limit: 5_000 })
  expect(depth.buy['100.10']).toBe('0.00020001')
  const found = await direct.resolveOrder({
    clientOrderId,
    deadline: await direct.serverNow(),
    firstAttempt: 0,
  })
  expect(found).toMatchObject({ kind: 'PLACED', found: { id: order.id } })
  const ticker = await direct.priceTicker({ symbol })
  expect(ticker.symbol).toBe(symbol)
  expect((await direct.priceTicker()).length).toBeGreaterThan(1)
  expect((await direct.walletBalance({ code: 'BTC' })).free).toMatch(/^\d+(\.\d+)?$/)
  expect((await direct.walletBalance()).acc.Spot.walletCode).toBe('SPOT')
  const checked = await direct.signatureCheck({ symbol, side: 'BUY' })
  expect(checked.isValid).toBe(true)
  const csv = await direct.accountLedgerCsv({ limit: 5 })
  expect(csv.csv).toStartWith('id,')
  const wrong = await direct
    .newOrder({ symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '0.001' })
    .catch((error) => error)
  expect(wrong).toMatchObject({
    kind: 'REFUSED',
    reason: 'TOO_MANY_DECIMALS',
    outcome: 'NOT_DONE',
    parameter: 'price',
  })
})
