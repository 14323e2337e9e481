import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { until } from '../../../../test/support/until.ts'
import { ADMIN_PATH } from '../../../contract/admin/admin.ts'
import type { AdminEvent, AdminEventPage } from '../../../contract/admin/events.ts'
import { type AdminFixture, JOURNAL, openAdminFixture, TOKEN } from '../admin.fixture.ts'
import { EVENT_STREAMS_OF_TOKEN_MAX } from './event-streams.ts'
import { WAITING_OF_TOKEN_MAX } from './news-watch.ts'

let admin: AdminFixture
let after: number
/** A reference that no test has used. */
let references = 0

beforeAll(async () => {
  admin = await openAdminFixture()
  await admin.done('asset/add', { code: 'BTC', fraction: 8 })
  await admin.done('asset/add', { code: 'USDT', fraction: 6 })
  await admin.done('symbol/add', { symbol: 'BTC/USDT', baseFraction: 5, quoteFraction: 2 })
  for (const name of ['alice', 'bob']) await admin.done('account/add', { name })
})
afterAll(() => admin.stop())
beforeEach(async () => {
  after = (await page('')).end
})

async function page(query: string, token = TOKEN): Promise<AdminEventPage> {
  const { body } = await get(query, token)
  if (!body.ok) throw new Error(body.error.message)
  return body.result as unknown as AdminEventPage
}

const get = (query: string, token = TOKEN) =>
  admin.raw(`${ADMIN_PATH}events${query}`, { headers: { authorization: `Bearer ${token}` } })

const credit = (account = 'alice', amount = '1.5') =>
  admin.done('money/credit', {
    account,
    asset: 'BTC',
    amount,
    reference: `ref-${++references}`,
    note: 'paid in',
  })

const kindsAfter = async (): Promise<string[]> =>
  (await page(`?after=${after}`)).events.map(({ kind }) => kind)

async function refusal(query: string, token = TOKEN) {
  const { status, body } = await get(query, token)
  return { status, ...(body.ok ? {} : { reason: body.error.reason, field: body.error.field }) }
}

test('a new exchange has published its assets, symbols and accounts, and nothing of the house', async () => {
  const { events, journal } = await page('?limit=5')
  expect(journal).toBe(JOURNAL)
  expect(events.map(({ kind, account, fields }) => [kind, account, fields.asset ?? fields.symbol])).toEqual([
    ['ASSET_LISTED', null, 'BTC'],
    ['ASSET_LISTED', null, 'USDT'],
    ['SYMBOL_LISTED', null, 'BTC/USDT'],
    ['ACCOUNT_OPENED', 'alice', undefined],
    ['ACCOUNT_OPENED', 'bob', undefined],
  ])
})

test('a credit is published with its reference, its actor and its note, and its repeat is not', async () => {
  await credit()
  const reference = `ref-${references}`
  await admin.done('money/credit', { account: 'alice', asset: 'BTC', amount: '1.5', reference })
  const { events } = await page(`?after=${after}`)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({
    ...{ kind: 'CREDIT', account: 'alice', actor: 'local:operator', note: 'paid in' },
    fields: { asset: 'BTC', amount: '1.5', reference },
  })
})

test('a refused command publishes nothing', async () => {
  await admin.error('money/debit', { account: 'bob', asset: 'BTC', amount: '9', reference: 'none' })
  expect(await kindsAfter()).toEqual([])
})

test('a withdrawal is published when it is requested and when it ends', async () => {
  await credit()
  const hold = (reference: string) =>
    admin.done('withdrawal/hold', { account: 'alice', asset: 'BTC', amount: '0.5', reference })
  await hold('w-1')
  await hold('w-2')
  await admin.done('withdrawal/complete', { reference: 'w-1' })
  await admin.done('withdrawal/cancel', { reference: 'w-2' })
  const { events } = await page(`?after=${after}&account=alice`)
  expect(events.map(({ kind, fields }) => [kind, fields.amount])).toEqual([
    ['CREDIT', '1.5'],
    ['WITHDRAWAL_ASKED', '0.5'],
    ['WITHDRAWAL_ASKED', '0.5'],
    ['WITHDRAWAL_COMPLETED', '0.5'],
    ['WITHDRAWAL_CANCELED', '0.5'],
  ])
})

