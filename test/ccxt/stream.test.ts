/** The `watch` methods and orders over the stream when messages are missed, wrong, late or lost. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { until } from '../support/until.ts'
import { answerAsUsual, type Connection, type Reply, streamServer } from './support/stream-server.ts'

setDefaultTimeout(300_000)

const SYMBOL = 'BTC/USDT'
const servers: ReturnType<typeof streamServer>[] = []

function started(reply?: Reply) {
  const server = streamServer(reply)
  servers.push(server)
  return server
}

afterEach(async () => {
  for (const server of servers.splice(0)) await server.dispose()
})

type Told = Error & Readonly<Record<string, unknown>>
const errorOf = async (action: Promise<unknown>): Promise<Told> =>
  action.then(
    () => {
      throw new Error('expected an error, found none')
    },
    (error: Told) => error,
  )

/** The complete book of the reference, and its checksum (docs/reference/stream-extensions.md#checksum). */
const WHOLE = {
  bids: [
    ['59990.00', '0.75000000'],
    ['59980.00', '0.01000000'],
  ],
  asks: [
    ['60000.50', '0.50000000'],
    ['60100.00', '1.00000000'],
  ],
  checksum: 2_814_396_049,
}

describe('a book', () => {
  const state = (connection: Connection, seq: number, more: object = {}) =>
    connection.send(['book', { symbol: SYMBOL, seq, ...WHOLE, ...more }])
  const change = (connection: Connection, seq: number, prevSeq: number, more: object = {}) =>
    connection.send([
      'book',
      { symbol: SYMBOL, seq, prevSeq, bids: [], asks: [['60000.50', '0.20000000']], ...more },
    ])

  test('whole, then as it changes: changes between two calls are in the next one', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchOrderBook(SYMBOL)
    const connection = await asked('subscribe', 1)
    state(connection, 1)
    expect((await first).bids).toEqual([
      [59_990, 0.75],
      [59_980, 0.01],
    ])
    const second = exchange.watchOrderBook(SYMBOL)
    change(connection, 2, 1)
    expect((await second).asks[0]).toEqual([60_000.5, 0.2])
    const gone = { symbol: SYMBOL, seq: 3, prevSeq: 2, bids: [['59990.00', '0.00000000']], asks: [] }
    connection.send(['book', gone])
    await until('the change', () => exchange.orderbooks[SYMBOL]?.nonce === 3)
    const third = await exchange.watchOrderBook(SYMBOL, 100)
    expect([third.bids, third.nonce]).toEqual([[[59_980, 0.01]], 3])
    expect(connection.sent.length).toBe(1)
  })

  test('after a gap it starts again, and no change is accepted until the whole book has arrived', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchOrderBook(SYMBOL)
    const connection = await asked('subscribe', 1)
    state(connection, 1)
    await first
    const second = exchange.watchOrderBook(SYMBOL)
    change(connection, 5, 4)
    change(connection, 6, 5)
    await asked('subscribe', 2)
    state(connection, 7, { bids: [['59000.00', '1.00000000']], checksum: undefined })
    const book = await second
    expect([book.nonce, book.bids, book.asks[0]]).toEqual([7, [[59_000, 1]], [60_000.5, 0.5]])
    expect(connection.sent.length).toBe(2)
  })

  test('with a change that leads to another checksum it starts again', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchOrderBook(SYMBOL)
    const connection = await asked('subscribe', 1)
    state(connection, 1)
    await first
    const second = exchange.watchOrderBook(SYMBOL)
    change(connection, 2, 1, { checksum: 1 })
    change(connection, 3, 2)
    await asked('subscribe', 2)
    state(connection, 4)
    expect((await second).nonce).toBe(4)
  })

  test('a whole one with a wrong checksum is a ChecksumError, unless checksums are not wanted', async () => {
    const { exchange, asked } = started()
    const wrong = errorOf(exchange.watchOrderBook(SYMBOL))
    const connection = await asked('subscribe', 1)
    state(connection, 1, { checksum: 1 })
    expect((await wrong).name).toBe('ChecksumError')
    exchange.options.watchOrderBook.checksum = false
    const taken = exchange.watchOrderBook(SYMBOL)
    await asked('subscribe', 2)
    state(connection, 2, { checksum: 1 })
    expect((await taken).nonce).toBe(2)
  })

  test('of few levels is requested so, and arrives whole each time', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchOrderBook(SYMBOL, 7)
    const connection = await asked('subscribe', 1)
    expect(connection.sent[0]?.[1]).toEqual({ channel: 'book', symbol: SYMBOL, levels: 10 })
    connection.send(['book', { symbol: SYMBOL, levels: 10, seq: 1, bids: WHOLE.bids, asks: [] }])
    expect((await first).bids.length).toBe(2)
    const second = exchange.watchOrderBook(SYMBOL, 1)
    await asked('subscribe', 2)
    connection.send(['book', { symbol: SYMBOL, levels: 5, seq: 2, prevSeq: 1, bids: WHOLE.bids, asks: [] }])
    connection.send(['book', { symbol: SYMBOL, levels: 5, seq: 2, bids: WHOLE.bids, asks: [] }])
    expect((await second).bids).toEqual([[59_990, 0.75]])
  })
})

