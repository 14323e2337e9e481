import { afterAll, describe, expect, test } from 'bun:test'
import type { AdminOperation } from '../../contract/admin/admin.ts'
import type { AdminBatch } from '../../contract/admin/records.ts'
import { EMPTY_TAIL, kindOf, verifyBatch } from '../../engine/port/journal.ts'
import { sha256 } from '../../storage/sha256.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { openAdminFixture, TOKEN } from './admin.fixture.ts'

const server = await openAdminFixture()
const { raw, ask, done, error, logged } = server
afterAll(() => server.stop())

describe('who may use the admin server', () => {
  test('no one without the token', async () => {
    expect((await ask('node/status', {}, 'another token')).status).toBe(401)
    expect((await raw('/admin/v1/node/status', { method: 'POST' })).status).toBe(401)
    expect((await raw('/', {})).status).toBe(401)
  })

  test('an unknown operation is named', async () => {
    const authorised = { headers: { authorization: `Bearer ${TOKEN}` } }
    const unknown = await raw('/admin/v1/asset/burn', { ...authorised, method: 'POST' })
    expect([unknown.status, unknown.body]).toMatchObject([404, { error: { reason: 'UNKNOWN_OPERATION' } }])
    const inherited = await raw('/admin/v1/__proto__', { ...authorised, method: 'POST' })
    expect(inherited.status).toBe(404)
    expect((await raw('/admin/v1/node/status', authorised)).status).toBe(405)
  })
})

