/**
 * C: a session over HTTP that calls each endpoint, with the body of each answer. Only the session moves the
 * clock.
 */
import {
  type Fields,
  type Fixture,
  openFixture,
  type Seen,
  type Trader,
} from '../../../src/server/public/gateway.fixture.ts'
import { sendStrictly } from '../../../src/server/public/strict.fixture.ts'
import { lots, price, rate, type TimeMs } from '../../../src/units/quantities.ts'
import { jsonText, type Recorded } from '../recorded-part.ts'

const OPERATOR = { actor: 'corpus', note: '' }
/** Members of bodies that are texts for people. */
const TEXTS = ['msg']
const BUY = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '60000' }
const SELL = { ...BUY, side: 'SELL' }

class HttpSession {
  readonly recorded: Recorded[] = []
  readonly #f: Fixture

  constructor(fixture: Fixture) {
    this.#f = fixture
  }

  /**
   * Sends a request, and records the answer; ids of orders are those of the session, the same in every run.
   */
  async ask(who: Trader | undefined, endpoint: string, fields: Fields = {}, headers: Fields = {}) {
    const [method = '', path = ''] = endpoint.split(' ')
    return this.#record(endpoint, fields, await this.#f.send(method, `/api/v3${path}`, fields, who, headers))
  }

  /** Like `ask`, with the strict signature. */
  async askStrictly(who: Trader, endpoint: string, fields: Fields = {}) {
    const [method = '', path = ''] = endpoint.split(' ')
    return this.#record(endpoint, fields, await sendStrictly(this.#f, method, `/api/v3${path}`, fields, who))
  }

  // biome-ignore lint/suspicious/noExplicitAny: what was answered is looked at as it is
  #record(endpoint: string, fields: Fields, { status, headers, body, text }: Seen): any {
    const asked = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, `${value}`]))
    const type = headers.get('content-type')
    const shown = body === undefined ? text.trimEnd().replaceAll('\r', '\\r') : jsonText(text, TEXTS)
    const kind = `${endpoint} ${decodeURIComponent(asked.toString())}`.trimEnd()
    this.recorded.push({ kind, text: `${status} ${type}\n${shown}` })
    return body
  }
}

export async function httpSession(): Promise<readonly Recorded[]> {
  const f = await openFixture()
  try {
    // After the time in which a node that has just started has no record of nonces.
    f.clock.time += 5_000
    const session = new HttpSession(f)
    await askPublic(session)
    await trade(session, f)
    await change(session, f)
    await askLists(session, f)
    await readAccount(session, f)
    await withdraw(session, f)
    await refuse(session, f)
    await changeAgain(session, f)
    return session.recorded
  } finally {
    await f.stop()
  }
}

async function askPublic(session: HttpSession): Promise<void> {
  await session.ask(undefined, 'GET /ping')
  await session.ask(undefined, 'GET /time')
  await session.ask(undefined, 'GET /exchangeInfo')
  await session.ask(undefined, 'GET /exchangeInfo/rules')
}

/**
 * Orders of every type: they rest, match, end at once, wait for a price, or hide a part of their quantity.
 */
