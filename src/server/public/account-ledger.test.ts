/** The ledger of an account over HTTP (docs/reference/orders.md#ledger). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { amount } from '../../units/quantities.ts'
import { type Fields, type Fixture, openFixture } from './gateway.fixture.ts'

const OPERATOR = { actor: 'test', note: '' }

type Entry = { readonly id: string; readonly [field: string]: string | number }

describe('the ledger of an account', () => {
  let f: Fixture
  let order = ''
  const start = 1_790_000_000_123
  beforeAll(async () => {
    f = await openFixture()
    const { accountId } = f.alice
    const transfer = (asset: string, units: bigint, reference: string) => ({
      ...{ operator: OPERATOR, accountId, asset, reference },
      amount: amount(units),
    })
    f.clock.time += 1_000
    await f.submit({ kind: 'Debit', ...transfer('TRY', 150n, '=1+1,"x"') })
    await f.submit({ kind: 'HoldWithdrawal', ...transfer('TRY', 250n, 'w') })
    await f.submit({ kind: 'CompleteWithdrawal', operator: OPERATOR, reference: 'w' })
    f.clock.time += 1_000
    const terms = { symbol: 'ETH/USDT', type: 'LIMIT', quantity: '0.1', price: '10' }
    order = (await f.place(f.alice, { ...terms, side: 'SELL' })).body.data.id
    await f.place(f.alice, { ...terms, side: 'SELL', price: '20' })
    await f.place(f.bob, { ...terms, side: 'BUY' })
  })
  afterAll(() => f.stop())

  const ask = (fields: Fields, trader = f.alice) => f.send('GET', '/api/v3/account/ledger', fields, trader)
  const entries = async (fields: Fields, trader = f.alice): Promise<Entry[]> =>
    (await ask(fields, trader)).body.data.entries

  test('has what a fill paid, what it received, and the commission, each with the balance at that time', async () => {
    const found = await entries({ limit: 3 })
    const trade = {
      time: start + 2_000,
      wallet: 'SPOT',
      symbol: 'ETH/USDT',
      orderId: order,
      tradeId: expect.any(String),
    }
    expect(found.map(({ id: _, ...entry }) => entry)).toEqual([
      { ...trade, asset: 'USDT', cause: 'COMMISSION', amount: '-0.001', balance: '1000000000000.999' },
      { ...trade, asset: 'USDT', cause: 'TRADE', amount: '1', balance: '1000000000001' },
      { ...trade, asset: 'ETH', cause: 'TRADE', amount: '-0.1', balance: '999999999999.9' },
    ])
    const [, received] = await entries({ limit: 2 }, f.bob)
    expect(received).toMatchObject({ asset: 'ETH', amount: '0.1', balance: '1000000000000.1' })
  })

  test('has transfers with their cause and reference, and nothing that is only held', async () => {
    const found = await entries({ asset: 'TRY' })
    expect(found.map(({ cause, amount, reference }) => [cause, amount, reference])).toEqual([
      ['WITHDRAWAL', '-2.5', 'w'],
      ['DEBIT', '-1.5', '=1+1,"x"'],
      ['CREDIT', '1000000000000000000', expect.any(String)],
    ])
    expect(await entries({ from: start + 1_000, to: start + 1_000 })).toEqual(found.slice(0, 2))
  })

  test('continues from next, in the middle of a fill too, to the same entries', async () => {
    const whole = await entries({})
    expect(whole.length).toBeGreaterThan(8)
    const found: Entry[] = []
    for (let place = {}; ; ) {
      const { data } = (await ask({ limit: 1, ...place })).body
      expect(data.entries.length).toBeLessThanOrEqual(1)
      found.push(...data.entries)
      if (data.next === undefined) break
      place = { before: data.next }
    }
    expect(found).toEqual(whole)
  })

  test('is a table of text with the same entries when CSV is asked for, in which nothing is a formula', async () => {
    const seen = await f.send(
      'GET',
      '/api/v3/account/ledger',
      { format: 'csv', asset: 'TRY', limit: 2 },
      f.alice,
    )
    const { headers, text } = seen
    const found = await entries({ asset: 'TRY' })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"')
    expect(headers.get('x-next')).toBe(found[1]?.id as string)
    const time = `${start + 1_000},${new Date(start + 1_000).toISOString().replace('Z', '+00:00')}`
    expect(text.split('\r\n')).toEqual([
      'id,time,date,asset,wallet,cause,amount,balance,symbol,orderId,tradeId,reference',
      `${found[0]?.id},${time},TRY,SPOT,WITHDRAWAL,-2.5,999999999999999996,,,,w`,
      `${found[1]?.id},${time},TRY,SPOT,DEBIT,-1.5,999999999999999998.5,,,,"'=1+1,""x"""`,
      '',
    ])
    const last = await ask({ format: 'csv', asset: 'TRY' })
    const pages: string[] = []
    for (let place: Fields = {}; ; ) {
      const page = await ask({ format: 'csv', limit: 2, ...place })
      const header = pages.length === 0 ? 'present' : 'absent'
      expect(page.headers.get('content-type')).toBe(`text/csv; charset=utf-8; header=${header}`)
      pages.push(page.text)
      const next = page.headers.get('x-next')
      if (next === null) break
      place = { before: next }
    }
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.join('')).toBe((await ask({ format: 'csv' })).text)
    expect(last.headers.get('x-next')).toBeNull()
    const refused = await ask({ format: 'csv', limit: 0 })
    expect([refused.body.reason, refused.headers.get('content-type')]).toEqual([
      'INVALID_PARAMETER',
      'application/json;charset=utf-8',
    ])
  })

  test('is refused for invalid parameters, by name', async () => {
    const wrong: Fields[] = [
      { before: 'x' },
      { before: '1-2' },
      { before: '1-2-3-4' },
      { before: '1--3' },
      { from: 5, to: 4 },
      { limit: 1_001 },
      { format: 'xml' },
    ]
    for (const fields of wrong) {
      const { status, body } = await ask(fields)
      expect([fields, status, body.reason]).toEqual([fields, 400, 'INVALID_PARAMETER'])
      expect(body.msg[0]).toContain(Object.keys(fields).at(-1) as string)
    }
    expect((await ask({ asset: 'XXX' })).body.reason).toBe('UNKNOWN_ASSET')
  })
})