describe('operations', () => {
  test('an operator sets up a market from nothing', async () => {
    expect(await done('asset/add', { code: 'XAU', name: 'Gold', fraction: 6 })).toMatchObject({
      isTrade: true,
    })
    await done('asset/add', { code: 'EUR', fraction: 2, isSaving: true, supplyCap: '1000000' })
    const listed = await done('symbol/add', {
      symbol: 'XAU/EUR',
      baseFraction: 3,
      quoteFraction: 2,
      takerRate: '0.002',
      makerRate: '0.001',
      minTotal: '10',
      minQuantity: '0.5',
    })
    expect(listed).toMatchObject({ minTotal: '10', minQuantity: '0.5', takerRate: '0.002', warnings: [] })
    await done('account/add', { name: 'carol', actor: 'ops', note: 'first customer' })
    const key = (await done('key/add', {
      account: 'carol',
      addresses: ['10.0.0.0/8'],
      permissions: ['TRADE'],
    })) as {
      apiKey: string
      secret: string
    }
    expect(key.secret).toMatch(/^[0-9a-f]{64}$/)
    expect(await done('key/list', { account: 'carol' })).toMatchObject([
      { apiKey: key.apiKey, enabled: true },
    ])
    expect(JSON.stringify(logged)).not.toContain(key.secret)
    expect(await done('key/disable', { apiKey: key.apiKey })).toMatchObject({ enabled: false })
    expect(await done('key/enable', { apiKey: key.apiKey })).toMatchObject({ enabled: true })
    expect(await done('symbol/halt', { symbol: 'XAU/EUR' })).toMatchObject({ state: 'HALTED' })
    expect(await done('symbol/halt', { symbol: 'XAU/EUR' })).toMatchObject({ state: 'HALTED' })
    expect(await done('symbol/resume', { symbol: 'XAU/EUR' })).toMatchObject({ state: 'TRADING' })
    const rates = { symbol: 'XAU/EUR', takerRate: '0', makerRate: '0' }
    expect(await done('symbol/rates', rates)).toMatchObject({ takerRate: '0', warnings: [] })
    const maker = { symbol: rates.symbol, makerRate: '0.003' }
    expect(await done('symbol/rates', maker)).toMatchObject({ takerRate: '0', makerRate: '0.003' })
    expect(await done('symbol/rates', rates)).toMatchObject({ makerRate: rates.makerRate })
    expect(await done('asset/set', { code: 'EUR', isWithdraw: false })).toMatchObject({
      isWithdraw: false,
      isSaving: true,
    })
    expect(await done('node/status')).toMatchObject({ assets: 2, symbols: 1, apiKeys: 1 })
  })

  test('the same reference credits once, and another amount under it is a conflict', async () => {
    const credit = { account: 'carol', asset: 'EUR', amount: '100.50', reference: 'wire 1' }
    expect(await done('money/credit', credit)).toEqual({ repeated: false, pending: false })
    expect(await done('money/credit', credit)).toEqual({ repeated: true, pending: false })
    expect(await error('money/credit', { ...credit, amount: '100.51' })).toMatchObject({
      status: 409,
      reason: 'REFERENCE_CONFLICT',
    })
    const debit = { ...credit, amount: '0.50', reference: 'wire 2' }
    expect(await error('money/debit', debit)).toMatchObject({ reason: 'ASSET_NOT_WITHDRAWABLE' })
    await done('asset/set', { code: 'EUR', isWithdraw: true })
    await done('money/debit', debit)
    await done('money/move', { ...credit, amount: '40', reference: 'hold 1', from: 'free', to: 'freeze' })
    expect(await done('balance/list', { account: 'carol' })).toContainEqual({
      asset: 'EUR',
      free: '60',
      locked: '0',
      freeze: '40',
      savings: '0',
    })
    const unfrozen = { ...credit, amount: '40.01', reference: 'hold 2', from: 'freeze', to: 'free' }
    expect(await error('money/move', unfrozen)).toMatchObject({ message: 'The freeze balance is too low.' })
    expect(await error('money/debit', { ...credit, amount: '60.01', reference: 'wire 3' })).toMatchObject({
      reason: 'INSUFFICIENT_FUNDS',
    })
    expect(await error('money/credit', { ...credit, amount: '1000000', reference: 'wire 4' })).toMatchObject({
      reason: 'SUPPLY_LIMIT',
    })
  })

  test('listing a symbol warns when its smallest order earns no unit of commission', async () => {
    const symbol = (await done('symbol/add', { symbol: 'EUR/XAU', baseFraction: 2, quoteFraction: 6 })) as {
      warnings: string[]
    }
    expect(symbol.warnings).toHaveLength(2)
    expect(symbol.warnings[0]).toContain('it takes 5 EUR to earn one unit')
  })

  test('the journal is given out in pieces, as it is stored, and a request at its end does not wait', async () => {
    await done('asset/add', { code: 'CHF', fraction: 2 })
    await done('asset/add', { code: 'NOK', fraction: 2 })
    let tail = EMPTY_TAIL
    for (;;) {
      const [batch, ...others] = (await done('journal/read', {
        after: tail.seq,
        bytesMax: 1,
      })) as AdminBatch[]
      if (batch === undefined) break
      expect(others).toEqual([])
      const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
      tail = verifyBatch(sha256, tail, {
        position: batch.position,
        epoch: batch.epoch,
        kind: kindOf(batch.kind),
        firstSeq: batch.firstSeq as Seq,
        count: batch.count,
        time: batch.time as TimeMs,
        previousHash: bytes(batch.previousHash),
        hash: bytes(batch.hash),
        data: bytes(batch.data),
      })
    }
    expect((await done('node/status')) as object).toMatchObject({ seq: tail.seq })
    expect(tail.seq as number).toBeGreaterThan(1)
    expect(await done('journal/read', { after: tail.seq + 5 })).toEqual([])
    expect(await done('journal/quarantined')).toEqual([])
  })
})

