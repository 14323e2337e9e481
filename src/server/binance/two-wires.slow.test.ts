/**
 * One exchange, two wires, one model: random operations go alternately over the exchange's own interface,
 * over Binance's HTTP API and over its WebSocket API, each with keys of its own wire. After each one orders,
 * fills and balances are read over both wires and compared with a second, small exchange.
 * `TWO_WIRES_SEED=7 TWO_WIRES_STEPS=20000` for another or a longer run.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import {
  isOpen,
  type ModelFill,
  type ModelOrder,
  type NewOrder,
  type Outcome,
  PlainModel,
} from '../../../test/binance/support/plain-model.ts'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { amount } from '../../units/quantities.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import type { Trader } from '../public/gateway.fixture.ts'
import { type BinanceFixture, openBinance } from './binance.fixture.ts'
import { hmac, type Message, SocketClient } from './socket-client.fixture.ts'

setDefaultTimeout(300_000)

const SEED = Number(process.env.TWO_WIRES_SEED ?? 1)
const STEPS = Number(process.env.TWO_WIRES_STEPS ?? 1_000)
const OPERATOR = { actor: 'test', note: '' }
const ACCOUNTS = ['ann', 'ben', 'cem'] as const
const SYMBOLS = { BTCUSDT: ['BTC', 'USDT'], ETHUSDT: ['ETH', 'USDT'] } as const
const MONEY = { BTC: 10n, ETH: 20n, USDT: 50_000n } as const
const UNIT = 100_000_000n
/** Binance's number and text for each reason with which the model refuses a placement. */
const ERRORS: Readonly<Record<string, readonly [number, string | undefined]>> = {
  INSUFFICIENT_FUNDS: [-2010, 'Account has insufficient balance for requested action.'],
  NO_LIQUIDITY: [-2010, 'Order book liquidity is less than symbol minimum quantity.'],
  LIMIT_MAKER_WOULD_TAKE: [-2010, 'Order would immediately match and take.'],
  FOK_NOT_FILLABLE: [-2010, undefined],
  DUPLICATE_CLIENT_ORDER_ID: [-2010, 'Duplicate order sent.'],
}

type Wire = 'OWN' | 'HTTP' | 'SOCKET'
type Keys = { readonly own: Trader; readonly binance: Trader }
/** The outcome of a change on one wire; `reason` if it was refused. */
type Said = { readonly reason: string | undefined; readonly code?: number; readonly msg?: string }

let f: BinanceFixture
let client: SocketClient
const keys = new Map<string, Keys>()
const model = new PlainModel(SYMBOLS)
const random = randomNumbers(SEED)

beforeAll(async () => {
  f = await openBinance({ config: { limits: { ...SANDBOX_LIMITS, isEnabled: false } } })
  client = await SocketClient.open(f)
  for (const name of ACCOUNTS) {
    const opened = await f.submit({ kind: 'CreateAccount', operator: OPERATOR, name })
    if (opened.kind !== 'AccountOpened') throw new Error(`expected AccountOpened, found ${opened.kind}`)
    const { accountId } = opened
    for (const [asset, whole] of Object.entries(MONEY)) {
      const money = { asset, amount: amount(whole * UNIT), reference: `${name}-${asset}` }
      await f.submit({ kind: 'Credit', operator: OPERATOR, accountId, ...money })
      model.credit(name, asset, whole * UNIT)
    }
    const binance = {
      apiKey: randomBytes(32).toString('hex'),
      secret: randomBytes(32).toString('hex'),
      accountId,
    }
    const material = f.seal(binance.secret, binance.apiKey)
    const terms = { permissions: ['TRADE'] as const, addresses: [], label: '', expiresAt: 0 as never }
    const more = { wire: 'BINANCE', strictSignature: false, keyKind: 'HMAC' } as const
    await f.submit({
      kind: 'AddApiKey',
      operator: OPERATOR,
      accountId,
      apiKey: binance.apiKey,
      material,
      ...terms,
      ...more,
    })
    keys.set(name, { own: await f.createKey(accountId), binance })
  }
})
afterAll(async () => {
  client.socket.close()
  await f.stop()
})

const draw = (count: number): number => Math.floor(random() * count)
const oneOf = <Each>(list: readonly Each[]): Each => list[draw(list.length)] as Each
const keysOf = (account: string): Keys => keys.get(account) as Keys
const slashed = (symbol: string): string => symbol.replace('USDT', '/USDT')