describe('public trades', () => {
  const trade = (id: string, timestamp: number) => ({
    ...{ id, timestamp, price: '60000.50', quantity: '0.50000000', isBuyerMaker: false },
  })

  test('that come between two calls, and over a reconnect, are each returned once', async () => {
    const { exchange, asked, connections } = started()
    const first = exchange.watchTrades(SYMBOL)
    const connection = await asked('subscribe', 1)
    connection.send(['trades', { symbol: SYMBOL, seq: 1, trades: [trade('b', 2), trade('a', 1)] }])
    expect((await first).map(({ id, side }) => [id, side])).toEqual([
      ['a', 'buy'],
      ['b', 'buy'],
    ])
    connection.send(['trades', { symbol: SYMBOL, seq: 2, prevSeq: 1, trades: [trade('c', 3)] }])
    connection.send(['trades', { symbol: SYMBOL, seq: 3, prevSeq: 2, trades: [trade('d', 4)] }])
    await until('both trades', () => exchange.trades[SYMBOL]?.length === 4)
    expect((await exchange.watchTrades(SYMBOL)).map(({ id }) => id)).toEqual(['c', 'd'])

    const lost = errorOf(exchange.watchTrades(SYMBOL))
    connection.close()
    expect((await lost).name).toBe('NetworkError')
    const third = exchange.watchTrades(SYMBOL)
    await asked('subscribe', 1, 2)
    connections[1]!.send(['trades', { symbol: SYMBOL, seq: 9, trades: [trade('e', 5), trade('d', 4)] }])
    expect((await third).map(({ id }) => id)).toEqual(['e'])
  })

  test('a refused subscription is the error of its own call alone', async () => {
    const { exchange, asked } = started((message, connection) => {
      const { symbol } = message[1] as { symbol: string }
      if (symbol === SYMBOL) answerAsUsual(message, connection)
      else connection.send(['error', { status: false, code: '4001', msg: [], reason: 'UNKNOWN_SYMBOL' }])
    })
    await exchange.loadMarkets()
    const right = exchange.watchTrades(SYMBOL)
    const wrong = errorOf(exchange.watchTrades(SYMBOL, undefined, undefined, { symbol: 'NOT/HERE' }))
    const connection = await asked('subscribe', 2)
    expect((await wrong).name).toBe('BadSymbol')
    connection.send(['trades', { symbol: SYMBOL, seq: 1, trades: [trade('a', 1)] }])
    expect((await right).length).toBe(1)
  })

  test('a caller that waits for a channel that is no longer watched is informed', async () => {
    const { exchange, asked } = started()
    const waiting = errorOf(exchange.watchTrades(SYMBOL))
    const connection = await asked('subscribe', 1)
    expect(await exchange.unWatchTrades(SYMBOL)).toBe(true)
    expect((await waiting).name).toBe('UnsubscribeError')
    expect(connection.sent.at(-1)).toEqual(['unsubscribe', { channel: 'trades', symbol: SYMBOL }])
  })
})

