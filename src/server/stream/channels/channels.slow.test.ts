/** Rules for every channel, regardless of the behavior and speed of clients. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { randomNumbers } from '../../../../test/support/random-numbers.ts'
import { depthText, StreamBook } from '../../../../test/support/stream-book.ts'
import { BTC, ETH } from '../../../../test/support/stream-server.ts'
import { type Topic, topicKey } from '../../../contract/stream/stream-channels.ts'
import type { PlainTrade } from '../../../engine/history/candles/plain-candles.fixture.ts'
import { EXCHANGE_PHASES, SYMBOL_STATES, type SymbolState } from '../../../units/order-enums.ts'
import { lots, price, timeMs } from '../../../units/quantities.ts'
import { untilMet } from '../../../units/random-rounds.fixture.ts'
import { broadcast } from '../broadcast.fixture.ts'
import {
  BookKeeper,
  BookTickerKeeper,
  CandleKeeper,
  DayTickerKeeper,
  type Keeper,
  LevelsKeeper,
  StatusKeeper,
  TradesKeeper,
} from './keepers.fixture.ts'
import { bookTopic, Subscriber } from './subscriber.fixture.ts'

const KIB = 1024

/** Each topic with the state that a client keeps of it; `trades`: all of the symbol, oldest first. */
const TOPICS: readonly (readonly [Topic, (trades: readonly PlainTrade[]) => Keeper])[] = [
  [bookTopic(), () => new BookKeeper()],
  [bookTopic({ intervalMs: 100 }), () => new BookKeeper()],
  [bookTopic({ levels: 5 }), () => new LevelsKeeper(5)],
  [bookTopic({ levels: 10, intervalMs: 250 }), () => new LevelsKeeper(10)],
  [{ channel: 'trades' }, () => new TradesKeeper()],
  [{ channel: 'bookTicker' }, () => new BookTickerKeeper()],
  [{ channel: 'status' }, () => new StatusKeeper()],
  [{ channel: 'ticker', intervalMs: undefined }, () => new DayTickerKeeper()],
  [{ channel: 'ticker', intervalMs: 250 }, () => new DayTickerKeeper()],
  [{ channel: 'kline_1s', intervalMs: undefined }, (trades) => new CandleKeeper('1s', trades)],
  [{ channel: 'kline_1m', intervalMs: undefined }, (trades) => new CandleKeeper('1m', trades)],
  [{ channel: 'kline_1M', intervalMs: 100 }, (trades) => new CandleKeeper('1M', trades)],
]

/** The topic that a message belongs to, by its key: its fields name the options. */
function keyOfMessage(channel: string, payload: object): string {
  return topicKey({ ...payload, channel } as unknown as Topic)
}

/** A client that keeps everything, and compares it with the market as it was at each message’s command. */
class KeepingClient extends Subscriber {
  readonly keepers: ReadonlyMap<string, Keeper>
  readonly contract = new StreamBook()

  constructor(rooms: ConstructorParameters<typeof Subscriber>[0], trades: readonly PlainTrade[]) {
    super(rooms)
    this.keepers = new Map(TOPICS.map(([topic, keeper]) => [topicKey(topic), keeper(trades)]))
  }

  override take(event: string, payload: unknown): void {
    super.take(event, payload)
    const isContract = !('seq' in (payload as object)) && !event.endsWith('subscribed')
    if (isContract) this.contract.take(event, payload)
  }
}

