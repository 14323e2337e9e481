/** Every reason that the HTTP interface can give, each provoked over a real connection: status, code and both languages. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { OPEN_ORDERS_PAGE_MAX } from '../../core/exchange/view.ts'
import { EngineFault, type EngineFaultKind, type EnginePort } from '../../engine/ports.ts'
import type { AccountRestriction } from '../../units/operator-words.ts'
import type { SymbolState } from '../../units/order-words.ts'
import { amount, decimals, lots, price, rate, timeMs } from '../../units/quantities.ts'
import { REASON_NAMES, REASONS, type Reason } from '../../wire/reasons/catalogue.ts'
import { SANDBOX_LIMITS } from '../access/limits/limits-config.ts'
import { type Fields, type Fixture, openFixture, type Seen, see, sign } from './gateway.fixture.ts'
import { SANDBOX_GATEWAY } from './gateway-config.ts'

/** Only an operator's commands, or the stream, can cause these. */
const ELSEWHERE = [
  'UNKNOWN_ACCOUNT',
  'UNKNOWN_API_KEY',
  'ASSET_EXISTS',
  'SYMBOL_EXISTS',
  'ACCOUNT_EXISTS',
  'API_KEY_EXISTS',
  'INVALID_COMMAND',
  'REFERENCE_CONFLICT',
  'TOO_MANY_REFERENCES',
  'SUPPLY_LIMIT',
  'LIMIT_REACHED',
  'UNKNOWN_RULES_VERSION',
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_EMPTY',
  'SYMBOL_NOT_EMPTY',
  'ASSET_NOT_WITHDRAWABLE',
  'ASSET_NOT_SAVABLE',
  'CREDIT_LIMIT',
  'UNKNOWN_WITHDRAWAL',
  'WITHDRAWAL_FINISHED',
  'API_KEY_REVOKED',
  'UNKNOWN_FEE_TIER',
  'UNKNOWN_TOKEN',
  'TOKEN_EXISTS',
  'UNKNOWN_APPROVAL',
  'SELF_APPROVAL',
  'TOO_MANY_PENDING',
  'ASSET_NOT_DEPOSITABLE',
  'NAMED_TOKEN_NEEDED',
  'TOKEN_TOO_NEW',
  'RULES_VERSION_TOO_LOW',
  'UNREADABLE_MESSAGE',
  'UNKNOWN_MESSAGE',
  'TOO_MANY_ROOMS',
  'FLOODING',
  'TOO_MANY_CONNECTIONS',
] as const satisfies readonly Reason[]
type HttpReason = Exclude<Reason, (typeof ELSEWHERE)[number]>
/** Makes the server give a reason; `headers` must be sent along. */
type Provoke = (f: Fixture, headers: Fields) => Promise<Seen>
const OPERATOR = { actor: 'test', note: '' }
const LIMIT = { symbol: 'ETH/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '10' }
const SELL = { ...LIMIT, side: 'SELL' }
const FLAGS = { isDeposit: true, isWithdraw: true, isTrade: true, isSaving: false }

const order =
  (fields: Fields): Provoke =>
  (f, headers) =>
    f.send('POST', '/api/v3/order', fields, f.alice, headers)

const get =
  (path: string, fields: Fields = {}): Provoke =>
  (f, headers) =>
    f.send('GET', path, fields, f.alice, headers)

/** A signed body of any bytes and content type. */
const body =
  (bytes: string | Uint8Array<ArrayBuffer>, type: string): Provoke =>
  async (f, headers) =>
    see(
      await fetch(`${f.url}/api/v3/order`, {
        method: 'POST',
        body: bytes,
        headers: {
          ...(headers as Record<string, string>),
          'Content-Type': type,
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sign(f.alice.secret, bytes),
        },
      }),
    )

/** A strictly signed request. */
const strictly =
  ({ nonce = 'a-nonce-of-20-digits', timestamp }: { nonce?: string; timestamp?: string }): Provoke =>
  async (f, headers) => {
    const query = `timestamp=${f.clock.time}`
    const path = '/api/v3/wallet/balance'
    const at = timestamp ?? String(f.clock.time)
    const signature = sign(f.alice.secret, `GET\n${path}\n${query}\n${at}\n${nonce}\n`)
    return see(
      await fetch(`${f.url}${path}?${query}`, {
        headers: {
          ...(headers as Record<string, string>),
          'X-Apikey': f.alice.apiKey,
          'X-Signature': `v2=${signature}`,
          'X-Timestamp': at,
          'X-Nonce': nonce,
        },
      }),
    )
  }

/** The same request against an exchange made for it. */
const elsewhere =
  (options: Parameters<typeof openFixture>[0], provoke: Provoke): Provoke =>
  async (_, headers) => {
    const f = await openFixture(options)
    try {
      return await provoke(f, headers)
    } finally {
      await f.stop()
    }
  }

const engineSays = (submit: EnginePort['submit'], provoke: Provoke = order(LIMIT)): Provoke =>
  elsewhere(
    {
      wrap: (services) => ({
        ...services,
        engine: {
          submit,
          openOrders: (query) => services.engine.openOrders(query),
          balances: (accountId) => services.engine.balances(accountId),
          follow: () => Promise.reject(new Error('not asked')),
        },
      }),
    },
    provoke,
  )

const engineFault = (kind: EngineFaultKind): Provoke =>
  engineSays(() => Promise.reject(new EngineFault(kind, 'provoked')))

/** Lists `TST/USDT` with terms of its own. */
async function listTight(f: Fixture): Promise<void> {
  const code = `T${Math.random().toString(36).slice(2, 9).toUpperCase()}`
  await f.submit({
    kind: 'ListAsset',
    operator: OPERATOR,
    code,
    name: code,
    fraction: decimals(2),
    flags: FLAGS,
    supplyCap: amount(0n),
  })
  tightCode = code
  await f.submit({
    kind: 'ListSymbol',
    operator: OPERATOR,
    base: code,
    quote: 'USDT',
    terms: {
      baseFraction: decimals(2),
      quoteFraction: decimals(2),
      makerRate: rate(0),
      takerRate: rate(0),
      minTotal: amount(5_00000000n),
      minQuantity: lots(10),
      selfTradeMode: 'NONE',
      openOrdersMax: 2,
      levelsMax: 1,
    },
  })
  await f.submit({
    kind: 'SetSymbolTerms',
    operator: OPERATOR,
    symbol: `${code}/USDT`,
    minTotal: amount(5_00000000n),
    minQuantity: lots(10),
    selfTradeMode: 'NONE',
    openOrdersMax: 2,
    levelsMax: 1,
    minPrice: price(1),
    maxPrice: price(1_000_00),
  })
}
let tightCode = ''

const inTight =
  (...orders: Fields[]): Provoke =>
  async (f, headers) => {
    await listTight(f)
    const symbol = `${tightCode}/USDT`
    for (const fields of orders.slice(0, -1)) {
      const seen = await f.place(f.alice, { ...LIMIT, symbol, ...fields })
      expect(seen.text).toContain('"status":true')
    }
    return order({ ...LIMIT, symbol, ...orders.at(-1) })(f, headers)
  }

/** Alice rests a sell order, then does something, then cancels it. */
const withOwnSell =
  (fields: Fields, provoke: Provoke): Provoke =>
  async (f, headers) => {
    const resting = await f.place(f.alice, { ...SELL, ...fields })
    const seen = await provoke(f, headers)
    await f.send('DELETE', '/api/v3/order', { id: resting.body.data.id }, f.alice)
    return seen
  }

const withLimits = (limits: Partial<typeof SANDBOX_LIMITS>, provoke: Provoke) =>
  elsewhere({ config: { ...SANDBOX_GATEWAY, limits: { ...SANDBOX_LIMITS, ...limits } } }, provoke)

/** An order in a symbol that does not trade. */
const inState =
  (state: SymbolState): Provoke =>
  async (f, headers) => {
    await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol: 'USDT/TRY', state })
    return order({ ...LIMIT, symbol: 'USDT/TRY' })(f, headers)
  }