describe('a wrong request is refused with the field', () => {
  const cases: readonly [AdminOperation, object, string, string][] = [
    ['asset/add', { code: 'btc', fraction: 8 }, 'INVALID_FIELD', 'code'],
    ['asset/add', { code: 'BTC' }, 'INVALID_FIELD', 'fraction'],
    ['asset/add', { code: 'BTC', fraction: 19 }, 'INVALID_FIELD', 'fraction'],
    ['asset/add', { code: 'BTC', fraction: 8, colour: 'orange' }, 'INVALID_FIELD', 'colour'],
    ['asset/add', { code: 'BTC', fraction: 2, supplyCap: '1.234' }, 'INVALID_FIELD', 'supplyCap'],
    ['asset/add', { code: 'EUR', fraction: 2 }, 'ASSET_EXISTS', 'code'],
    ['symbol/add', { symbol: 'EURXAU', baseFraction: 2, quoteFraction: 2 }, 'INVALID_FIELD', 'symbol'],
    ['symbol/add', { symbol: 'EUR/EUR', baseFraction: 2, quoteFraction: 2 }, 'INVALID_FIELD', 'symbol'],
    ['symbol/add', { symbol: 'XAU/EUR', baseFraction: 2, quoteFraction: 2 }, 'SYMBOL_EXISTS', 'symbol'],
    ['symbol/halt', { symbol: 'BTC/EUR' }, 'UNKNOWN_SYMBOL', 'symbol'],
    ['symbol/rates', { symbol: 'XAU/EUR', takerRate: '1', makerRate: '0' }, 'INVALID_FIELD', 'takerRate'],
    ['account/add', { name: '' }, 'INVALID_FIELD', 'name'],
    ['account/add', { name: 'house:fees' }, 'INVALID_FIELD', 'name'],
    ['account/add', { name: '\ud800' }, 'INVALID_FIELD', 'name'],
    ['account/add', { name: 'carol' }, 'ACCOUNT_EXISTS', 'name'],
    ['key/add', { account: 'nobody' }, 'UNKNOWN_ACCOUNT', 'account'],
    ['key/add', { account: 'carol', addresses: ['10.0.0.0/8', 'home'] }, 'INVALID_FIELD', 'addresses.1'],
    ['key/add', { account: 'carol', permissions: ['ALL'] }, 'INVALID_FIELD', 'permissions.0'],
    ['key/disable', { apiKey: 'none' }, 'UNKNOWN_API_KEY', 'apiKey'],
    [
      'money/credit',
      { account: 'carol', asset: 'EUR', amount: '-1', reference: 'x' },
      'INVALID_FIELD',
      'amount',
    ],
    [
      'money/credit',
      { account: 'carol', asset: 'EUR', amount: '0', reference: 'x' },
      'INVALID_FIELD',
      'amount',
    ],
    [
      'money/credit',
      { account: 'carol', asset: 'EUR', amount: 1, reference: 'x' },
      'INVALID_FIELD',
      'amount',
    ],
    ['money/credit', { account: 'carol', asset: 'EUR', amount: '1' }, 'INVALID_FIELD', 'reference'],
    [
      'money/credit',
      { account: 'carol', asset: 'USD', amount: '1', reference: 'x' },
      'UNKNOWN_ASSET',
      'asset',
    ],
  ]
  for (const [operation, body, reason, field] of cases) {
    test(`${operation} ${JSON.stringify(body)}: ${reason} ${field}`, async () => {
      expect(await error(operation, body)).toMatchObject({ reason, field })
    })
  }

  test('an impossible journal position or size of a piece', async () => {
    for (const request of [
      { after: -1 },
      { after: 0.5 },
      { after: 0, bytesMax: 0 },
      { after: 0, bytesMax: 65_537 },
      {},
    ]) {
      expect(await error('journal/read', request)).toMatchObject({ reason: 'INVALID_FIELD' })
    }
  })

  test('a body that is not JSON', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const { body } = await raw('/admin/v1/asset/add', { method: 'POST', headers, body: '{"code":' })
    expect(body).toMatchObject({ ok: false, error: { reason: 'INVALID_BODY' } })
  })

  test('accounts of the house are listed behind those of customers, on pages of any size', async () => {
    const list = async (request: object) =>
      (await done('account/list', request)) as { name: string; role: string }[]
    for (const name of ['listed one', 'listed two']) await done('account/add', { name })
    const whole = await list({})
    const customers = whole.filter(({ role }) => role === 'trader')
    expect([customers.length > 1, whole.length > customers.length + 1]).toEqual([true, true])
    expect(whole.slice(0, customers.length)).toEqual(customers)
    const paged: typeof whole = []
    for (let page = await list({ limit: 2 }); page.length > 0; ) {
      paged.push(...page)
      page = await list({ limit: 2, after: paged.at(-1)?.name })
    }
    expect(paged).toEqual(whole)
  })

  test('money of the house cannot be credited by an operator', async () => {
    const { accounts } = { accounts: (await done('account/list')) as { name: string; role: string }[] }
    const house = accounts.find(({ role }) => role === 'fees')?.name ?? ''
    const credit = { account: house, asset: 'EUR', amount: '1', reference: 'house' }
    expect(await error('money/credit', credit)).toMatchObject({ reason: 'INVALID_FIELD', field: 'account' })
  })
})
