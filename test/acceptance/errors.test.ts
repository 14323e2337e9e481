/**
 * Every refusal that can be provoked from outside: HTTP status, code and reason, the same in every language.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Answer, Client, Fields, RawRequest } from './support/client.ts'
import { form } from './support/client.ts'
import { type NodeProcess, startSandbox } from './support/node-process.ts'
import { rawExchange } from './support/raw-http.ts'
import { failure } from './support/shapes.ts'

/** A busy machine is slow. */
setDefaultTimeout(300_000)

type Refusal = readonly [status: number, code: '4001' | '4004' | '0014', reason: string]
type Key = { readonly apiKey: string; readonly secret: string }

const ORDER = '/api/v3/order'
const BALANCE = '/api/v3/wallet/balance'
const HISTORY = '/api/v3/order/trade/history'
const NO_ORDER = '01a0c450-7063-7100-8000-ffffffffffff'
const LIMIT: Fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '100' }
const MARKET: Fields = { symbol: 'BTC/USDT', side: 'BUY', type: 'MARKET', total: '100' }

let node: NodeProcess
let alice: Client
const clients: Record<'disabled' | 'elsewhere' | 'readOnly' | 'tradeOnly', Client> = {} as never

beforeAll(async () => {
  node = await startSandbox({ http: { bodyTimeoutMs: 1_000 } })
  alice = node.alice
  const key = async (...words: string[]) =>
    node.client((await node.admin('key', 'add', 'alice', ...words)) as Key)
  clients.disabled = await key()
  clients.elsewhere = await key('--addresses', '10.0.0.0/8,2001:db8::/32')
  clients.readOnly = await key('--permissions', 'USER_DATA,WALLET')
  clients.tradeOnly = await key('--permissions', 'TRADE')
  await node.admin('key', 'disable', clients.disabled.apiKey)
  await node.admin('symbol', 'halt', 'ETH/BTC')
  await node.admin('asset', 'set', 'TRY', '--trade', 'off')
  const tight = ['--base-fraction', '2', '--quote-fraction', '2', '--taker-rate', '0', '--maker-rate', '0']
  const minima = ['--min-total', '5', '--min-quantity', '0.1', '--open-orders-max', '1', '--levels-max', '2']
  await node.admin('symbol', 'add', 'ETH/TRY', ...tight)
  await node.admin('asset', 'add', 'XYZ', '--fraction', '2', '--name', 'Xyz')
  await node.admin('symbol', 'add', 'XYZ/USDT', ...tight, ...minima)
  await node.admin('credit', 'alice', 'XYZ', '1000', '--reference', 'xyz')
})
afterAll(() => node.stop())

/** Checks that the answer is exactly this refusal, in English and in Turkish. */
async function refused(
  [status, code, reason]: Refusal,
  send: (headers: Record<string, string>) => Promise<Answer>,
) {
  const english = await send({})
  const turkish = await send({ 'Accept-Language': 'tr-TR,tr;q=0.9' })
  for (const answer of [english, turkish]) {
    expect([answer.status, answer.body]).toEqual([status, failure(code, reason)])
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.body.msg[0]).not.toMatch(/[{}]|undefined|\[object/)
  }
  expect(english.body.msg[0]).not.toBe(turkish.body.msg[0])
  expect(english.headers.get('content-language')).toBe('en')
  expect(turkish.headers.get('content-language')).toBe('tr')
}

function refuses(name: string, refusal: Refusal, send: (headers: Record<string, string>) => Promise<Answer>) {
  test(`${name} is refused with ${refusal.join(' ')}`, () => refused(refusal, send))
}

const asked = (method: string, path: string, fields: Fields, who = () => alice) => {
  return (headers: Record<string, string>) => who().request(method, path, fields, { headers })
}
const ordered = (fields: Fields) => asked('POST', ORDER, fields)
const sent = (request: RawRequest, who = () => alice) => {
  return (headers: Record<string, string>) =>
    who().raw({ ...request, headers: { ...request.headers, ...headers } })
}
const later = (name: keyof typeof clients) => () => clients[name]