async function trade(session: HttpSession, { alice, bob, clock }: Fixture): Promise<void> {
  const place = (who: Trader, fields: Fields) => session.ask(who, 'POST /order', fields)
  await place(alice, { ...SELL, newClientOrderId: 'rests', newOrderRespType: 'FULL' })
  await place(alice, { ...SELL, price: '60001.5', selfTradePreventionMode: 'EXPIRE_TAKER' })
  clock.time += 1
  await place(bob, { ...BUY, quantity: '0.2', newOrderRespType: 'FULL' })
  await place(bob, { ...BUY, quantity: '0.4', price: '60002', newOrderRespType: 'RESULT' })
  await place(bob, { ...BUY, price: '59000', newOrderRespType: 'ACK' })
  await place(bob, { ...BUY, price: '59000' })
  await place(bob, { symbol: BUY.symbol, side: 'BUY', type: 'MARKET', total: '600' })
  await place(alice, {
    symbol: BUY.symbol,
    side: 'SELL',
    type: 'MARKET',
    quantity: '0.01',
    newOrderRespType: 'FULL',
  })
  await place(bob, { ...BUY, timeInForce: 'IOC', quantity: '5', newOrderRespType: 'FULL' })
  await place(bob, { ...BUY, timeInForce: 'FOK', quantity: '50' })
  await place(bob, { ...BUY, type: 'LIMIT_MAKER', price: '58000' })
  await place(bob, { ...BUY, type: 'LIMIT_MAKER', price: '70000' })
  await place(bob, { ...BUY, price: '57000', timeInForce: 'GTD', expireTime: clock.time + 86_400_000 })
  await place(bob, { ...BUY, price: '57001', icebergQty: '0.1' })
  const stop = { symbol: BUY.symbol, side: 'SELL', quantity: '0.1' }
  await place(alice, { ...stop, type: 'STOP_LOSS', stopPrice: '50000' })
  await place(alice, { ...stop, type: 'STOP_LOSS_LIMIT', stopPrice: '50001', price: '49000' })
  await place(alice, { ...stop, type: 'TAKE_PROFIT', stopPrice: '90000' })
  await place(alice, { ...stop, type: 'TAKE_PROFIT_LIMIT', stopPrice: '90001', price: '89000' })
  clock.time += 60_000
  for (const path of ['depth', 'trades', 'ticker/24hr', 'ticker/price', 'ticker/bookTicker']) {
    await session.ask(alice, `GET /${path}`, { symbol: BUY.symbol })
  }
  await session.ask(alice, 'GET /ticker/24hr')
  await session.ask(alice, 'GET /ticker/price')
  await session.ask(alice, 'GET /ticker/bookTicker')
  await session.ask(undefined, 'GET /klines', { symbol: BUY.symbol, interval: '1m' })
  await session.ask(undefined, 'GET /historicalTrades', { symbol: BUY.symbol, fromId: '1', limit: '2' })
  await session.ask(undefined, 'GET /aggTrades', { symbol: BUY.symbol, fromId: '1', limit: '2' })
}

/**
 * Orders are tested, amended, replaced, placed and canceled together, and canceled one by one, by symbol
 * and by a countdown.
 */
async function change(session: HttpSession, { alice, bob, clock }: Fixture): Promise<void> {
  const { data } = await session.ask(alice, 'POST /order', {
    ...SELL,
    price: '61000',
    newClientOrderId: 'changes',
  })
  await session.ask(alice, 'POST /order/test', { ...SELL, test: 'true' })
  await session.ask(bob, 'POST /order/test', { ...BUY, price: '61000', test: 'true' })
  await session.ask(alice, 'GET /order', { orderId: data.id })
  await session.ask(alice, 'GET /order', { origClientOrderId: 'changes' })
  await session.ask(alice, 'PUT /order/amend/keepPriority', { orderId: data.id, newQty: '0.4' })
  const replace = { ...SELL, price: '62000', cancelReplaceMode: 'STOP_ON_FAILURE' }
  await session.ask(alice, 'POST /order/cancelReplace', { ...replace, cancelOrigClientOrderId: 'changes' })
  await session.ask(alice, 'POST /order/cancelReplace', {
    ...replace,
    cancelOrigClientOrderId: 'nothing has it',
  })
  const partly = { ...replace, cancelReplaceMode: 'ALLOW_FAILURE', cancelOrigClientOrderId: 'nothing has it' }
  await session.ask(alice, 'POST /order/cancelReplace', partly)
  const operations = [
    { method: 'POST', ...BUY, price: '40000', newClientOrderId: 'in a batch' },
    { method: 'DELETE', cancelOrigClientOrderId: 'in a batch' },
    { method: 'DELETE', id: data.id },
  ]
  await session.ask(bob, 'POST /order/batch', { operations: JSON.stringify(operations) })
  await session.ask(bob, 'POST /order', { ...BUY, price: '39000', newClientOrderId: 'goes' })
  await session.ask(bob, 'DELETE /order', { cancelOrigClientOrderId: 'goes' })
  await session.ask(bob, 'GET /order', { origClientOrderId: 'goes' })
  await session.ask(bob, 'GET /order/active', { symbol: BUY.symbol })
  await session.ask(alice, 'GET /openOrders')
  await session.ask(bob, 'GET /openOrders', { symbol: BUY.symbol })
  await session.ask(bob, 'POST /countdownCancelAll', {
    countdownTime: '60000',
    symbol: BUY.symbol,
    keepStops: 'true',
  })
  await session.ask(bob, 'POST /countdownCancelAll', { countdownTime: '0', symbol: BUY.symbol })
  clock.time += 1
  await session.ask(bob, 'DELETE /openOrders', { scope: 'SYMBOL', symbol: BUY.symbol })
  await session.ask(bob, 'DELETE /openOrders', { scope: 'ACCOUNT' })
}