/** One run; adds up what happened, by the key of each topic. */
async function play(seed: number, met: Record<string, number>): Promise<void> {
  const random = randomNumbers(seed)
  const below = (max: number) => Math.floor(random() * max)
  const pick = <Value>(values: readonly Value[]) => values[below(values.length)] as Value
  const it = broadcast({
    sendBufferBytesMax: 3 * KIB,
    drainedBytesMax: KIB / 2,
    queuedEventsMax: 100,
    joinsPerSecondMax: 100_000,
    messagesPerSecondMax: 100_000,
    tradesOnJoin: 100,
    candleListsMax: 1,
  })
  const { market, source, rooms, history } = it
  const trades: PlainTrade[] = []
  /** The correct states by topic and command; several if time passed without a command. */
  const expected = new Set<string>()
  const expectedOf = (...parts: readonly [key: string, seq: number, text: string]) => parts.join(' ')
  const observe = () => {
    for (const [key, keeper] of keepers)
      expected.add(expectedOf(key, market.seq, keeper.expected(market, BTC)))
  }
  const clients = Array.from({ length: 4 }, () => it.connect(new KeepingClient(it, trades)))
  const [first] = clients as [KeepingClient]
  const { keepers } = first
  it.hooks.onApplied = (events = []) => {
    for (const event of events) {
      if (event.kind === 'OrdersMatched' && event.symbolId === BTC.id) trades.push(event)
    }
    observe()
  }
  observe()
  for (const client of clients) {
    client.onMessage = (channel, payload) => {
      const key = keyOfMessage(channel, payload)
      const keeper = client.keepers.get(key) as Keeper
      keeper.take(payload)
      const isTrue = expected.has(expectedOf(key, payload.seq, keeper.text()))
      expect([key, payload.seq, isTrue]).toEqual([key, payload.seq, true])
    }
    for (const [topic] of TOPICS) client.subscribe(topic)
  }
  first.join('BTC/USDT')
  for (let i = 0; i < 300; i++) {
    const one = pick(clients)
    const action = below(20)
    if (action === 0) one.unsubscribe(pick(TOPICS)[0])
    else if (action === 1) one.subscribe(pick(TOPICS)[0])
    else if (action === 2) one.isQuick = !one.isQuick
    else if (action < 5) one.drain()
    else if (action === 5) it.pass(below(2) * below(random() < 0.1 ? 10_000_000 : 100_000))
    else if (action === 6) history.isHeld = !history.isHeld
    else if (action < 9) await history.release()
    else if (action === 9) {
      const [state, phase] = [pick(SYMBOL_STATES), pick(EXCHANGE_PHASES)]
      const change = { phase, at: timeMs(below(1_000)), actor: 'eve', note: '' }
      if (random() < 0.5) source.happen({ kind: 'SymbolChanged', symbol: { ...pick([BTC, ETH]), state } })
      else
        source.happen({
          kind: 'PhasesChanged',
          phases: { current: change, planned: below(2) > 0 ? [change] : [] },
        })
      it.publish()
    } else {
      const symbol = random() < 0.2 ? ETH : BTC
      for (let orders = below(random() < 0.1 ? 60 : 4); orders >= 0; orders--) {
        const side = random() < 0.5 ? 'BUY' : 'SELL'
        if (random() < 0.3) source.cancel(symbol.id, side)
        else source.place(symbol.id, side, price(10_000 + below(60)), 1 + below(5_000))
      }
      const how = random()
      if (how < 0.1) await it.publishLate()
      else if (how < 0.11) {
        for (let batches = below(3); batches >= 0; batches--) it.applyUnseen()
        rooms.restart()
      } else it.publish()
    }
    for (let turns = below(8); turns > 0; turns--) it.turn()
    it.clock.now += below(40)
  }
  for (const client of clients) {
    client.isQuick = true
    for (const [topic] of TOPICS) client.subscribe(topic)
    client.drain()
  }
  history.isHeld = false
  await it.settle()
  expect(first.contract.text()).toBe(depthText(market.depth(BTC.id)))
  for (const client of clients) {
    for (const [key, keeper] of client.keepers) {
      expect([key, keeper.text()]).toEqual([key, keeper.expected(market, BTC)])
      add(met, `snapshots of ${key}`, keeper.snapshots)
      add(met, `changes of ${key}`, keeper.changes)
    }
    client.session.end()
  }
  expect([rooms.count, rooms.turns.isIdle]).toEqual([0, true])
  add(met, FALLEN_BEHIND, rooms.fallenBehind)
}

const FALLEN_BEHIND = 'fallen behind'

function add(met: Record<string, number>, what: string, times: number): void {
  met[what] = (met[what] ?? 0) + times
}

test('a client’s copy of any channel equals the market after each message, whatever else it does and however slow it is', async () => {
  const met: Record<string, number> = { [FALLEN_BEHIND]: 0 }
  const property = fc.asyncProperty(fc.integer(), (seed) => play(seed, met))
  // The case that the rule is about must have occurred often.
  await untilMet(met, () => fc.assert(property, { numRuns: 30 }), { least: 200 })
  expect(Object.keys(met)).toHaveLength(1 + 2 * TOPICS.length)
})

test('the seq of a message is that of the last batch that changed what it shows, however late it is published', async () => {
  for (const [topic] of TOPICS) {
    const it = broadcast()
    const clients = Array.from({ length: 3 }, () => it.connect(new Subscriber(it)))
    const heard: number[] = []
    for (const client of clients) client.subscribe(topic)
    await it.settle()
    it.clock.now += 1_000
    const last = clients.at(-1) as Subscriber
    last.onMessage = (_channel, { seq }) => heard.push(seq)
    let state: SymbolState = 'TRADING'
    const match = (symbol: typeof BTC) => {
      state = state === 'TRADING' ? 'HALTED' : 'TRADING'
      it.source.happen({ kind: 'SymbolChanged', symbol: { ...symbol, state } })
      it.source.place(symbol.id, 'BUY', price(100), lots(2))
      it.source.place(symbol.id, 'SELL', price(100), lots(1))
      it.publish()
    }
    match(BTC)
    // Only the first of the three clients has received the message; later messages wait until the others have
    // it.
    expect([topicKey(topic), heard]).toEqual([topicKey(topic), []])
    match(BTC)
    match(ETH)
    while (it.turn()) {}
    expect([topicKey(topic), heard]).toEqual([topicKey(topic), [1, 2]])
  }
})
