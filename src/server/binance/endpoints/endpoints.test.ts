import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SANDBOX_LIMITS } from '../../access/limits/limits-config.ts'
import { ROUTES } from '../../http/routes.ts'
import { type BinanceFixture, openBinance } from '../binance.fixture.ts'
import type { WireRow } from './row.ts'
import { addressOf, WIRE_ENDPOINT_IDS, WIRE_ROWS } from './table.ts'

let f: BinanceFixture

beforeAll(async () => {
  f = await openBinance()
})
afterAll(() => f.stop())

const OPEN = WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id]).filter(({ security }) => security === 'NONE')
const BY_ADDRESS: [string, WireRow][] = OPEN.map((row) => [addressOf(row), row])

/** A value of the right form. */
function sample(row: WireRow, name: string): string {
  const parameter = row.parameters[name]
  switch (parameter?.form) {
    case 'SYMBOL':
      return 'BTCUSDT'
    case 'SYMBOLS':
      return '["BTCUSDT"]'
    case 'WHOLE':
      return String(parameter.min + 1)
    case 'WORD':
      return parameter.words[0] ?? ''
    default:
      return '1'
  }
}

function query(row: WireRow, more: Readonly<Record<string, string>> = {}, without?: string): string {
  const required = Object.keys(row.parameters).filter((name) => row.parameters[name]?.isRequired)
  const fields = Object.fromEntries(required.map((name) => [name, sample(row, name)]))
  const all = Object.entries({ ...fields, ...more }).filter(([name]) => name !== without)
  return all.length === 0 ? '' : `?${new URLSearchParams(all)}`
}

describe.each(BY_ADDRESS)('%s', (_, row) => {
  test('answers with the required parameters', async () => {
    const seen = await f.ask(row.path + query(row), row.method)
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'application/json;charset=UTF-8'])
  })

  test('refuses an unsupported parameter with its number and its name', async () => {
    const seen = await f.ask(row.path + query(row, { colour: 'red' }), row.method)
    const none = Object.keys(row.parameters).length === 0
    expect(seen.status).toBe(400)
    expect(seen.body).toMatchObject({ code: none ? -1101 : -1104, parameter: 'colour' })
  })

  for (const [name, { isRequired, form }] of Object.entries(row.parameters)) {
    if (isRequired)
      test(`refuses a request without ${name}`, async () => {
        const seen = await f.ask(row.path + query(row, {}, name), row.method)
        expect(seen.body).toMatchObject({
          code: -1102,
          msg: `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
          reason: 'MISSING_PARAMETER',
        })
      })
    // If a signature is not checked, it is not parsed either.
    if (name === 'signature') continue
    test(`refuses an empty ${name}`, async () => {
      const seen = await f.ask(row.path + query(row, { [name]: '' }), row.method)
      expect(seen.body).toMatchObject({ code: -1105, msg: `Parameter '${name}' was empty.` })
    })
    if (form !== 'TEXT')
      test(`refuses a ${name} of another form`, async () => {
        const seen = await f.ask(row.path + query(row, { [name]: 'né?' }), row.method)
        expect([seen.status, seen.body.parameter]).toEqual([400, name])
        expect([-1100, -1120, -1130]).toContain(seen.body.code)
      })
    test(`refuses ${name} given twice`, async () => {
      const twice = `${query(row, { [name]: sample(row, name) })}&${name}=x`
      const seen = await f.ask(row.path + twice, row.method)
      expect(seen.body).toMatchObject({ code: -1101, msg: 'Duplicate values for a parameter detected.' })
    })
  }
})

describe('unknown paths', () => {
  test('paths of the contract that this wire does not have are 404 in the form of this wire', async () => {
    const taken = new Set(WIRE_ENDPOINT_IDS.map((id) => WIRE_ROWS[id].path))
    const paths = [...ROUTES.keys()].filter((path) => !taken.has(path))
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) {
      const { status, body } = await f.ask(path)
      expect([path, status, Object.keys(body)]).toEqual([path, 404, ['code', 'msg', 'reason']])
      expect(body.msg).toContain(`GET ${path}`)
    }
  })

  test.each([
    ['POST', '/api/v3/userDataStream', 410, 'listen keys'],
    ['POST', '/api/v3/orderList/opo', 404, 'OPO'],
    ['POST', '/api/v3/order/oco', 404, 'POST /api/v3/orderList/oco'],
    ['POST', '/api/v3/sor/order', 404, 'order routing'],
    ['GET', '/fapi/v1/exchangeInfo', 404, 'spot trading only'],
    ['GET', '/sapi/v1/nothing', 404, 'sapi'],
    ['GET', '/api/v3/ticker', 404, 'rolling windows'],
    ['GET', '/', 404, 'docs/binance.md'],
    ['PUT', '/api/v3/depth', 404, 'PUT /api/v3/depth'],
  ])('%s %s says what does not exist', async (method, path, status, says) => {
    const seen = await f.ask(path, method)
    expect([seen.status, seen.body.code]).toEqual([status, -1020])
    expect(seen.body.msg).toContain(says)
  })
})

test('the weight of both listeners is shared, and a client that continues beyond it is banned on both', async () => {
  const limits = { ...SANDBOX_LIMITS, weightPerMinuteMax: 30, refusalsBeforeBan: 1 }
  const g = await openBinance({ config: { limits } })
  try {
    expect((await g.ask('/api/v3/exchangeInfo')).status).toBe(200)
    const over = await g.ask('/api/v3/exchangeInfo')
    expect([over.status, over.body.code]).toEqual([429, -1003])
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    const banned = await g.ask('/api/v3/exchangeInfo')
    expect([banned.status, banned.body.code]).toEqual([418, -1003])
    expect((await fetch(`${g.url}/api/v3/ping`)).status).toBe(418)
  } finally {
    await g.stop()
  }
})

test.each(['not a host', 'a,b', '"x"', 'api.binance.com:99999999'])(
  'the Host %p is not checked',
  async (host) => {
    const { status } = await f.ask('/api/v3/ping', 'GET', { host })
    expect(status).toBe(200)
  },
)

test('before the exchange runs, an answer says so in the form of this wire', async () => {
  const g = await openBinance({ isStarting: true })
  try {
    const { status, body } = await g.ask('/api/v3/time')
    expect([status, body.code, body.reason]).toEqual([503, -1001, 'STARTING'])
  } finally {
    await g.stop()
  }
})
