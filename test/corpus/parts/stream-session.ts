/**
 * C: a session on the stream with every message that the server sends: rooms, channels, the private feed,
 * order entry and its end.
 */

import { END_REASONS } from '../../../src/contract/api/order-fields.ts'
import { MESSAGES } from '../../../src/contract/publish/stream.ts'
import { BOOK_LEVELS, CHANNEL_NAMES, INTERVALS_MS } from '../../../src/contract/stream/channels.ts'
import { PRIVATE_CHANNELS } from '../../../src/contract/stream/private-feed.ts'
import { ENTRY_REQUESTS } from '../../../src/server/order-entry/requests.ts'
import { type Fields, type Fixture, openFixture } from '../../../src/server/public/gateway.fixture.ts'
import { STREAM_DEFAULTS } from '../../../src/server/stream/config.ts'
import { NO_PAUSE } from '../../../src/server/stream/pace.ts'
import { createStream, type Stream } from '../../../src/server/stream/stream.ts'
import { timeMs } from '../../../src/units/quantities.ts'
import { until } from '../../support/until.ts'
import type { Recorded } from '../recorded-part.ts'
import { StreamClient } from './stream-client.ts'

const OPERATOR = { actor: 'corpus', note: '' }
const SYMBOL = 'BTC/USDT'
const BUY = { symbol: SYMBOL, side: 'BUY', type: 'LIMIT', quantity: '0.5', price: '60000' }
const SELL = { ...BUY, side: 'SELL' }

const LIRA = { symbol: 'USDT/TRY', type: 'LIMIT', quantity: '10' }

/** Reasons left out: an order that exceeds the steps of one command would need that many resting orders. */
const TOO_LONG: readonly string[] = ['STEPS']

const JOURNAL = `"journal":"${'0'.repeat(32)}"`

