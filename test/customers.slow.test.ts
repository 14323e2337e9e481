/** People who sign up themselves: from an email address to a filled order, without an operator. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { BourseError } from '../src/client/errors.ts'
import { type NodeProcess, startSandbox } from './acceptance/support/node-process.ts'
import { Customer } from './support/customer.ts'
import { PROGRAM } from './support/program.ts'
import { scrape } from './support/prometheus.ts'
import { until } from './support/until.ts'

let node: NodeProcess

beforeAll(async () => {
  node = await startSandbox()
})

afterAll(() => node.stop())

/** A refusal has a reason; a request without an answer has none. */
type Rejected = BourseError & { readonly reason?: string }

const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.01', price: '50000' } as const

test('a customer signs up, and fills an order with the session key', async () => {
  const [maker, taker] = [new Customer(node), new Customer(node)]
  await maker.signUp('maker@example.org')
  await taker.signUp('taker@example.org')
  await maker.trader().newOrder({ ...BUY, side: 'SELL' })
  const { order } = await taker.trader().newOrder({ ...BUY, newOrderRespType: 'RESULT' })
  expect(order.status).toBe('FILLED')
  const stream = taker.trader().stream()
  const states: string[] = []
  const followed = Promise.withResolvers<void>()
  stream.follow('fills', {
    onUpdate: () => followed.resolve(),
    onState: (state) => states.push(String(state)),
  })
  stream.connect()
  await followed.promise
  stream.close()
})

test('after a kill of the node the session continues, and one that was logged out does not', async () => {
  const [stays, leaves] = [new Customer(node), new Customer(node)]
  await stays.signUp('stays@example.org')
  await leaves.signUp('leaves@example.org')
  expect((await leaves.ask('POST', 'logout')).status).toBe(200)
  await expect(leaves.trader().openOrders({})).rejects.toMatchObject({ reason: 'INVALID_API_KEY' })
  node = await node.restart('SIGKILL')
  // The answer is 503 until the keys are announced, for which the client waits.
  expect(await stays.trader(node.url).openOrders({})).toEqual([])
  await expect(leaves.trader(node.url).openOrders({})).rejects.toMatchObject({ reason: 'INVALID_API_KEY' })
})

test('a session key signs strictly alone, and withdraws nothing', async () => {
  const customer = new Customer(node)
  await customer.signUp('strict@example.org')
  const { pair, keyName } = customer
  const query = `symbol=BTC/USDT&timestamp=${Date.now()}&recvWindow=60000`
  const signed = await crypto.subtle.sign('Ed25519', (pair as CryptoKeyPair).privateKey, Buffer.from(query))
  const answer = await fetch(`${node.url}/api/v3/openOrders?${query}`, {
    headers: { 'X-Apikey': keyName, 'X-Signature': Buffer.from(signed).toString('base64') },
  })
  expect(await answer.json()).toMatchObject({ reason: 'STRICT_SIGNATURE_REQUIRED' })
  const withdrawal = { coin: 'USDT', address: 'x', amount: '1', withdrawOrderId: 'w1' }
  await expect(customer.trader().askWithdrawal(withdrawal)).rejects.toMatchObject({
    reason: 'PERMISSION_DENIED',
  })
})

test('a browser without Ed25519 trades with a pair of P-256, over HTTP and the stream', async () => {
  const customer = new Customer(node)
  customer.isOld = true
  await customer.signUp('old-browser@example.org')
  expect(await customer.trader().openOrders({})).toEqual([])
  const followed = Promise.withResolvers<void>()
  const stream = customer.trader().stream()
  stream.follow('orders', { onUpdate: () => followed.resolve(), onState: () => {} })
  stream.connect()
  await customer.trader().newOrder({ ...BUY, price: '10000' })
  await followed.promise
  stream.close()
  const query = { sessionKey: Buffer.alloc(65, 4).toString('base64url') }
  const other = new Customer(node, customer.passkey)
  await other.ask('GET', 'config')
  const { data } = await other.ask('POST', 'login/passkey/begin', {})
  const assertion = customer.passkey.get(String(data.options))
  // A point that is not on the curve.
  expect(await other.ask('POST', 'login/passkey/finish', { assertion, ...query })).toMatchObject({
    ...{ status: 400, reason: 'INVALID_PARAMETER' },
  })
})

test('a session key places 20 orders in a second, and no connection of it cancels orders at its end', async () => {
  const customer = new Customer(node)
  await customer.signUp('fast@example.org')
  // This client does not wait for the next second.
  const trader = customer.trader(node.url, 400)
  const refused: Rejected[] = []
  // A slow machine may take seconds for sixty orders.
  while (!refused.some(({ reason }) => reason === 'ORDER_RATE_LIMITED')) {
    const placed = await Promise.allSettled(
      Array.from({ length: 60 }, () => trader.newOrder({ ...BUY, quantity: '0.0001', price: '10000' })),
    )
    for (const each of placed) if (each.status === 'rejected') refused.push(each.reason as Rejected)
  }
  // On a busy machine some requests get no answer in time; no other failure occurs.
  const others = refused.filter(({ reason }) => reason !== 'ORDER_RATE_LIMITED')
  expect(others.map(({ message }) => message).filter((text) => !/no answer within/.test(text))).toEqual([])
  const problem = Promise.withResolvers<unknown>()
  const stream = trader.stream({
    cancelOnDisconnect: { graceMs: 0 },
    onLogin: (state) => state.kind === 'refused' && problem.resolve(state.error),
  })
  stream.follow('orders', { onUpdate: () => {} })
  stream.connect()
  expect(await problem.promise).toMatchObject({ reason: 'INVALID_PARAMETER' })
  stream.close()
})