async function askLists(session: HttpSession, { alice, bob }: Fixture): Promise<void> {
  const oco = {
    ...{ symbol: BUY.symbol, side: 'SELL', quantity: '0.1', listClientOrderId: 'either' },
    ...{ aboveType: 'LIMIT_MAKER', abovePrice: '900000', belowType: 'STOP_LOSS_LIMIT' },
    ...{ belowStopPrice: '1100', belowPrice: '1000' },
  }
  await session.ask(alice, 'POST /orderList/oco', oco)
  const working = { symbol: BUY.symbol, workingType: 'LIMIT', workingSide: 'BUY', workingQuantity: '0.1' }
  const oto = {
    ...working,
    workingPrice: '100',
    pendingType: 'LIMIT',
    pendingSide: 'SELL',
    pendingPrice: '70000',
  }
  const made = await session.ask(bob, 'POST /orderList/oto', oto)
  await session.ask(bob, 'POST /orderList/otoco', {
    ...{ ...working, workingPrice: '101', pendingSide: 'SELL' },
    ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: '900000' },
    ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: '1100' },
  })
  await session.ask(alice, 'GET /orderList', { listClientOrderId: 'either' })
  await session.ask(bob, 'GET /orderList', { listId: made?.listId ?? made?.data?.listId ?? 'none' })
  await session.ask(alice, 'DELETE /orderList', { cancelListClientOrderId: 'either' })
  await session.ask(alice, 'GET /orderList', { listClientOrderId: 'either' })
}

async function readAccount(session: HttpSession, { alice, bob }: Fixture): Promise<void> {
  await session.ask(alice, 'GET /allOrders', { limit: 3 })
  await session.ask(bob, 'GET /allOrders', { symbol: BUY.symbol })
  await session.ask(bob, 'GET /myTrades')
  await session.ask(alice, 'GET /myTrades', { limit: 1 })
  await session.ask(bob, 'GET /order/trade/history', { page: 0, size: 2 })
  await session.ask(bob, 'GET /account/ledger', { limit: 4 })
  await session.ask(bob, 'GET /account/ledger', { limit: 4, format: 'csv' })
  await session.ask(bob, 'GET /account/commission', { symbol: BUY.symbol })
  await session.ask(bob, 'GET /account/limits', { symbol: BUY.symbol })
  await session.ask(bob, 'GET /account/positions', {})
  await session.ask(bob, 'GET /wallet/balance')
  await session.ask(bob, 'GET /wallet/balance', { code: 'BTC' })
  await session.ask(bob, 'POST /signature/check', { symbol: BUY.symbol })
  await session.ask(bob, 'POST /signature/check', { symbol: BUY.symbol }, { 'X-Signature': 'ab'.repeat(32) })
}