test('the decision of a second person is published beside its effect', async () => {
  const tokens = await Promise.all(
    ['ann', 'ben'].map(async (name) => {
      const made = (await admin.done('token/add', { name, role: 'OPERATOR' })) as { readonly token: string }
      return made.token
    }),
  )
  await admin.done('asset/set', { code: 'USDT', approvalAbove: '100' })
  const ask = (reference: string) =>
    admin.ask('money/credit', { account: 'bob', asset: 'USDT', amount: '200', reference }, tokens[0])
  await ask('big-1')
  await ask('big-2')
  await admin.done('approval/approve', { reference: 'big-1' }, tokens[1])
  await admin.done('approval/reject', { reference: 'big-2' }, tokens[1])
  const { events } = await page(`?after=${after}&account=bob`)
  expect(events.map(({ kind, actor, fields }) => [kind, actor, fields.reference])).toEqual([
    ['APPROVAL_ASKED', 'ann', 'big-1'],
    ['APPROVAL_ASKED', 'ann', 'big-2'],
    ['CREDIT', 'ben', 'big-1'],
    ['APPROVAL_GIVEN', 'ben', 'big-1'],
    ['APPROVAL_REFUSED', 'ben', 'big-2'],
  ])
})

test('states, keys and terms are published, and no secrets', async () => {
  await admin.done('symbol/halt', { symbol: 'BTC/USDT' })
  await admin.done('symbol/resume', { symbol: 'BTC/USDT' })
  await admin.done('symbol/rates', { symbol: 'BTC/USDT', takerRate: '0.002' })
  await admin.done('account/freeze', { account: 'bob' })
  await admin.done('account/unfreeze', { account: 'bob' })
  await admin.done('tier/set', { name: 'vip', makerShare: '0.5', takerShare: '0.5' })
  await admin.done('asset/set', { code: 'BTC', isDeposit: false })
  await admin.done('asset/set', { code: 'BTC', isDeposit: true })
  const key = (await admin.done('key/add', { account: 'bob', permissions: ['TRADE'] })) as { apiKey: string }
  await admin.done('key/disable', { apiKey: key.apiKey })
  const { events } = await page(`?after=${after}`)
  expect(events.map(({ kind, fields }) => [kind, fields.state ?? fields.enabled ?? null])).toEqual([
    ['SYMBOL_STATE', 'HALTED'],
    ['SYMBOL_STATE', 'TRADING'],
    ['SYMBOL_CHANGED', 'TRADING'],
    ['ACCOUNT_CHANGED', null],
    ['ACCOUNT_CHANGED', null],
    ['FEE_TIER_CHANGED', null],
    ['ASSET_CHANGED', null],
    ['ASSET_CHANGED', null],
    ['KEY_CREATED', true],
    ['KEY_CHANGED', false],
  ])
  expect(JSON.stringify(events)).not.toContain('ecret')
})

test('phases of the exchange are published as they are set and planned', async () => {
  await admin.done('exchange/plan', { steps: ['CLOSED@+1h'], note: 'upgrade' })
  await admin.done('exchange/halt')
  await admin.done('exchange/open')
  const { events } = await page(`?after=${after}`)
  expect(events.map(({ kind, account, note, fields }) => [kind, account, note, fields.phase])).toEqual([
    ['PHASES_PLANNED', null, 'upgrade', 'TRADING'],
    ['PHASE_CHANGED', null, '', 'CANCEL_ONLY'],
    ['PHASE_CHANGED', null, '', 'TRADING'],
  ])
  expect(events.map(({ fields }) => (fields.planned as string[]).length)).toEqual([1, 0, 0])
  expect(events[0]?.fields.planned).toEqual([expect.stringMatching(/^CLOSED@\d{4}-.*Z$/)])
})

test('a move between the buckets of an account is published with both of them, and its repeat is not', async () => {
  await admin.done('asset/set', { code: 'BTC', isSaving: true })
  await credit()
  after = (await page('')).end
  const what = { account: 'alice', asset: 'BTC', amount: '0.5' }
  await admin.done('savings/deposit', { ...what, reference: 's-1' })
  await admin.done('savings/deposit', { ...what, reference: 's-1' })
  await admin.done('savings/withdraw', { ...what, reference: 's-2' })
  await admin.done('money/move', { ...what, from: 'free', to: 'freeze', reference: 's-3' })
  await admin.done('money/move', { ...what, from: 'freeze', to: 'free', reference: 's-4' })
  const { events } = await page(`?after=${after}&account=alice`)
  expect(
    events.map(({ kind, fields }) => [kind, fields.reference, fields.amount, fields.from, fields.to]),
  ).toEqual([
    ['SAVINGS_DEPOSIT', 's-1', '0.5', 'free', 'savings'],
    ['SAVINGS_WITHDRAWAL', 's-2', '0.5', 'savings', 'free'],
    ['BALANCE_MOVED', 's-3', '0.5', 'free', 'freeze'],
    ['BALANCE_MOVED', 's-4', '0.5', 'freeze', 'free'],
  ])
})