describe('key, signature and time', () => {
  refuses(
    'no key',
    [401, '4001', 'MISSING_API_KEY'],
    asked('GET', BALANCE, {}, () => node.client()),
  )
  refuses(
    'an empty key',
    [401, '4001', 'MISSING_API_KEY'],
    sent({ method: 'GET', path: BALANCE, headers: { 'X-Apikey': '' } }, () => node.client()),
  )
  const unknown = () => node.client({ apiKey: 'f'.repeat(64), secret: 'x' })
  for (const path of ['/api/v3/depth', '/api/v3/trades', BALANCE, HISTORY]) {
    refuses(`an unknown key at ${path}`, [401, '4001', 'INVALID_API_KEY'], asked('GET', path, {}, unknown))
  }
  refuses('a disabled key', [401, '4001', 'KEY_DISABLED'], asked('GET', BALANCE, {}, later('disabled')))
  refuses(
    'a key from elsewhere',
    [401, '4001', 'ADDRESS_NOT_ALLOWED'],
    asked('GET', BALANCE, {}, later('elsewhere')),
  )
  for (const [method, path, fields] of [
    ['POST', ORDER, LIMIT],
    ['DELETE', ORDER, { id: NO_ORDER }],
    ['GET', '/api/v3/order/active', {}],
    ['GET', HISTORY, {}],
  ] as const) {
    refuses(
      `a key without TRADE at ${method} ${path}`,
      [401, '4001', 'PERMISSION_DENIED'],
      asked(method, path, fields, later('readOnly')),
    )
  }
  for (const path of ['/api/v3/depth', '/api/v3/trades', BALANCE]) {
    refuses(
      `a key for TRADE alone at ${path}`,
      [401, '4001', 'PERMISSION_DENIED'],
      asked('GET', path, {}, later('tradeOnly')),
    )
  }
  for (const name of ['disabled', 'elsewhere', 'readOnly'] as const) {
    const impostor = () => node.client({ apiKey: clients[name].apiKey, secret: 'guessed' })
    refuses(
      `a key that is ${name}, without its secret`,
      [401, '4001', 'INVALID_API_KEY'],
      asked('GET', '/api/v3/order/active', {}, impostor),
    )
  }
  test('a key of one permission may do what it allows', async () => {
    expect(await clients.readOnly.depth('BTC/USDT')).toBeObject()
    expect(await clients.readOnly.balances()).toHaveProperty('BTC')
    expect(await clients.tradeOnly.active()).toBeArray()
  })

  const query = () => form({ timestamp: Date.now(), recvWindow: 60_000 })
  const signed = (change: (signature: string) => string) => (headers: Record<string, string>) => {
    const text = query()
    const signature = { 'X-Signature': change(alice.signature(text)) }
    return alice.raw({ method: 'GET', path: BALANCE, query: text, headers: { ...headers, ...signature } })
  }
  refuses('no signature', [401, '4001', 'MISSING_SIGNATURE'], (headers) =>
    alice.raw({ method: 'GET', path: BALANCE, query: query(), isSigned: false, headers }),
  )
  const wrong: Record<string, (signature: string) => string> = {
    'with a digit changed': (signature) => (signature[0] === '0' ? '1' : '0') + signature.slice(1),
    'cut short': (signature) => signature.slice(0, 62),
    'with more behind it': (signature) => `${signature}00`,
    'that is none': () => 'signature',
    'in base64url': (signature) => `${Buffer.from(signature, 'hex').toString('base64url')}`,
  }
  for (const [name, change] of Object.entries(wrong)) {
    refuses(`a signature ${name}`, [401, '4001', 'INVALID_SIGNATURE'], signed(change))
  }
  refuses('a signature over other parameters', [401, '4001', 'INVALID_SIGNATURE'], (headers) => {
    const honest = form({ ...LIMIT, timestamp: Date.now(), recvWindow: 60_000 })
    const signature = { 'X-Signature': alice.signature('', honest) }
    const body = honest.replace('price=100', 'price=101')
    return alice.raw({ method: 'POST', path: ORDER, body, headers: { ...headers, ...signature } })
  })

  for (const ahead of [20_000, 60_000]) {
    refuses(`a time ${ahead} ms ahead`, [401, '4001', 'TIMESTAMP_AHEAD'], (headers) =>
      alice.request('GET', BALANCE, { timestamp: Date.now() + ahead }, { headers }),
    )
  }
  refuses('a time 5.1 s behind', [401, '4001', 'TIMESTAMP_EXPIRED'], (headers) =>
    alice.request('GET', BALANCE, { timestamp: Date.now() - 5100 }, { headers }),
  )
  refuses('a time beyond a short recvWindow', [401, '4001', 'TIMESTAMP_EXPIRED'], (headers) =>
    alice.request('POST', ORDER, { ...LIMIT, timestamp: Date.now() - 500, recvWindow: 100 }, { headers }),
  )
  for (const timestamp of ['', 'now', '-1', '1.5', '1e12', ' 1', '0x10', '99999999999999999999']) {
    refuses(
      `timestamp ${JSON.stringify(timestamp)}`,
      [400, '4001', 'INVALID_PARAMETER'],
      asked('GET', BALANCE, { timestamp }),
    )
  }
  for (const recvWindow of ['60001', '-1', '1.5', 'x', '']) {
    refuses(
      `recvWindow ${JSON.stringify(recvWindow)}`,
      [400, '4001', 'INVALID_PARAMETER'],
      asked('GET', BALANCE, { recvWindow }),
    )
  }
  for (const [method, path] of [
    ['GET', '/api/v3/depth'],
    ['GET', '/api/v3/trades'],
    ['POST', ORDER],
    ['DELETE', ORDER],
    ['GET', '/api/v3/order/active'],
    ['GET', HISTORY],
    ['GET', BALANCE],
  ] as const) {
    refuses(
      `no timestamp at ${method} ${path}`,
      [400, '4001', 'MISSING_PARAMETER'],
      sent({ method, path, query: 'symbol=BTC/USDT' }),
    )
  }
})