/** Withdrawals that wait, are retracted and are paid, and their addresses. */
async function withdraw(session: HttpSession, f: Fixture): Promise<void> {
  const { accountId } = f.alice
  const owner = await f.createKey(accountId, { permissions: ['WITHDRAW', 'WALLET'] })
  const place = {
    asset: 'BTC',
    address: 'bc1qalice',
    tag: '7',
    isAllowed: true,
    label: 'vault',
    isAtOnce: true,
  }
  await f.submit({ kind: 'SetAccountAddress', operator: OPERATOR, accountId, ...place })
  const ask = { coin: 'BTC', amount: '0.1', address: 'bc1qalice', addressTag: '7' }
  const strictly = (endpoint: string, fields: Fields) => session.askStrictly(owner, endpoint, fields)
  await strictly('POST /capital/withdraw/apply', { ...ask, withdrawOrderId: 'w-1' })
  await strictly('POST /capital/withdraw/apply', { ...ask, withdrawOrderId: 'w-1' })
  const paid = await strictly('POST /capital/withdraw/apply', { ...ask, withdrawOrderId: 'w-2' })
  await strictly('DELETE /capital/withdraw/apply', { cancelWithdrawOrderId: 'w-1' })
  const handled = { operator: OPERATOR, reference: paid.data?.id ?? paid.id }
  await f.submit({ kind: 'HandleWithdrawal', ...handled, step: 'CLAIM', reason: '' })
  await f.submit({ kind: 'CompleteWithdrawal', ...handled })
  await strictly('POST /capital/withdraw/address', { coin: 'BTC', newAddress: 'bc1qother', label: 'other' })
  await session.ask(owner, 'GET /capital/withdraw/address/list')
  await strictly('DELETE /capital/withdraw/address', { coin: 'BTC', removeAddress: 'bc1qother' })
  await session.ask(owner, 'GET /capital/withdraw/history')
  await session.ask(owner, 'GET /capital/deposit/hisrec', { limit: 2 })
}

/**
 * A refusal names the parameter, the nearest value that would be accepted, or neither; terms of a symbol are
 * shown if there are any.
 */
async function refuse(session: HttpSession, f: Fixture): Promise<void> {
  const place = (fields: Fields) => session.ask(f.alice, 'POST /order', fields)
  await place({ ...BUY, side: 'buy' })
  await place({ ...BUY, timeInForce: 'GTD', expireTime: '1000' })
  await place({ ...BUY, quantity: '1000000000', price: '1000000000' })
  await session.ask(f.alice, 'DELETE /order', { id: '00000000-0000-4000-8000-000000000000' })
  await session.ask(undefined, 'GET /depth', { symbol: 'NO/NE' })
  await session.ask(f.alice, 'GET /nothing')
  const symbol = { operator: OPERATOR, symbol: 'ETH/BTC' }
  await f.submit({ kind: 'SetSymbolIncrements', ...symbol, tickSize: price(5), stepSize: lots(10) })
  await f.submit({ kind: 'SetSymbolRates', ...symbol, makerRate: rate(0), takerRate: rate(250_000) })
  await f.submit({ kind: 'SetSymbolState', ...symbol, state: 'HALTED' })
  const steps = [{ phase: 'CANCEL_ONLY', at: (f.clock.time + 3_600_000) as TimeMs }] as const
  await f.submit({ kind: 'PlanPhases', operator: OPERATOR, steps })
  await session.ask(undefined, 'GET /exchangeInfo/rules', { symbol: 'ETH/BTC' })
  await session.ask(undefined, 'GET /exchangeInfo/rules')
  await place({ ...BUY, symbol: 'ETH/BTC', price: '0.05' })
}

/** A replacement of an order that does not exist, and a partly successful batch. */
async function changeAgain(session: HttpSession, { alice, bob }: Fixture): Promise<void> {
  const replace = { ...SELL, price: '62000', cancelOrigClientOrderId: 'nothing-has-it' }
  for (const cancelReplaceMode of ['STOP_ON_FAILURE', 'ALLOW_FAILURE'])
    await session.ask(alice, 'POST /order/cancelReplace', { ...replace, cancelReplaceMode })
  const operations = [
    { method: 'POST', ...BUY, price: '40000', newClientOrderId: 'in-a-batch' },
    { method: 'DELETE', cancelOrigClientOrderId: 'in-a-batch' },
    { method: 'DELETE', cancelOrigClientOrderId: 'nothing-has-it' },
  ]
  await session.ask(bob, 'POST /order/batch', { operations: JSON.stringify(operations) })
}