test('a restored store from before an erasure and an ended session brings back neither', async () => {
  const [leaves, ends] = [new Customer(node), new Customer(node)]
  await leaves.signUp('erased@example.org')
  await ends.signUp('ends@example.org')
  const other = new Customer(node, ends.passkey)
  await other.signIn()
  const { dataDirectory } = node
  const [files, copy] = [path.join(dataDirectory, 'customers'), path.join(dataDirectory, 'customers.tmp')]
  cpSync(files, copy, { recursive: true, filter: (name) => !name.endsWith('.sock') })
  expect((await leaves.askWithStepUp('erase')).status).toBe(200)
  await expect(leaves.trader().openOrders({})).rejects.toMatchObject({ reason: 'INVALID_API_KEY' })
  expect((await ends.ask('POST', 'session/end')).status).toBe(200)
  node = await node.restart('SIGKILL', () => {
    rmSync(files, { recursive: true })
    cpSync(copy, files, { recursive: true })
    rmSync(copy, { recursive: true })
  })
  for (const customer of [leaves, ends, other]) {
    await expect(customer.trader(node.url).openOrders({})).rejects.toMatchObject({
      reason: 'INVALID_API_KEY',
    })
    const again = new Customer(node, customer.passkey)
    expect((await again.signIn()).reason).toBe('CREDENTIALS_WRONG')
  }
  const mail = Buffer.from('erased@example.org')
  const found = readdirSync(files).filter(
    (name) => !name.endsWith('.sock') && readFileSync(path.join(files, name)).includes(mail),
  )
  expect(found).toEqual([])
})

test('a backup of a running node restores its customers: existing ones continue to trade, those erased later are erased', async () => {
  const [stays, leaves] = [new Customer(node), new Customer(node)]
  await stays.signUp('kept@example.org')
  await leaves.signUp('gone@example.org')
  const { dataDirectory } = node
  const [backup, keys] = [`${dataDirectory}.backup`, `${dataDirectory}.keys`]
  const run = async (...words: string[]): Promise<number> => {
    const child = Bun.spawn([...PROGRAM, ...words], { stdout: 'ignore', stderr: 'inherit' })
    return child.exited
  }
  const copy = ['--data', dataDirectory, '--to', backup, '--include-master-key', '--customers-keys', keys]
  expect(await run('backup', ...copy)).toBe(0)
  try {
    // The journal continues from the backup: after a restore it does not contain a later erasure.
    expect((await leaves.askWithStepUp('erase')).status).toBe(200)
    const files = path.join(dataDirectory, 'customers')
    node = await node.restart('SIGKILL', () => {
      const [name = ''] = readdirSync(keys)
      rmSync(files, { recursive: true })
      cpSync(path.join(backup, 'customers'), files, { recursive: true })
      cpSync(path.join(keys, name), path.join(files, 'customers.keys'))
    })
    expect(await stays.trader(node.url).openOrders({})).toEqual([])
    const again = new Customer(node, leaves.passkey)
    expect((await again.signIn()).reason).toBe('CREDENTIALS_WRONG')
    const restored = `${dataDirectory}.restored`
    const [name = ''] = readdirSync(keys)
    const whole = ['--from', backup, '--data', restored, '--customers-keys', path.join(keys, name)]
    expect(await run('restore', ...whole)).toBe(0)
    expect(readdirSync(path.join(restored, 'customers')).toSorted()).toEqual([
      ...['customers.keys', 'customers.sqlite'],
    ])
    rmSync(restored, { recursive: true })
  } finally {
    for (const directory of [backup, keys]) rmSync(directory, { recursive: true, force: true })
  }
})

test('a start with a changed trail says so in the log and the metrics, and customers sign in', async () => {
  const customer = new Customer(node)
  await customer.signUp('trail@example.org')
  const wanted = ['action', 'find', '--kind', 'NoteChange', '--text', 'trail of customers']
  const isJournaled = async () => {
    const { actions } = (await node.admin(...wanted)) as { readonly actions: readonly unknown[] }
    return actions.length > 0
  }
  while (!(await isJournaled())) await Bun.sleep(100)
  node = await node.restart('SIGTERM', (data) => {
    const db = new Database(path.join(data, 'customers', 'customers.sqlite'))
    db.run("UPDATE trail SET kind = 'SIGNED_OUT' WHERE number = 1")
    db.close()
  })
  const { monitoringUrl } = JSON.parse(readFileSync(path.join(node.dataDirectory, 'admin.json'), 'utf8')) as {
    readonly monitoringUrl: string
  }
  const differs = async () => (await scrape(monitoringUrl)).get('bourse_customers_trail_differs')
  while ((await differs()) !== 1) await Bun.sleep(100)
  await until('the warnings', () =>
    ['does not contain the newest head', '"broken":1'].every((text) => node.output().includes(text)),
  )
  expect((await new Customer(node, customer.passkey).signIn()).status).toBe(200)
})

test('every one of several gateways accepts the session key, and none does once the session has ended', async () => {
  const several = await startSandbox({ gateways: 2 })
  try {
    const customer = new Customer(several)
    await customer.signUp('several@example.org')
    expect(await (await fetch(several.url)).text()).toContain('<body data-customers="" ')
    const trader = customer.trader()
    // Each request uses a connection of its own: the system spreads them over the gateways.
    const asked = () => Promise.allSettled(Array.from({ length: 12 }, () => trader.openOrders({})))
    expect((await asked()).map(({ status }) => status)).toEqual(Array(12).fill('fulfilled'))
    expect((await customer.ask('POST', 'logout')).status).toBe(200)
    for (const each of await asked())
      expect(each).toMatchObject({ status: 'rejected', reason: { reason: 'INVALID_API_KEY' } })
  } finally {
    await several.stop()
  }
})