describe('form', () => {
  for (const path of [
    '/api/v3/nothing',
    '/api/v3',
    '/api/v4/order',
    '/api/v3/order/',
    '/api/V3/order',
    '/elsewhere',
  ]) {
    refuses(`nothing at ${path}`, [404, '4001', 'NOT_FOUND'], asked('GET', path, {}))
  }
  for (const [method, path] of [
    ['PUT', ORDER],
    ['PATCH', ORDER],
    ['POST', '/api/v3/depth'],
    ['DELETE', '/api/v3/exchangeInfo'],
    ['POST', BALANCE],
  ] as const) {
    refuses(`${method} ${path}`, [405, '4001', 'METHOD_NOT_ALLOWED'], asked(method, path, {}))
  }
  refuses(
    'a body of 100 KB',
    [413, '4001', 'BODY_TOO_LARGE'],
    sent({ method: 'POST', path: ORDER, body: 'a'.repeat(100_000) }),
  )
  refuses(
    'headers of 13 KB',
    [431, '4001', 'HEADERS_TOO_LARGE'],
    sent({ method: 'GET', path: BALANCE, headers: { 'X-Long': 'a'.repeat(13_000) } }),
  )
  refuses('a body that does not arrive', [408, '4004', 'BODY_TIMEOUT'], (headers) =>
    rawExchange(node.url, {
      method: 'POST',
      path: ORDER,
      headers: { ...headers, 'X-Apikey': alice.apiKey, 'X-Signature': 'x', 'Content-Length': '10' },
      body: 'abc',
    }),
  )
  const typed = (type: string, body: string) =>
    sent({ method: 'POST', path: ORDER, body, headers: { 'Content-Type': type } })
  refuses('JSON', [400, '4004', 'UNSUPPORTED_CONTENT_TYPE'], typed('application/json', JSON.stringify(LIMIT)))
  refuses(
    'multipart',
    [400, '4004', 'UNSUPPORTED_CONTENT_TYPE'],
    typed('multipart/form-data; boundary=x', '--x--'),
  )
  for (const body of ['symbol=%zz', 'symbol=%', 'symbol=%f', 'symbol=%ff', 'a=%C3%28', 'a=%ED%A0%80']) {
    refuses(`body ${body}`, [400, '4004', 'UNREADABLE_BODY'], sent({ method: 'POST', path: ORDER, body }))
  }
  refuses(
    'a body that is no UTF-8',
    [400, '4004', 'UNREADABLE_BODY'],
    sent({ method: 'POST', path: ORDER, body: new Uint8Array([0x61, 0x3d, 0xff, 0xfe]) }),
  )
  refuses(
    'a broken query',
    [400, '4001', 'UNREADABLE_QUERY'],
    sent({ method: 'GET', path: BALANCE, query: 'a=%zz' }),
  )
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`p${at}`, at]))
  refuses('70 parameters', [400, '4001', 'TOO_MANY_PARAMETERS'], asked('GET', BALANCE, many))
  refuses('a parameter twice', [400, '4001', 'DUPLICATE_PARAMETER'], (headers) => {
    const query = `symbol=BTC/USDT&timestamp=${Date.now()}&recvWindow=60000&symbol=ETH/USDT`
    return alice.raw({ method: 'GET', path: '/api/v3/order/active', query, headers })
  })
  refuses('a parameter in query and body', [400, '4001', 'DUPLICATE_PARAMETER'], (headers) => {
    const body = form({ ...LIMIT, timestamp: Date.now(), recvWindow: 60_000 })
    return alice.raw({ method: 'POST', path: ORDER, query: 'price=100&', body, headers })
  })
  for (const path of ['/api/v3/depth', '/api/v3/trades']) {
    refuses(`${path} without a symbol`, [400, '4001', 'MISSING_PARAMETER'], asked('GET', path, {}))
  }
  refuses('a cancel without an id', [400, '4001', 'MISSING_PARAMETER'], asked('DELETE', ORDER, {}))
  const invalid: readonly (readonly [string, string, Fields])[] = [
    ['DELETE', ORDER, { id: '17' }],
    ['DELETE', ORDER, { id: NO_ORDER.replaceAll('-', '') }],
    ['GET', '/api/v3/depth', { symbol: 'BTC/USDT', limit: 0 }],
    ['GET', '/api/v3/depth', { symbol: 'BTC/USDT', limit: 5001 }],
    ['GET', '/api/v3/trades', { symbol: 'BTC/USDT', limit: 1001 }],
    ['GET', HISTORY, { size: 0 }],
    ['GET', HISTORY, { size: 1001 }],
    ['GET', HISTORY, { size: '1.5' }],
    ['GET', HISTORY, { page: -1 }],
    ['GET', HISTORY, { page: 'one' }],
    ['GET', HISTORY, { before: 'yesterday' }],
    ['POST', ORDER, { ...LIMIT, side: 'buy' }],
    ['POST', ORDER, { ...LIMIT, side: '' }],
    ['POST', ORDER, { ...LIMIT, type: 'limit' }],
    ['POST', ORDER, { ...LIMIT, timeInForce: 'SOON' }],
    ['POST', ORDER, { ...LIMIT, selfTradePreventionMode: 'SOMETIMES' }],
    ['POST', ORDER, { ...MARKET, timeInForce: 'GTC' }],
    ...[
      '',
      '0',
      '0.000',
      '-1',
      '+1',
      '1e3',
      ' 1',
      '1 ',
      '1,5',
      '.5',
      '5.',
      'NaN',
      'Infinity',
      '0x1',
      '١',
    ].flatMap((value) => [
      ['POST', ORDER, { ...LIMIT, quantity: value }] as const,
      ['POST', ORDER, { ...LIMIT, price: value }] as const,
      ['POST', ORDER, { ...MARKET, total: value }] as const,
    ]),
  ]
  test.each(invalid)('%s %s %j: 400 4001 INVALID_PARAMETER, which is named', async (method, path, fields) => {
    await refused([400, '4001', 'INVALID_PARAMETER'], asked(method, path, fields))
  })
  const tooFine: readonly Fields[] = [
    { ...LIMIT, quantity: '0.000000001' },
    { ...LIMIT, price: '100.001' },
    { ...LIMIT, symbol: 'ETH/USDT', quantity: '0.0000001' },
    { ...MARKET, total: '0.000000001' },
  ]
  for (const fields of tooFine) {
    refuses(form(fields), [400, '4001', 'TOO_MANY_DECIMALS'], ordered(fields))
  }
  const tooLarge: readonly Fields[] = [
    { ...LIMIT, quantity: '90071992.54740992' },
    { ...LIMIT, price: '90071992547409.92' },
    { ...LIMIT, quantity: '1'.repeat(100) },
    { ...MARKET, total: '9'.repeat(60) },
  ]
  for (const fields of tooLarge) {
    refuses(form(fields).slice(0, 100), [400, '4001', 'VALUE_TOO_LARGE'], ordered(fields))
  }
  for (const name of ['strategyId', 'STRATEGYID', 'quoteOrderQty', 'pegPriceType']) {
    refuses(name, [400, '4001', 'UNSUPPORTED_PARAMETER'], ordered({ ...LIMIT, [name]: '1' }))
  }
  for (const fields of [{ type: 'STOP_LIMIT' }, { type: 'OCO' }, { timeInForce: 'RPI' }] as Fields[]) {
    refuses(form(fields), [400, '4001', 'UNSUPPORTED_VALUE'], ordered({ ...LIMIT, ...fields }))
  }
  for (const name of ['Price', 'timeinforce', 'QUANTITY', 'recvwindow']) {
    refuses(name, [400, '4001', 'MISSPELLED_PARAMETER'], ordered({ ...LIMIT, [name]: '1' }))
  }
  refuses(
    'LIMIT_MAKER with a time in force',
    [400, '4001', 'PARAMETER_NOT_TAKEN'],
    ordered({ ...LIMIT, type: 'LIMIT_MAKER', timeInForce: 'GTC' }),
  )
  refuses('MARKET with a price', [400, '4001', 'PRICE_NOT_ALLOWED'], ordered({ ...MARKET, price: '100' }))
})