/** An order of an account that is forbidden something, and is not any more afterwards. */
const restricted =
  (restriction: AccountRestriction): Provoke =>
  async (f, headers) => {
    const { accountId } = f.alice
    const restrict = { kind: 'SetAccountRestrictions' as const, operator: OPERATOR, accountId }
    await f.submit({ ...restrict, restrictions: [restriction] })
    const seen = await order(LIMIT)(f, headers)
    await f.submit({ ...restrict, restrictions: [] })
    return seen
  }

/** Sends exactly these lines of a head and what follows; the server closes the connection. */
const rawly =
  (lines: (f: Fixture) => readonly string[], body = ''): Provoke =>
  async (f, headers) => {
    const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    return overSocket(f, [...lines(f), ...more, '', body].join('\r\n'))
  }

/** Announces a body and never sends all of it. */
const slowBody = rawly(
  (f) => ['POST /api/v3/order HTTP/1.1', 'Host: a', `X-Apikey: ${f.alice.apiKey}`, 'Content-Length: 10'],
  'abc',
)

const PROVOKE: { readonly [R in HttpReason]: Provoke } = {
  INTERNAL_ERROR: engineSays(async () => ({ kind: 'Refused', reason: 'INTERNAL_ERROR' })),
  UNKNOWN_ASSET: get('/api/v3/wallet/balance', { code: 'btc' }),
  UNKNOWN_SYMBOL: order({ ...LIMIT, symbol: 'BTCUSDT' }),
  UNKNOWN_ORDER: (f, headers) =>
    f.send('DELETE', '/api/v3/order', { id: crypto.randomUUID() }, f.alice, headers),
  SYMBOL_HALTED: inState('HALTED'),
  SYMBOL_CANCEL_ONLY: inState('CANCEL_ONLY'),
  SYMBOL_DELISTED: inState('DELISTED'),
  PRICE_OUT_OF_BAND: inTight({ quantity: '1', price: '1000.01' }),
  ACCOUNT_RESTRICTED: restricted('TRADE'),
  ACCOUNT_LOCKED: restricted('LOGIN'),
  KEY_EXPIRED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({
      kind: 'SetApiKeyTerms',
      operator: OPERATOR,
      apiKey: trader.apiKey,
      permissions: ['WALLET'],
      addresses: [],
      label: '',
      expiresAt: timeMs(1),
    })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  ASSET_NOT_TRADABLE: async (f, headers) => {
    await f.submit({
      kind: 'SetAssetFlags',
      operator: OPERATOR,
      code: 'BTC',
      flags: { ...FLAGS, isTrade: false },
    })
    const seen = await order({ ...LIMIT, symbol: 'BTC/USDT' })(f, headers)
    await f.submit({ kind: 'SetAssetFlags', operator: OPERATOR, code: 'BTC', flags: FLAGS })
    return seen
  },
  INSUFFICIENT_FUNDS: order({ ...LIMIT, quantity: '1000000000', price: '1000000000' }),
  QUANTITY_TOO_SMALL: inTight({ quantity: '0.09', price: '100' }),
  TOTAL_TOO_SMALL: inTight({ quantity: '1', price: '4.99' }),
  TOTAL_MISMATCH: order({ ...LIMIT, total: '10.00000001' }),
  TOO_MANY_OPEN_ORDERS: inTight({}, {}, {}),
  TOO_MANY_PRICE_LEVELS: inTight({}, { price: '11' }),
  NO_LIQUIDITY: order({ symbol: 'ETH/BTC', side: 'BUY', type: 'MARKET', total: '1' }),
  TOTAL_BELOW_BEST_PRICE: withOwnSell(
    { price: '1000000' },
    order({ symbol: 'ETH/USDT', side: 'BUY', type: 'MARKET', total: '0.00000001' }),
  ),
  SELF_TRADE_PREVENTED: withOwnSell(
    {},
    order({
      symbol: 'ETH/USDT',
      side: 'BUY',
      type: 'MARKET',
      total: '1',
      selfTradePreventionMode: 'EXPIRE_TAKER',
    }),
  ),
  NOT_FOUND: get('/api/v3/nothing'),
  METHOD_NOT_ALLOWED: (f, headers) => f.send('PUT', '/api/v3/order', LIMIT, f.alice, headers),
  BODY_TOO_LARGE: body('a'.repeat(1_000_000), 'application/x-www-form-urlencoded'),
  INVALID_HOST: (f, headers) =>
    f.send('GET', '/api/v3/exchangeInfo', {}, undefined, { ...headers, Host: 'a/b' }),
  DUPLICATE_HEADER: rawly(() => [
    'POST /api/v3/order HTTP/1.1',
    'Host: a',
    'Content-Length: 0',
    'Content-Length: 0',
  ]),
  HEADERS_TOO_LARGE: (f, headers) =>
    f.send('GET', '/api/v3/depth', {}, f.alice, { ...headers, 'X-Long': 'a'.repeat(13_000) }),
  BODY_TIMEOUT: elsewhere({ config: { bodyTimeoutMs: 50 } }, slowBody),
  UNSUPPORTED_CONTENT_TYPE: body('{"symbol":"BTC/USDT"}', 'application/json'),
  UNREADABLE_BODY: body('symbol=%zz', 'application/x-www-form-urlencoded'),
  SEPARATOR_REQUIRED: async (f, headers) => {
    const query = 'symbol=ETH/USDT'
    const form = `side=BUY&timestamp=${f.clock.time}`
    return see(
      await fetch(`${f.url}/api/v3/order?${query}`, {
        method: 'POST',
        body: form,
        headers: {
          ...(headers as Record<string, string>),
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Apikey': f.alice.apiKey,
          'X-Signature': sign(f.alice.secret, query + form),
        },
      }),
    )
  },
  UNREADABLE_QUERY: async (f, headers) => {
    const query = `symbol=%ff&timestamp=${f.clock.time}`
    const auth = { 'X-Apikey': f.alice.apiKey, ...(headers as Record<string, string>) }
    return see(await fetch(`${f.url}/api/v3/depth?${query}`, { headers: auth }))
  },
  TOO_MANY_PARAMETERS: get(
    '/api/v3/depth',
    Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`p${i}`, i])),
  ),
  MISSING_PARAMETER: get('/api/v3/depth'),
  DUPLICATE_PARAMETER: async (f, headers) => {
    const query = `symbol=BTC/USDT&symbol=BTC/USDT&timestamp=${f.clock.time}`
    const auth = { 'X-Apikey': f.alice.apiKey, ...(headers as Record<string, string>) }
    return see(await fetch(`${f.url}/api/v3/depth?${query}`, { headers: auth }))
  },
  INVALID_PARAMETER: order({ ...LIMIT, side: 'buy' }),
  TOO_MANY_DECIMALS: order({ ...LIMIT, price: '10.001' }),
  VALUE_TOO_LARGE: order({ ...LIMIT, quantity: '9007199254.740992' }),
  UNSUPPORTED_PARAMETER: order({ ...LIMIT, stopPrice: '9' }),
  UNSUPPORTED_VALUE: order({ ...LIMIT, type: 'STOP_LOSS_LIMIT' }),
  MISSPELLED_PARAMETER: order({ ...LIMIT, timeinforce: 'IOC' }),
  PRICE_NOT_ALLOWED: order({ ...LIMIT, type: 'MARKET', total: '1' }),
  MISSING_API_KEY: (f, headers) => f.send('GET', '/api/v3/depth', {}, undefined, headers),
  INVALID_API_KEY: (f, headers) =>
    f.send('GET', '/api/v3/depth', {}, { ...f.alice, apiKey: 'nobody' }, headers),
  KEY_DISABLED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({ kind: 'SetApiKeyEnabled', operator: OPERATOR, apiKey: trader.apiKey, enabled: false })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  ADDRESS_NOT_ALLOWED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId, { addresses: ['10.0.0.0/8'] })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  PERMISSION_DENIED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId, { permissions: ['TRADE'] })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  MISSING_SIGNATURE: (f, headers) =>
    f.send('GET', '/api/v3/wallet/balance', {}, undefined, { ...headers, 'X-Apikey': f.alice.apiKey }),
  INVALID_SIGNATURE: (f, headers) =>
    f.send('GET', '/api/v3/wallet/balance', {}, { ...f.alice, secret: f.bob.secret }, headers),
  INVALID_HEADER: strictly({ nonce: 'short' }),
  STRICT_SIGNATURE_REQUIRED: async (f, headers) => {
    const trader = await f.createKey(f.alice.accountId)
    await f.submit({
      kind: 'SetApiKeyStrict',
      operator: OPERATOR,
      apiKey: trader.apiKey,
      strictSignature: true,
    })
    return f.send('GET', '/api/v3/wallet/balance', {}, trader, headers)
  },
  TIMESTAMP_MISMATCH: strictly({ timestamp: '1' }),
  NONCE_REPEATED: elsewhere({ nonces: { take: () => ({ kind: 'REPEATED' }) } }, strictly({})),
  NONCES_FULL: elsewhere({ nonces: { take: () => ({ kind: 'FULL' }) } }, strictly({})),
  NONCES_UNKNOWN: elsewhere({}, strictly({})),
  TIMESTAMP_AHEAD: (f, headers) =>
    get('/api/v3/wallet/balance', { timestamp: f.clock.time + 1_000 })(f, headers),
  TIMESTAMP_EXPIRED: (f, headers) =>
    get('/api/v3/wallet/balance', { timestamp: f.clock.time - 5_001 })(f, headers),
  STARTING: elsewhere({ isStarting: true }, get('/api/v3/exchangeInfo')),
  STOPPING: elsewhere({}, (f, headers) => {
    f.gateway.close()
    return get('/api/v3/exchangeInfo')(f, headers)
  }),
  OVERLOADED: engineFault('OVERLOADED'),
  ANSWERS_UNDER_WAY: withLimits({ answerBytesPerAddressMax: 1 }, async (f, headers) => {
    for (let i = 0; i <= OPEN_ORDERS_PAGE_MAX; i++) await f.place(f.alice, LIMIT)
    return get('/api/v3/order/active')(f, headers)
  }),
  STORAGE_FULL: engineFault('STORAGE_FULL'),
  ENGINE_DOWN: engineFault('ENGINE_DOWN'),
  OUTCOME_UNKNOWN: engineFault('OUTCOME_UNKNOWN'),
  CLOCK_NOT_TRUSTED: engineFault('CLOCK_NOT_TRUSTED'),
  RATE_LIMITED: withLimits({ weightPerMinuteMax: 10 }, get('/api/v3/exchangeInfo')),
  ORDER_RATE_LIMITED: withLimits(
    { orderWindows: [{ name: '10S', windowMs: 10_000, ordersMax: 0 }] },
    order(LIMIT),
  ),
  BANNED: withLimits({ weightPerMinuteMax: 10, refusalsBeforeBan: 0 }, get('/api/v3/exchangeInfo')),
  WAF: get('/api/..%2f..%2fetc/passwd'),
}