describe('the private feed', () => {
  const journal = '5a0f2c1e8d7b46939c1d4e5f60718293'
  const fill = (id: string) => ({
    ...{ id, orderId: 'o', symbol: SYMBOL, side: 'BUY', price: '100', quantity: '0.2', total: '20' },
    ...{ commission: '0', commissionAsset: 'BTC', isMaker: true, time: 1 },
  })
  const order = (id: string, status: string) => ({
    ...{ id, symbol: SYMBOL, side: 'BUY', type: 'LIMIT', price: '100', quantity: '1', status },
    ...{ executedQuantity: '0', executedTotal: '0', commission: '0', commissionAsset: 'BTC', createdAt: 1 },
  })

  test('continues after a lost connection where it was, and returns each fill once', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchMyTrades(SYMBOL)
    const connection = await asked('subscribe', 1)
    connection.send(
      ['fills', { journal, seq: 21, fills: [] }],
      ['fills', { journal, seq: 23, prevSeq: 21, fills: [fill('a')] }],
    )
    expect((await first).map(({ id }) => id)).toEqual(['a'])
    connection.send(['fills', { journal, seq: 24, prevSeq: 23, more: true, fills: [fill('of a part')] }])
    await until('the part', () => exchange.myTrades?.length === 2)
    connection.close()
    await until('the end of the connection', () => Object.keys(exchange.clients).length === 0)
    // Data that arrived between two calls is returned, with or without a connection.
    expect((await exchange.watchMyTrades(SYMBOL)).map(({ id }) => id)).toEqual(['of a part'])
    const second = exchange.watchMyTrades(SYMBOL)
    const again = await asked('subscribe', 1, 2)
    expect(again.sent.map(([name]) => name)).toEqual(['login', 'subscribe'])
    expect(again.sent[1]?.[1]).toEqual({ channel: 'fills', since: 23, journal })
    again.send(['fills', { journal, seq: 25, prevSeq: 23, fills: [fill('b')] }])
    expect((await second).map(({ id }) => id)).toEqual(['b'])
  })

  test('after a gap it continues from the last accepted message', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchMyTrades(SYMBOL)
    const connection = await asked('subscribe', 1)
    connection.send(['fills', { journal, seq: 21, fills: [] }])
    connection.send(['fills', { journal, seq: 25, prevSeq: 23, fills: [fill('b')] }])
    await asked('subscribe', 2)
    expect(connection.sent.at(-1)?.[1]).toEqual({ channel: 'fills', since: 21, journal })
    connection.send(['fills', { journal, seq: 23, prevSeq: 21, fills: [fill('a')] }])
    expect((await first).map(({ id }) => id)).toEqual(['a'])
  })

  test('of a restored exchange starts with the present state', async () => {
    const { exchange, asked } = started((message, connection) => {
      const { since } = message[1] as { since?: number }
      if (since === undefined) answerAsUsual(message, connection)
      else connection.send(['error', { status: false, code: '4001', msg: [], reason: 'UNKNOWN_JOURNAL' }])
    })
    const first = exchange.watchOrders()
    const connection = await asked('subscribe', 1)
    connection.send(['orders', { journal, seq: 5, orders: [order('old', 'NEW')] }])
    expect((await first).map(({ id }) => id)).toEqual(['old'])
    const lost = errorOf(exchange.watchOrders())
    connection.close()
    await lost
    const second = exchange.watchOrders()
    const again = await asked('subscribe', 2, 2)
    again.send(['orders', { journal: 'another', seq: 3, orders: [order('new', 'NEW')] }])
    expect((await second).map(({ id }) => id)).toEqual(['new'])
    expect(exchange.orders?.map(({ id }: { id: string }) => id)).toEqual(['new'])
  })

  test('shows each order as it is now, in one state of several messages and in what follows', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchOrders()
    const connection = await asked('subscribe', 1)
    connection.send(['orders', { journal, seq: 5, more: true, orders: [order('b', 'NEW')] }])
    const seen = [...(await first)]
    connection.send(
      ['orders', { journal, seq: 5, orders: [order('a', 'NEW')] }],
      ['orders', { journal, seq: 6, prevSeq: 5, orders: [order('a', 'CANCELED')] }],
    )
    while (seen.at(-1)?.status !== 'canceled') seen.push(...(await exchange.watchOrders()))
    expect(seen.at(-1)?.id).toBe('a')
    const kept = exchange.orders?.map(({ id, status }: Record<string, unknown>) => `${id} ${status}`)
    expect(kept).toEqual(['b open', 'a canceled'])
  })

  test('a login that has ended is the error of every waiting call, and the next call logs in again', async () => {
    const { exchange, asked } = started()
    const first = errorOf(exchange.watchBalance())
    const connection = await asked('subscribe', 1)
    connection.send(['loggedOut', { status: false, code: '4001', msg: [], reason: 'KEY_DISABLED' }])
    expect((await first).name).toBe('AuthenticationError')
    const second = exchange.watchBalance()
    await asked('subscribe', 2)
    expect(connection.sent.map(([name]) => name)).toEqual(['login', 'subscribe', 'login', 'subscribe'])
    const balance = { asset: 'BTC', free: '1', locked: '0.5', freeze: '0.25', savings: '7' }
    connection.send(['balances', { journal, seq: 1, balances: [balance] }])
    expect((await second).BTC).toEqual({ free: 1, used: 0.75, total: 1.75 })
  })

  test('a subscription that is too slow ends, and the next call continues where it was', async () => {
    const { exchange, asked } = started()
    const first = exchange.watchMyTrades()
    const connection = await asked('subscribe', 1)
    connection.send(
      ['fills', { journal, seq: 7, fills: [] }],
      ['fills', { journal, seq: 9, prevSeq: 7, fills: [fill('a')] }],
    )
    await first
    const second = errorOf(exchange.watchMyTrades())
    connection.send([
      'unsubscribed',
      { channel: 'fills', status: false, code: '0014', msg: [], reason: 'TOO_SLOW' },
    ])
    expect((await second).name).toBe('NetworkError')
    const third = exchange.watchMyTrades()
    await asked('subscribe', 2)
    expect(connection.sent.at(-1)?.[1]).toEqual({ channel: 'fills', since: 9, journal })
    connection.send(['fills', { journal, seq: 11, prevSeq: 9, fills: [fill('b')] }])
    expect((await third).map(({ id }) => id)).toEqual(['b'])
  })
})

