import { expect, test } from 'bun:test'
import { BTC } from '../../../../test/support/stream-server.ts'
import type { KlineTopic } from '../../../contract/stream/stream-channels.ts'
import type { PlainTrade } from '../../../engine/history/candles/plain-candles.fixture.ts'
import { EngineFault } from '../../../engine/port/fault.ts'
import { lots, price } from '../../../units/quantities.ts'
import { broadcast } from '../broadcast.fixture.ts'
import type { StreamConfig } from '../config.ts'
import { KLINES_MAX, PIECES_MAX } from './candle-channel.ts'
import { RETRY_MS } from './candle-reader.ts'
import { CandleKeeper } from './keepers.fixture.ts'
import { Subscriber } from './subscriber.fixture.ts'

const SECONDS = { channel: 'kline_1s', intervalMs: undefined } as const
const MINUTES = { channel: 'kline_1m', intervalMs: undefined } as const
/** The start of a test's market, which is also the start of a second. */
const START = 1_700_000_000_000

type Message = { seq: number; prevSeq?: number; closed?: unknown[][]; current?: unknown[] }

/** A market in which a lot is bought at a price, and time passes. */
function market(limits: Partial<StreamConfig> = {}) {
  const it = broadcast(limits)
  const trades: PlainTrade[] = []
  it.hooks.onApplied = (events = []) => {
    for (const event of events) if (event.kind === 'OrdersMatched') trades.push(event)
  }
  const order = (at: number) => {
    it.source.place(BTC.id, 'SELL', price(at), lots(1))
    it.source.place(BTC.id, 'BUY', price(at), lots(1))
  }
  const trade = (at: number) => {
    order(at)
    it.publish()
  }
  const subscribe = (topic: KlineTopic = SECONDS) => {
    const client = it.connect(new Subscriber(it))
    const keeper = new CandleKeeper(topic.channel === 'kline_1s' ? '1s' : '1m', trades)
    client.onMessage = (_channel, payload) => keeper.take(payload)
    client.subscribe(topic)
    const heard = () =>
      client.heard
        .splice(0)
        .flatMap(([, payload]) => ('seq' in (payload as object) ? [payload as Message] : []))
    return { client, keeper, heard }
  }
  return { ...it, trades, order, trade, subscribe }
}

const row = (second: number, at: string, trades: number) => {
  const openTime = START + second * 1_000
  const [volume, worth] = trades === 0 ? ['0', '0'] : ['0.00000001', `0.000000${at === '1' ? '01' : '02'}`]
  return [openTime, at, at, at, at, volume, openTime + 999, worth, trades, volume, worth, '0']
}

test('the first message has the last 500 candles, flat ones too, and the last of them is open', async () => {
  const { trade, pass, subscribe, settle, market: view } = market()
  for (let i = 0; i < 40; i++) {
    trade(100 + i)
    pass(20_000)
  }
  const { keeper, heard } = subscribe()
  await settle()
  const [state, ...more] = heard()
  expect([state?.closed?.length, more]).toEqual([KLINES_MAX - 1, []])
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
  expect(keeper.closed[0]?.[0]).toBe(START + (800 - (KLINES_MAX - 1)) * 1_000)
})

test('a symbol without trades has no candles, and its first trade begins the open one', async () => {
  const { trade, pass, subscribe, settle } = market()
  const { heard } = subscribe()
  await settle()
  pass(5_000)
  await settle()
  expect(heard()).toEqual([{ symbol: 'BTC/USDT', seq: 0, closed: [] }] as never)
  trade(100)
  await settle()
  expect(heard()).toEqual([{ symbol: 'BTC/USDT', seq: 1, prevSeq: 0, current: row(5, '1', 1) }] as never)
})

test('a candle is closed when journal time has passed its end, with the flat ones after it, and no sooner', async () => {
  const { trade, pass, subscribe, settle } = market()
  const { heard } = subscribe()
  trade(100)
  await settle()
  heard()
  pass(998)
  await settle()
  expect(heard()).toEqual([])
  pass(1)
  await settle()
  const head = { symbol: 'BTC/USDT', seq: 1, prevSeq: 1 }
  expect(heard()).toEqual([{ ...head, closed: [row(0, '1', 1)], current: row(1, '1', 0) }] as never)
  pass(2_000)
  await settle()
  const closed = [row(1, '1', 0), row(2, '1', 0)]
  expect(heard()).toEqual([{ ...head, closed, current: row(3, '1', 0) }] as never)
})