describe('rules of the exchange', () => {
  for (const symbol of ['BTCUSDT', 'btc/usdt', 'USDT/BTC', '', '/', 'BTC/USDT ', '__proto__']) {
    const name = JSON.stringify(symbol)
    refuses(`order in ${name}`, [400, '4001', 'UNKNOWN_SYMBOL'], ordered({ ...LIMIT, symbol }))
    for (const path of ['/api/v3/depth', '/api/v3/trades', '/api/v3/order/active', HISTORY]) {
      refuses(`${path} of ${name}`, [400, '4001', 'UNKNOWN_SYMBOL'], asked('GET', path, { symbol }))
    }
  }
  for (const code of ['btc', 'DOGE', '', 'constructor']) {
    refuses(
      `balance of ${JSON.stringify(code)}`,
      [400, '4001', 'UNKNOWN_ASSET'],
      asked('GET', BALANCE, { code }),
    )
  }
  refuses(
    'an order that nobody has',
    [400, '4001', 'UNKNOWN_ORDER'],
    asked('DELETE', ORDER, { id: NO_ORDER }),
  )
  test('an order of another account and one that is done are unknown as well', async () => {
    const placed = await node.bob.place({ ...LIMIT, price: '50' })
    const unknown: Refusal = [400, '4001', 'UNKNOWN_ORDER']
    await refused(unknown, asked('DELETE', ORDER, { id: placed.id }))
    await node.bob.cancel(placed.id)
    await refused(
      unknown,
      asked('DELETE', ORDER, { id: placed.id }, () => node.bob),
    )
  })
  refuses(
    'a halted symbol',
    [503, '0014', 'SYMBOL_HALTED'],
    ordered({ ...LIMIT, symbol: 'ETH/BTC', price: '0.03' }),
  )
  refuses(
    'an asset closed to trading',
    [400, '4001', 'ASSET_NOT_TRADABLE'],
    ordered({ ...LIMIT, symbol: 'ETH/TRY' }),
  )
  const poor: readonly Fields[] = [
    { ...LIMIT, price: '50000001' },
    { ...LIMIT, side: 'SELL', quantity: '100.00000001' },
    { ...MARKET, total: '5000000.00000001' },
    { symbol: 'BTC/USDT', side: 'SELL', type: 'MARKET', quantity: '100.00000001' },
  ]
  for (const fields of poor) refuses(form(fields), [400, '4001', 'INSUFFICIENT_FUNDS'], ordered(fields))
  const XYZ: Fields = { ...LIMIT, symbol: 'XYZ/USDT', quantity: '1', price: '10' }
  refuses(
    'too small a quantity',
    [400, '4001', 'QUANTITY_TOO_SMALL'],
    ordered({ ...XYZ, quantity: '0.09', price: '100' }),
  )
  refuses('too small a total', [400, '4001', 'TOTAL_TOO_SMALL'], ordered({ ...XYZ, price: '4.99' }))
  refuses(
    'less than a unit',
    [400, '4001', 'TOTAL_TOO_SMALL'],
    ordered({ ...LIMIT, quantity: '0.00000001', price: '0.01' }),
  )
  for (const total of ['10.00000001', '9.99999999', '1']) {
    refuses(`0.1 x 100 as ${total}`, [400, '4001', 'TOTAL_MISMATCH'], ordered({ ...LIMIT, total }))
  }
  refuses('MARKET in an empty book', [400, '4001', 'NO_LIQUIDITY'], ordered(MARKET))
  test('a MARKET total below the smallest trade, a self-trade prevented, too many orders and prices', async () => {
    const ask = await alice.place({ ...LIMIT, side: 'SELL', price: '2000000' })
    await refused([400, '4001', 'TOTAL_BELOW_BEST_PRICE'], ordered({ ...MARKET, total: '0.01999999' }))
    const prevented = { ...MARKET, selfTradePreventionMode: 'EXPIRE_TAKER' }
    await refused([400, '4001', 'SELF_TRADE_PREVENTED'], ordered(prevented))
    await alice.cancel(ask.id)
    const first = await alice.place(XYZ)
    await refused([400, '4001', 'TOO_MANY_OPEN_ORDERS'], ordered(XYZ))
    await node.bob.place({ ...XYZ, price: '11' })
    await alice.cancel(first.id)
    const second = await alice.place({ ...XYZ, side: 'SELL', price: '20' })
    await alice.cancel(second.id)
    await node.admin('account', 'add', 'dave')
    await node.admin('credit', 'dave', 'USDT', '100', '--reference', 'dave')
    const dave = node.client((await node.admin('key', 'add', 'dave')) as Key)
    await dave.place({ ...XYZ, price: '12' })
    await refused([400, '4001', 'TOO_MANY_PRICE_LEVELS'], ordered({ ...XYZ, price: '13' }))
  })
  test('no refused request left an order or held money', async () => {
    expect(await alice.active()).toEqual([])
    for (const { locked } of Object.values(await alice.balances())) expect(locked).toBe('0')
  })
})