describe('an order over the stream', () => {
  const placed = { status: true, code: '0000', msg: [], data: { id: 'placed', status: 'NEW' } }
  const place = (exchange: ReturnType<typeof started>['exchange']) =>
    exchange.createOrderWs(SYMBOL, 'limit', 'buy', 1, 100, { clientOrderId: 'mine' })

  test('is answered by its number, whatever is answered before it', async () => {
    const { exchange, asked } = started()
    const [first, second] = [place(exchange), place(exchange)]
    const connection = await asked('order.place', 2)
    expect(connection.sent.filter(([name]) => name === 'login').length).toBe(1)
    const refusal = { status: false, code: '4001', msg: [], reason: 'INSUFFICIENT_FUNDS' }
    connection.send(['answer', 2, 400, refusal], ['answer', 1, 200, placed])
    expect((await errorOf(second)).name).toBe('InsufficientFunds')
    expect((await first).id).toBe('placed')
  })

  test('without an answer is a RequestTimeout that names the id to look up', async () => {
    const { exchange } = started()
    await exchange.loadMarkets()
    exchange.timeout = 50
    const error = await errorOf(place(exchange))
    expect([error.name, error.clientOrderId]).toEqual(['RequestTimeout', 'mine'])
  })

  test('whose connection is lost is a RequestTimeout too, and is sent again over another one', async () => {
    const { exchange, asked } = started()
    const lost = errorOf(place(exchange))
    const connection = await asked('order.place', 1)
    connection.close()
    const error = await lost
    expect([error.name, error.clientOrderId]).toEqual(['RequestTimeout', 'mine'])
    const again = place(exchange)
    const next = await asked('order.place', 1, 2)
    next.send(['answer', next.sent.at(-1)?.[1], 200, placed])
    expect((await again).id).toBe('placed')
  })
})

test('a server that stops is not connected to before it is back', async () => {
  const { exchange, asked } = started()
  const waiting = errorOf(exchange.watchTicker(SYMBOL))
  const connection = await asked('subscribe', 1)
  connection.send(['shutdown', { reconnectAfterMs: 600_000 }])
  connection.close()
  expect((await waiting).name).toBe('NetworkError')
  const delay = exchange.calculateWsBackoffDelay(Reflect.get(exchange, 'streamUrl').call(exchange, 'public'))
  expect(delay).toBeGreaterThan(500_000)
})