test('a trade of a later window closes the one before it in the same message', async () => {
  const { trade, subscribe, settle, source } = market()
  const { heard } = subscribe()
  trade(100)
  await settle()
  heard()
  source.pass(1_000)
  trade(200)
  await settle()
  expect(heard()).toEqual([
    { symbol: 'BTC/USDT', seq: 2, prevSeq: 1, closed: [row(0, '1', 1)], current: row(1, '2', 1) },
  ] as never)
})

test('every subscriber gets the whole state when more windows pass at once than a message has', async () => {
  const { trade, pass, subscribe, settle, market: view, rooms } = market()
  trade(100)
  const { keeper, heard } = subscribe()
  await settle()
  expect(heard()).toHaveLength(1)
  pass((KLINES_MAX - 1) * 1_000)
  await settle()
  expect(heard().map(({ closed, prevSeq }) => [closed?.length, prevSeq])).toEqual([[KLINES_MAX - 1, 1]])
  pass(KLINES_MAX * 1_000)
  await settle()
  expect(heard().map(({ closed, prevSeq }) => [closed?.length, prevSeq])).toEqual([
    [KLINES_MAX - 1, undefined],
  ])
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
  expect(rooms.fallenBehind).toBe(0)
})

test('a trade that the history has published before the market is counted once', async () => {
  const { trade, order, subscribe, settle, publishLate, history, market: view } = market()
  trade(100)
  history.isHeld = true
  const { keeper, heard } = subscribe()
  trade(101)
  // The first answer says that there were trades at all, the second has the candles.
  await history.release()
  order(102)
  await publishLate()
  await settle()
  expect(heard().map(({ seq, prevSeq }) => [seq, prevSeq])).toEqual([[3, undefined]])
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
  expect(keeper.current?.[8]).toBe(3)
  trade(103)
  await settle()
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
})

test('the history is read once for all subscribers, and again for newcomers when the list was dropped for others', async () => {
  const { trade, pass, subscribe, settle, history, market: view } = market({ candleListsMax: 1 })
  trade(100)
  const first = subscribe()
  for (let i = 0; i < 20; i++) subscribe()
  await settle()
  subscribe()
  await settle()
  // One read asks two questions.
  expect(history.asked).toBe(2)
  subscribe(MINUTES)
  await settle()
  expect(history.asked).toBe(4)
  pass(3_000)
  await settle()
  const late = subscribe()
  await settle()
  expect(history.asked).toBe(6)
  for (const { keeper } of [first, late]) expect(keeper.text()).toBe(keeper.expected(view, BTC))
  expect(first.keeper.snapshots).toBe(1)
})

test('windows that pass while the list is read again are in it, however many they are', async () => {
  for (const seconds of [3, KLINES_MAX - 2, KLINES_MAX, 2 * KLINES_MAX]) {
    const { trade, pass, subscribe, settle, turn, history, market: view } = market({ candleListsMax: 1 })
    trade(100)
    const first = subscribe()
    await settle()
    subscribe(MINUTES)
    await settle()
    history.isHeld = true
    const late = subscribe()
    pass(seconds * 1_000)
    while (turn()) {}
    pass(2_000)
    while (turn()) {}
    await settle()
    pass(1_000)
    await settle()
    for (const { keeper } of [first, late]) {
      expect([seconds, keeper.text()]).toEqual([seconds, keeper.expected(view, BTC)])
      expect(keeper.closed.length).toBeGreaterThanOrEqual(Math.min(seconds + 3, KLINES_MAX - 1))
    }
  }
})

test('while the history cannot answer it is asked again every second, and its first answer is the state', async () => {
  const { trade, subscribe, settle, turn, history, clock, market: view } = market()
  trade(100)
  history.nextFault = new EngineFault('OVERLOADED', 'behind')
  const { keeper, heard } = subscribe()
  await history.release()
  expect([history.asked, heard()]).toEqual([1, []])
  const before = clock.now
  turn()
  expect(clock.now - before).toBe(RETRY_MS)
  await settle()
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
})

test('history is read again when more batches with trades come meanwhile than are kept', async () => {
  const { trade, subscribe, settle, history, market: view } = market()
  history.isHeld = true
  const { keeper } = subscribe()
  for (let i = 0; i <= PIECES_MAX; i++) trade(100 + (i % 50))
  expect(history.asked).toBe(1)
  await settle()
  expect(history.asked).toBeGreaterThan(2)
  expect(keeper.snapshots).toBe(1)
  expect(keeper.text()).toBe(keeper.expected(view, BTC))
})