async function overSocket(f: Fixture, request: string): Promise<Seen> {
  const text = await new Promise<string>((resolve, reject) => {
    let seen = ''
    void Bun.connect({
      hostname: '127.0.0.1',
      port: Number(new URL(f.url).port),
      socket: {
        open: (socket) => void socket.write(request),
        data: (_, bytes) => {
          seen += Buffer.from(bytes).toString('utf8')
        },
        close: () => resolve(seen),
        error: (_, error) => reject(error),
      },
    })
  })
  const [head = '', content = ''] = text.split('\r\n\r\n')
  return see(
    new Response(content, {
      status: Number(head.split(' ')[1]),
      headers: { 'Content-Type': 'application/json' },
    }),
  )
}

describe('every reason', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture()
  })
  afterAll(() => fixture.stop())

  for (const [reason, provoke] of Object.entries(PROVOKE) as [HttpReason, Provoke][]) {
    test(`${reason} comes with its status, its code and a text in both languages`, async () => {
      const english = await provoke(fixture, {})
      const turkish = await provoke(fixture, { 'Accept-Language': 'tr-TR,tr;q=0.9,en;q=0.5' })
      for (const { status, body: answer } of [english, turkish]) {
        expect(answer).toEqual({
          status: false,
          code: REASONS[reason].code,
          msg: [expect.any(String)],
          reason,
        })
        expect(status).toBe(REASONS[reason].status)
        expect(answer.msg[0]).not.toMatch(/[{}]/)
      }
      expect(Object.keys(english.body)).toEqual(['status', 'code', 'msg', 'reason'])
      expect(english.body.msg[0]).not.toBe(turkish.body.msg[0])
    })
  }

  const LIMITS: { readonly [R in HttpReason]?: readonly [en: string, tr: string] } = {
    QUANTITY_TOO_SMALL: [
      'symbol: found 0.09 CODE, expected at least 0.1 CODE (parameter quantity).',
      'altında: gönderilen 0.09 CODE, en az 0.1 CODE (quantity parametresi).',
    ],
    TOTAL_TOO_SMALL: [
      'symbol: found 4.99 USDT, expected at least 5 USDT.',
      'altında: gönderilen 4.99 USDT, en az 5 USDT.',
    ],
    TOTAL_MISMATCH: [
      'quantity: found 10.00000001 USDT, expected 10 USDT (parameter total).',
      'değil: gönderilen 10.00000001 USDT, beklenen 10 USDT (total parametresi).',
    ],
    PRICE_OUT_OF_BAND: [
      'in: found 1000.01 USDT, expected 0.01 USDT to 1000 USDT (parameter price).',
      'dışında: gönderilen 1000.01 USDT, izin verilen 0.01 USDT ile 1000 USDT arası (price parametresi).',
    ],
    TOO_MANY_OPEN_ORDERS: ['symbol: at most 2; cancel', 'var: en fazla 2; önce'],
    TOO_MANY_PRICE_LEVELS: ['side: at most 1.', 'kalmadı: en fazla 1.'],
  }

  for (const [reason, [en, tr]] of Object.entries(LIMITS)) {
    test(`${reason} names the limit and what was sent, in both languages`, async () => {
      const provoke = PROVOKE[reason as HttpReason]
      const english = await provoke(fixture, {})
      expect(english.body.msg[0]).toContain(en.replaceAll('CODE', tightCode))
      const turkish = await provoke(fixture, { 'Accept-Language': 'tr' })
      expect(turkish.body.msg[0]).toContain(tr.replaceAll('CODE', tightCode))
    })
  }

  test('the table above and the list of those from elsewhere are the whole catalogue', () =>
    expect([...Object.keys(PROVOKE), ...ELSEWHERE].sort()).toEqual([...REASON_NAMES].sort()))
})