/** Names and words of the code's own tables that no message of the session has. */
export function lackingInStream(texts: ReadonlyMap<string, string>): readonly string[] {
  const kinds = [...texts.keys()].map((kind) => kind.replace(/ #\d+$/, ''))
  // The journal of a test has a name that no other journal has.
  const messages = [...texts.values()].map(
    (text) => JSON.parse(text.replace(/"journal":"[^"]*"/, JOURNAL)) as unknown,
  )
  const named = [
    ...CHANNEL_NAMES.map((name) => `channels: ${name}`),
    ...PRIVATE_CHANNELS.map((name) => `feed: ${name}`),
    ...['login', ...ENTRY_REQUESTS.keys()].map((name) => `entry: answer ${name}`),
  ]
  const words = END_REASONS.filter((word) => !TOO_LONG.includes(word)).map((word) => `"endReason":"${word}"`)
  const rows = MESSAGES.filter(({ from }) => from === 'server')
  return [
    ...rows
      .filter(({ schema }) => !messages.some((each) => schema.safeParse(each).success))
      .map(({ id }) => id),
    ...named.filter((kind) => !kinds.includes(kind)),
    ...words.filter((word) => ![...texts.values()].some((text) => text.includes(word))),
  ]
}

type Session = {
  readonly f: Fixture
  readonly stream: () => Stream
  /** Moves the clock, so that each command has a time of its own. */
  readonly later: () => void
  readonly open: (name: string) => Promise<StreamClient>
  readonly room: StreamClient
  readonly channels: StreamClient
  readonly feed: StreamClient
  readonly entry: StreamClient
}

export async function streamSession(): Promise<readonly Recorded[]> {
  let stream: Stream | undefined
  const f = await openFixture({
    stream: (gateway, { market, history }, clock) => {
      stream = createStream({
        ...{ market, history, clock, config: STREAM_DEFAULTS, pace: NO_PAUSE, entry: gateway.entry },
        addressOf: gateway.addressOf.bind(gateway),
      })
      return stream
    },
  })
  const open = (name: string) => StreamClient.open(f.url, name)
  const clients = [
    await open('room'),
    await open('channels'),
    await open('feed'),
    await open('entry'),
  ] as const
  const [room, channels, feed, entry] = clients
  try {
    f.clock.time += 5_000
    const later = () => {
      f.clock.time += 1
    }
    const session: Session = { f, stream: () => stream as Stream, later, open, room, channels, feed, entry }
    await subscribe(session)
    await trade(session)
    await askOverEntry(session)
    await endOrders(session)
    await changeTerms(session)
    await leave(session)
    return clients.flatMap((client) => client.recorded())
  } finally {
    for (const client of clients) client.close()
    await f.stop()
  }
}

/** Every channel, its options, and refusals; each state arrives before the next request. */
async function subscribe({ f, room, channels, feed, entry }: Session): Promise<void> {
  room.send('join', SYMBOL)
  await room.next('trades', 0)
  room.send('join', 'NO/NE')
  await room.next('error', 0)
  const ask = async (fields: object, name: string) => {
    const before = channels.heard.length
    channels.send('subscribe', { symbol: SYMBOL, ...fields })
    await channels.next(name, before)
  }
  for (const channel of CHANNEL_NAMES) await ask({ channel }, channel)
  for (const [fields, name] of [
    [{ channel: 'book', levels: 7 }, 'error'],
    [{ channel: 'prices' }, 'error'],
    ...BOOK_LEVELS.map((levels) => [{ channel: 'book', levels }, 'book'] as const),
    ...INTERVALS_MS.map((intervalMs) => [{ channel: 'ticker', intervalMs }, 'ticker'] as const),
  ] as const)
    await ask(fields, name)
  // Messages at intervals of a clock differ from run to run.
  for (const fields of [
    ...BOOK_LEVELS.map((levels) => ({ channel: 'book', levels })),
    ...INTERVALS_MS.map((intervalMs) => ({ channel: 'ticker', intervalMs })),
  ]) {
    const before = channels.heard.length
    channels.send('unsubscribe', { symbol: SYMBOL, ...fields })
    await channels.next('unsubscribed', before)
  }
  await entry.ask('order.place', BUY)
  await entry.login(f.bob, f.clock.time - 60_000)
  await entry.login(f.bob, f.clock.time)
  await feed.login(f.alice, f.clock.time)
  for (const channel of PRIVATE_CHANNELS) {
    feed.send('subscribe', { channel })
    await feed.next(channel, 0)
  }
}

/** Alice's orders rest, match Bob's, wait, and change. */
async function trade({ f, later, feed, entry }: Session): Promise<void> {
  const place = async (fields: object) => {
    later()
    const { body } = await f.place(f.alice, fields as Record<string, string>)
    await feed.reach('orders', f.services.market.seq)
    return body
  }
  await place({ ...SELL, newClientOrderId: 'rests' })
  await place({ ...SELL, price: '60001.5', icebergQty: '0.1' })
  await place({ ...BUY, price: '59000', timeInForce: 'GTD', expireTime: f.clock.time + 86_400_000 })
  await place({ ...SELL, type: 'STOP_LOSS_LIMIT', stopPrice: '50001', price: '49000', quantity: '0.1' })
  await place({ symbol: SYMBOL, side: 'SELL', type: 'TAKE_PROFIT', stopPrice: '90000', quantity: '0.1' })
  later()
  await entry.ask('order.place', { ...BUY, quantity: '0.2', newOrderRespType: 'FULL' })
  await feed.reach('fills', f.services.market.seq)
  later()
  await entry.ask('order.place', { symbol: SYMBOL, side: 'BUY', type: 'MARKET', total: '24000' })
  await feed.reach('fills', f.services.market.seq)
}

/** Every request of order entry, successful and refused. */
async function askOverEntry({ later, entry }: Session): Promise<void> {
  const ask = (name: string, fields: object) => {
    later()
    return entry.ask(name, fields as Record<string, string>)
  }
  const { data } = await ask('order.place', { ...BUY, price: '58000', newClientOrderId: 'changes' })
  await ask('order.place', { ...BUY, side: 'buy' })
  await ask('order.place', { ...BUY, price: 58_000.5, quantity: 0.25 })
  await ask('order.amend', { orderId: data.id, newQty: '0.4' })
  await ask('order.cancel', { id: data.id })
  await ask('order.cancel', { cancelOrigClientOrderId: 'nothing-has-it' })
  await ask('order.place', { ...BUY, price: '57000', newClientOrderId: 'is-replaced' })
  const replace = { ...BUY, price: '57001', cancelReplaceMode: 'STOP_ON_FAILURE' }
  await ask('order.cancelReplace', { ...replace, cancelOrigClientOrderId: 'is-replaced' })
  await ask('order.cancelReplace', { ...replace, cancelOrigClientOrderId: 'nothing-has-it' })
  await ask('order.cancelReplace', {
    ...{ ...replace, cancelReplaceMode: 'ALLOW_FAILURE' },
    cancelOrigClientOrderId: 'nothing-has-it',
  })
  const operations = [
    { method: 'POST', ...BUY, price: '40000', newClientOrderId: 'in-a-batch' },
    { method: 'DELETE', cancelOrigClientOrderId: 'in-a-batch' },
    { method: 'DELETE', id: data.id },
  ]
  await ask('order.batch', { operations: JSON.stringify(operations) })
  await ask('order.countdownCancelAll', { countdownTime: '60000', symbol: SYMBOL })
  await ask('order.countdownCancelAll', { countdownTime: '0', symbol: SYMBOL })
  await ask('order.cancelAll', { scope: 'SYMBOL', symbol: SYMBOL })
  await ask('order.nothing', {})
}

/** One of Alice's orders for each way in which an order can end. */
async function endOrders({ f, later, feed, open }: Session): Promise<void> {
  const act = async (work: () => Promise<unknown>, reason = '') => {
    later()
    const since = feed.heard.length
    await work()
    await feed.told('orders', reason, since)
  }
  const pass = (ms: number, reason: string) => {
    f.clock.time += ms
    return act(mark, reason)
  }
  const mark = () => f.submit({ kind: 'MarkTime' })
  const [alice, bob] = [f.alice, f.bob]
  const ask = (method: string, path: string, fields: Fields, reason?: string) =>
    act(() => f.send(method, `/api/v3/${path}`, fields, alice), reason)
  const place = (fields: Fields, reason?: string) => ask('POST', 'order', fields, reason)
  await place({ ...LIRA, side: 'BUY', price: '30', timeInForce: 'IOC' })
  await place({ ...LIRA, side: 'BUY', price: '25', newClientOrderId: 'ends' })
  await ask('DELETE', 'order', { cancelOrigClientOrderId: 'ends' })
  await place({ ...LIRA, side: 'SELL', price: '31' })
  await place({ ...LIRA, side: 'BUY', price: '31', selfTradePreventionMode: 'EXPIRE_MAKER' })
  await act(() =>
    f.submit({ kind: 'CancelOrders', operator: OPERATOR, accountId: alice.accountId, symbol: LIRA.symbol }),
  )
  await f.place(bob, { ...LIRA, side: 'BUY', price: '30', quantity: '4' })
  await place({ symbol: LIRA.symbol, side: 'SELL', type: 'MARKET', quantity: '10' })
  await place({ symbol: LIRA.symbol, side: 'SELL', type: 'STOP_LOSS', stopPrice: '29', quantity: '1' })
  await f.place(bob, { ...LIRA, side: 'BUY', price: '29', quantity: '4' })
  await place({ ...LIRA, side: 'SELL', price: '29', quantity: '4' }, 'TRIGGER_REFUSED')
  await place({ ...LIRA, side: 'BUY', price: '20', timeInForce: 'GTD', expireTime: f.clock.time + 60_000 })
  await pass(60_000, 'EXPIRED')
  await place({ ...LIRA, side: 'BUY', price: '21' })
  await f.send('POST', '/api/v3/countdownCancelAll', { countdownTime: '10000', symbol: LIRA.symbol }, alice)
  await pass(10_000, 'DEAD_MAN')
  await ask('POST', 'orderList/oco', {
    ...{ symbol: LIRA.symbol, side: 'SELL', quantity: '1', aboveType: 'LIMIT_MAKER', abovePrice: '90' },
    ...{ aboveClientOrderId: 'above', belowType: 'STOP_LOSS', belowStopPrice: '9' },
  })
  await ask('DELETE', 'order', { cancelOrigClientOrderId: 'above' }, 'LIST')
  await f.place(bob, { ...LIRA, side: 'SELL', price: '32', quantity: '0.01' })
  await ask(
    'POST',
    'orderList/oto',
    {
      ...{ symbol: LIRA.symbol, workingType: 'LIMIT', workingSide: 'BUY', workingQuantity: '0.01' },
      ...{ workingPrice: '32', pendingType: 'LIMIT', pendingSide: 'SELL', pendingPrice: '70' },
    },
    'PENDING_REFUSED',
  )
  const leaver = await open('leaver')
  await leaver.login(alice, f.clock.time, { cancelOnDisconnect: true, graceMs: 1_000 })
  await act(() => leaver.ask('order.place', { ...LIRA, side: 'BUY', price: '22' }))
  leaver.close()
  await until('the connection is gone', () => f.gateway.entry.orderSessions === 0)
  // After the gateway has reported the disconnection to the engine.
  await mark()
  await pass(1_000, 'DISCONNECT')
}

async function changeTerms({ f }: Session): Promise<void> {
  await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol: SYMBOL, state: 'CANCEL_ONLY' })
  await f.submit({ kind: 'SetSymbolState', operator: OPERATOR, symbol: SYMBOL, state: 'TRADING' })
}

/** The stream stops and continues; the key of a login is revoked; the server stops. */
async function leave({ f, stream, room, channels, feed, entry }: Session): Promise<void> {
  await channels.reach('status', f.services.market.seq)
  room.send('change_room', SYMBOL, 'ETH/BTC')
  await until('the other room', () => room.heard.filter(({ name }) => name === 'trades').length > 1)
  feed.send('unsubscribe', { channel: 'fills' })
  await feed.next('unsubscribed', 0)
  stream().stall(timeMs(f.clock.time))
  await channels.next('stale', 0)
  stream().restart(f.services.market.seq, [])
  await channels.next('live', 0)
  for (const name of CHANNEL_NAMES) await channels.reach(name, f.services.market.seq)
  await until('the room again', () => room.heard.filter(({ name }) => name === 'trades').length > 3)
  await f.submit({ kind: 'RevokeApiKey', operator: OPERATOR, apiKey: f.bob.apiKey })
  await entry.next('loggedOut', 0)
  stream().announceStop(1_000)
  await channels.next('shutdown', 0)
}