/** Units of 10^-8 as a plain decimal. */
function decimal(units: bigint): string {
  const whole = `${units / UNIT}`
  const rest = `${units % UNIT}`.padStart(8, '0').replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
const padded = (units: bigint): string => `${units / UNIT}.${`${units % UNIT}`.padStart(8, '0')}`

type Row = { readonly method: string; readonly path: string; readonly request: string }
const PLACE: Row = { method: 'POST', path: '/api/v3/order', request: 'order.place' }
const CANCEL: Row = { method: 'DELETE', path: '/api/v3/order', request: 'order.cancel' }
const CANCEL_ALL: Row = { method: 'DELETE', path: '/api/v3/openOrders', request: 'openOrders.cancelAll' }
const AMEND: Row = {
  method: 'PUT',
  path: '/api/v3/order/amend/keepPriority',
  request: 'order.amend.keepPriority',
}

type Fields = Readonly<Record<string, string>>

/** Sends a change over one of the three interfaces, with the parameter names of that interface. */
async function send(wire: Wire, account: string, row: Row, own: Fields, binance: Fields): Promise<Said> {
  f.clock.time += 1
  const trader = keysOf(account)
  if (wire === 'OWN') {
    const { body } = await f.send(row.method, row.path, own, trader.own)
    return { reason: body.reason }
  }
  if (wire === 'HTTP') {
    const { body } = await f.signed(row.method, row.path, binance, trader.binance)
    return { reason: body.reason, code: body.code, msg: body.msg }
  }
  const { error = {} } = await client.signed(row.request, binance, hmac(trader.binance))
  return { reason: error.reason, code: error.code, msg: error.msg }
}

function drawOrder(step: number): NewOrder {
  const kind = oneOf(['LIMIT', 'LIMIT', 'LIMIT', 'LIMIT_MAKER', 'MARKET'] as const)
  const quantity = BigInt(1 + draw(random() < 0.1 ? 200_000 : 8_000)) * 10_000n
  return {
    account: oneOf(ACCOUNTS),
    symbol: oneOf(Object.keys(SYMBOLS)),
    clientOrderId: `order-${step}`,
    side: oneOf(['BUY', 'SELL'] as const),
    kind,
    timeInForce: kind === 'LIMIT' ? oneOf(['GTC', 'GTC', 'GTC', 'IOC', 'FOK'] as const) : 'GTC',
    price: kind === 'MARKET' ? 0n : BigInt(9_900 + draw(200)) * 10_000_000n,
    quantity,
  }
}

async function place(terms: NewOrder, wire: Wire): Promise<Said> {
  const { kind, account, side, clientOrderId: newClientOrderId } = terms
  const price: Fields = kind === 'MARKET' ? {} : { price: decimal(terms.price) }
  const time: Fields = kind === 'LIMIT' ? { timeInForce: terms.timeInForce } : {}
  const common = { side, type: kind, quantity: decimal(terms.quantity), newClientOrderId, ...price, ...time }
  return send(
    wire,
    account,
    PLACE,
    { ...common, symbol: slashed(terms.symbol) },
    { ...common, symbol: terms.symbol },
  )
}

/** Expects both wires to show the order as it is in the model. */
async function expectOrder(order: ModelOrder): Promise<void> {
  const { account, symbol, clientOrderId, status, endReason } = order
  const asked = { origClientOrderId: clientOrderId }
  f.clock.time += 1
  const own = await f.send('GET', '/api/v3/order', asked, keysOf(account).own)
  const binance = await f.signed('GET', '/api/v3/order', { ...asked, symbol }, keysOf(account).binance)
  const { id, ...seen } = own.body.data
  expect(seen).toMatchObject({
    ...{ clientOrderId, symbol: slashed(symbol), side: order.side, status },
    quantity: decimal(order.quantity),
    executedQuantity: decimal(order.executed),
    executedTotal: decimal(order.total),
  })
  expect(seen.endReason).toBe(endReason)
  const expired = endReason === 'IOC' || endReason === 'MARKET_REMAINDER'
  expect(binance.body).toMatchObject({
    ...{ clientOrderId, symbol, side: order.side, type: order.kind },
    orderId: Number.parseInt(id.slice(-12), 16),
    status: expired ? 'EXPIRED' : status,
    price: padded(order.price),
    origQty: padded(order.quantity),
    executedQty: padded(order.executed),
    cummulativeQuoteQty: padded(order.total),
    isWorking: true,
  })
}

async function expectBalances(account: string): Promise<void> {
  f.clock.time += 1
  const own = await f.send('GET', '/api/v3/wallet/balance', {}, keysOf(account).own)
  const binance = await f.signed('GET', '/api/v3/account', {}, keysOf(account).binance)
  for (const asset of Object.keys(MONEY)) {
    const { free, locked } = model.balance(account, asset)
    const ours = own.body.data.acc.Spot.assetAccs.find((each: Message) => each.asset === asset)
    expect([account, asset, ours.free, ours.locked]).toEqual([account, asset, decimal(free), decimal(locked)])
    expect(binance.body.balances).toContainEqual({ asset, free: padded(free), locked: padded(locked) })
  }
}

/** Expects the model's fills from index `from` on, and no others. */
async function expectFills(account: string, from: number): Promise<void> {
  const fills = (model.fills.get(account) ?? []).slice(from)
  for (const symbol of Object.keys(SYMBOLS)) {
    const expected = fills.filter(({ order }) => order.symbol === symbol)
    const [first] = expected
    if (first === undefined) continue
    f.clock.time += 1
    const own = await f.send(
      'GET',
      '/api/v3/myTrades',
      { symbol: slashed(symbol), limit: 100 },
      keysOf(account).own,
    )
    const newest: Message[] = own.body.data.fills.slice(0, expected.length).toReversed()
    const asked = { symbol, fromId: first.number }
    const { body } = await f.signed('GET', '/api/v3/myTrades', asked, keysOf(account).binance)
    // In a trade with itself an account has both sides, in either order.
    const sorted = (rows: readonly string[]) => rows.toSorted()
    const text = ({ number, price, quantity, total, commission, ...fill }: ModelFill) =>
      [number, fill.order.side, price, quantity, total, commission, fill.commissionAsset, fill.isMaker].join(
        ' ',
      )
    const units = (value: string): bigint => {
      const [whole = '0', rest = ''] = value.split('.')
      return BigInt(whole) * UNIT + BigInt(rest.padEnd(8, '0'))
    }
    expect(
      sorted(
        newest.map(({ number, side, price, quantity, total, commission, commissionAsset, isMaker }) =>
          [
            number,
            side,
            units(price),
            units(quantity),
            units(total),
            units(commission),
            commissionAsset,
            isMaker,
          ].join(' '),
        ),
      ),
    ).toEqual(sorted(expected.map(text)))
    expect(
      sorted(
        body.map((row: Message) =>
          [
            ...[row.id, row.isBuyer ? 'BUY' : 'SELL', units(row.price), units(row.qty), units(row.quoteQty)],
            ...[units(row.commission), row.commissionAsset, row.isMaker],
          ].join(' '),
        ),
      ),
    ).toEqual(sorted(expected.map(text)))
  }
}

/** A refusal has the model's reason, and on Binance's wire its number and text. */
function expectSaid(wire: Wire, said: Said, outcome: Outcome): void {
  const refused = 'refused' in outcome ? outcome.refused : undefined
  expect([wire, said.reason]).toEqual([wire, refused])
  const [code, msg] = (refused === undefined ? undefined : ERRORS[refused]) ?? []
  if (wire === 'OWN' || code === undefined) return
  expect(said.code).toBe(code)
  if (msg !== undefined) expect(said.msg).toBe(msg)
}

async function expectSame(outcome: Outcome, fillsBefore: ReadonlyMap<string, number>): Promise<void> {
  if ('changed' in outcome) for (const order of outcome.changed) await expectOrder(order)
  for (const account of ACCOUNTS) {
    await expectBalances(account)
    await expectFills(account, fillsBefore.get(account) ?? 0)
  }
}

type Change = (
  wire: Wire,
  step: number,
) => Promise<{ readonly said: Said; readonly outcome: Outcome } | undefined>

const placeOne: Change = async (wire, step) => {
  const drawn = drawOrder(step)
  // Only Binance's wire can buy at the market by quantity.
  const by = drawn.kind === 'MARKET' && drawn.side === 'BUY' && wire === 'OWN' ? 'HTTP' : wire
  const said = await place(drawn, by)
  return { said, outcome: model.place(drawn) }
}

const placeAgain: Change = async (wire) => {
  const known = [...model.orders.values()]
  if (known.length === 0 || wire === 'OWN') return undefined
  const said = await place(oneOf(known), wire)
  return { said, outcome: { refused: 'DUPLICATE_CLIENT_ORDER_ID' } }
}

/** On Binance's wire, canceling an order that is not open has an error number of its own. */
function notOpen(wire: Wire, said: Said, code: number): Said {
  if (wire === 'OWN' || said.reason === undefined) return said
  expect(said.code).toBe(code)
  return { reason: said.reason }
}

async function ownId({ account, clientOrderId }: ModelOrder): Promise<string> {
  f.clock.time += 1
  const { body } = await f.send(
    'GET',
    '/api/v3/order',
    { origClientOrderId: clientOrderId },
    keysOf(account).own,
  )
  return body.data.id
}

const cancelOne: Change = async (wire) => {
  const all = [...model.orders.values()]
  const open = all.filter(isOpen)
  const order = random() < 0.2 || open.length === 0 ? all[draw(all.length)] : oneOf(open)
  if (order === undefined) return undefined
  const { account, symbol, clientOrderId } = order
  const id = await ownId(order)
  const byNumber = { symbol, orderId: String(Number.parseInt(id.slice(-12), 16)) }
  const binance = random() < 0.5 ? byNumber : { symbol, origClientOrderId: clientOrderId }
  const said = await send(wire, account, CANCEL, { id }, binance)
  const outcome = model.cancel(order)
  return { said: notOpen(wire, said, -2011), outcome }
}

const cancelAll: Change = async (wire) => {
  const account = oneOf(ACCOUNTS)
  const symbol = oneOf(Object.keys(SYMBOLS))
  const open = model.open(account, symbol)
  if (open.length === 0) return undefined
  const own = { scope: 'SYMBOL', symbol: slashed(symbol) }
  const said = await send(wire, account, CANCEL_ALL, own, { symbol })
  for (const order of open) model.cancel(order)
  return { said, outcome: { changed: new Set(open) } }
}

const amendOne: Change = async (wire) => {
  const open = [...model.orders.values()].filter(isOpen)
  if (open.length === 0) return undefined
  const order = oneOf(open)
  const spare = (order.quantity - order.executed) / 10_000n
  if (spare < 2n) return undefined
  const quantity = order.executed + BigInt(1 + draw(Number(spare) - 1)) * 10_000n
  const newQty = decimal(quantity)
  const { account, symbol, clientOrderId: origClientOrderId } = order
  const own = { orderId: await ownId(order), newQty }
  const said = await send(wire, account, AMEND, own, { symbol, origClientOrderId, newQty })
  return { said, outcome: model.amend(order, quantity) }
}

test('orders, fills and balances are the same on both wires as in a second exchange, whichever wire changed them', async () => {
  const refusals = new Map<string, number>()
  for (let step = 0; step < STEPS; step++) {
    const lot = random()
    const change =
      lot < 0.65
        ? placeOne
        : lot < 0.7
          ? placeAgain
          : lot < 0.88
            ? cancelOne
            : lot < 0.97
              ? amendOne
              : cancelAll
    const wire = oneOf(['OWN', 'HTTP', 'SOCKET'] as const)
    const before = new Map(ACCOUNTS.map((account) => [account, model.fills.get(account)?.length ?? 0]))
    try {
      const done = await change(wire, step)
      if (done === undefined) continue
      expectSaid(wire, done.said, done.outcome)
      await expectSame(done.outcome, before)
      if ('refused' in done.outcome)
        refusals.set(done.outcome.refused, (refusals.get(done.outcome.refused) ?? 0) + 1)
    } catch (cause) {
      throw new Error(`seed ${SEED}, step ${step}: ${change.name} over ${wire}`, { cause })
    }
  }
  expect([...refusals.keys()].toSorted()).toEqual([...Object.keys(ERRORS), 'UNKNOWN_ORDER'].toSorted())
  const fills = [...model.fills.values()].reduce((sum, each) => sum + each.length, 0)
  expect(fills).toBeGreaterThan(STEPS / 4)
})