test('a trade is published with both its parties, and found by either account', async () => {
  await credit('alice')
  await admin.done('money/credit', { account: 'bob', asset: 'USDT', amount: '50', reference: 'bob-usdt' })
  await trade(admin)
  for (const account of ['alice', 'bob']) {
    const { events } = await page(`?after=${after}&kinds=FILL&account=${account}`)
    expect(events).toHaveLength(1)
    expect(events[0]?.fields).toMatchObject({
      ...{ symbol: 'BTC/USDT', price: '10', quantity: '1', takerSide: 'BUY' },
      maker: { account: 'alice', total: '10', commission: '0.01', commissionAsset: 'USDT' },
      taker: { account: 'bob', total: '10', commission: '0.002', commissionAsset: 'BTC' },
    })
  }
  expect(await kindsAfter()).toEqual(['CREDIT', 'CREDIT', 'FILL'])
})

/** Alice sells one bitcoin at 10 to bob. */
async function trade({ engine }: AdminFixture): Promise<void> {
  const { accounts, symbols } = await bootstrapOf(engine)
  const idOf = (name: string) => accounts.find((account) => account.name === name)?.id as never
  const symbol = symbols[0]
  if (symbol === undefined) throw new Error('no symbol is listed')
  const order = {
    ...({ kind: 'PlaceOrder', type: 'LIMIT', timeInForce: 'GTC', symbolId: symbol.id } as const),
    ...{ price: 1000 as never, quantity: 100_000 as never, total: undefined },
    ...{ selfTradeMode: undefined, clientOrderId: undefined },
  }
  await engine.port.submit({ ...order, accountId: idOf('alice'), side: 'SELL' })
  await engine.port.submit({ ...order, accountId: idOf('bob'), side: 'BUY' })
}

const bootstrapOf = ({ port }: AdminFixture['engine']) => port.follow(() => {})

test('a request that waits is answered by the next matching event, and by none before', async () => {
  const answer = page(`?after=${after}&kinds=CREDIT&account=bob&wait=20000`)
  await credit('alice')
  await credit('bob')
  const { events, next } = await answer
  expect(events.map(({ kind, account }) => [kind, account])).toEqual([['CREDIT', 'bob']])
  expect((await page(`?after=${next}`)).events).toEqual([])
})

test('a request that waits in vain is answered when its time is over', async () => {
  const { events, next } = await page(`?after=${after}&wait=60`)
  expect(events).toEqual([])
  expect(next).toBeGreaterThanOrEqual(after)
})

test('one token has a limited number of waiting requests, and another token can still wait', async () => {
  const { token } = (await admin.done('token/add', { name: 'other', role: 'READ_ONLY' })) as { token: string }
  after = (await page('')).end
  const gone = new AbortController()
  const url = `${ADMIN_PATH}events?after=${after}&kinds=DEBIT&wait=25000`
  const init = { headers: { authorization: `Bearer ${TOKEN}` }, signal: gone.signal }
  const waiting = Array.from({ length: WAITING_OF_TOKEN_MAX + 1 }, () =>
    admin.raw(url, init).catch(() => undefined),
  )
  const first = await Promise.race(waiting)
  expect(first).toMatchObject({ status: 429, body: { error: { reason: 'TOO_MANY_WAITING' } } })
  expect((await page(`?after=${after}`)).events).toEqual([])
  const others = page(`?after=${after}&kinds=CREDIT&wait=20000`, token)
  await credit()
  expect((await others).events).toHaveLength(1)
  gone.abort()
  await Promise.all(waiting)
})

test('a number that this journal has not reached, and another journal’s name, are refused', async () => {
  expect(await refusal(`?after=${after + 1_000_000}`)).toEqual({
    status: 409,
    reason: 'OTHER_JOURNAL',
    field: 'after',
  })
  expect(await refusal('?journal=another')).toEqual({
    status: 409,
    reason: 'OTHER_JOURNAL',
    field: 'journal',
  })
  expect((await page(`?after=${after}&journal=${encodeURIComponent(JOURNAL)}`)).events).toEqual([])
})

test('a malformed parameter is named', async () => {
  for (const [query, field] of [
    ['?after=-1', 'after'],
    ['?after=x', 'after'],
    ['?after=1&after=2', 'after'],
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?wait=25001', 'wait'],
    ['?kinds=CREDIT,NONE', 'kinds.1'],
    ['?since=1', 'since'],
  ] as const) {
    expect([query, await refusal(query)]).toEqual([query, { status: 400, reason: 'INVALID_FIELD', field }])
  }
  expect(await refusal('?account=nobody')).toMatchObject({ reason: 'UNKNOWN_ACCOUNT', field: 'account' })
})

test('no one reads the feed without a token, or with another method', async () => {
  expect(await refusal('', 'wrong')).toMatchObject({ status: 401 })
  const posted = await admin.raw(`${ADMIN_PATH}events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
  })
  expect(posted.status).toBe(405)
})

test('the operation is the same feed, for the command line', async () => {
  await credit()
  expect(await admin.done('event/list', { after, kinds: ['CREDIT'] })).toEqual(
    await page(`?after=${after}&kinds=CREDIT`),
  )
})

test('over a WebSocket all events from a number on come once, in order', async () => {
  await credit()
  const socket = openSocket(`?after=${after}`)
  const read: AdminEvent[] = []
  const isDone = Promise.withResolvers<void>()
  socket.onmessage = ({ data }) => {
    read.push(...(JSON.parse(String(data)) as AdminEventPage).events)
    if (read.length === 21) isDone.resolve()
  }
  await opened(socket)
  for (let i = 0; i < 20; i++) await credit(i % 2 === 0 ? 'alice' : 'bob')
  await isDone.promise
  socket.close()
  expect(read).toEqual((await page(`?after=${after}`)).events as AdminEvent[])
})

test('a WebSocket ends when its token is revoked', async () => {
  const { token } = (await admin.done('token/add', { name: 'reader', role: 'READ_ONLY' })) as {
    token: string
  }
  const socket = openSocket(`?after=${after}`, token)
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  await opened(socket)
  await admin.done('token/revoke', { name: 'reader' })
  await credit()
  expect(await closed).toBe(4401)
})

test('a WebSocket sends nothing more to a token that was revoked while it waited', async () => {
  const { token } = (await admin.done('token/add', { name: 'gone', role: 'READ_ONLY' })) as { token: string }
  const socket = openSocket(`?after=${after}&kinds=CREDIT`, token)
  const received: unknown[] = []
  socket.onmessage = ({ data }) => received.push(data)
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  await opened(socket)
  await credit()
  await until('the first event comes', () => received.length === 1)
  // An event of another kind than requested: the connection continues to wait.
  await admin.done('token/revoke', { name: 'gone' })
  await credit()
  expect(await closed).toBe(4401)
  expect(received).toHaveLength(1)
})

test('a request that waits with a revoked token is refused, over HTTP and over a WebSocket', async () => {
  const { token } = (await admin.done('token/add', { name: 'left', role: 'READ_ONLY' })) as { token: string }
  const kinds = ['CREDIT']
  const byQuery = refusal(`?after=${after}&kinds=CREDIT&wait=20000`, token)
  const byBody = admin.raw(`${ADMIN_PATH}event/list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ after, kinds, wait: 20_000 }),
  })
  await page(`?after=${after}&kinds=DEBIT&wait=200`)
  await admin.done('token/revoke', { name: 'left' })
  await credit()
  expect(await byQuery).toMatchObject({ status: 401, reason: 'INVALID_TOKEN' })
  expect((await byBody).status).toBe(401)
})

test('at most 8 WebSockets of a token are open, however many are opened at once, and another token has room', async () => {
  const { token } = (await admin.done('token/add', { name: 'second', role: 'READ_ONLY' })) as {
    token: string
  }
  const many = Array.from({ length: EVENT_STREAMS_OF_TOKEN_MAX + 4 }, () => openSocket(`?after=${after}`))
  const sockets = [...many, openSocket(`?after=${after}`, token)]
  const outcomes = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<boolean>((resolve) => {
          socket.onopen = () => resolve(true)
          socket.onerror = () => resolve(false)
        }),
    ),
  )
  expect(outcomes.filter(Boolean)).toHaveLength(EVENT_STREAMS_OF_TOKEN_MAX + 1)
  expect(outcomes.at(-1)).toBe(true)
  for (const socket of sockets) socket.close()
})

test('a WebSocket from a number of another journal is refused before it opens', async () => {
  const socket = openSocket(`?after=${after + 1_000_000}`)
  const failed = new Promise<void>((resolve) => {
    socket.onerror = () => resolve()
  })
  await failed
  expect(socket.readyState).not.toBe(WebSocket.OPEN)
})

function openSocket(query: string, token = TOKEN): WebSocket {
  const url = `${admin.url.replace('http', 'ws')}${ADMIN_PATH}events${query}`
  return new WebSocket(url, { headers: { authorization: `Bearer ${token}` } } as never)
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.onopen = () => resolve()
  })
}
