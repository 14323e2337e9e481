/**
 * A follower of fills gets each of them once, in order, whatever its connection accepts, whenever it connects
 * and disconnects, however far history has got, and even if batches do not tell which command caused what.
 */
import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import type { EventBatch, OrdersMatched, TradeParty } from '../../core/events/event.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import { tradeRecord } from '../../engine/history/trade-records.ts'
import type { AccountUpdate, UpdatesQuery } from '../../engine/port/ports.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId, TradeNumber } from '../../units/ids.ts'
import { amount, lots, price, type Seq, seq, timeMs } from '../../units/quantities.ts'
import type { Services } from '../trading/services.ts'
import { WorkLane } from '../trading/work-lane.ts'
import { FeedReader } from './feed-reader.ts'
import { Feeds } from './feeds.ts'
import { JOIN_FILLS_MAX, KEPT_FILLS_MAX } from './live-fills.ts'

const SYMBOL = {
  ...{ id: 0 as SymbolId, code: 'BTC/USDT', base: 0 as AssetId, quote: 1 as AssetId },
  ...{ basePrecision: 4, quotePrecision: 2, baseFraction: 8, quoteFraction: 8 },
} as unknown as TradingSymbol
const ASSET = { id: 0, code: 'BTC', fraction: 8 }
const START = seq(10)
const OTHER = 9
const log = () => {}

/** The part of a command's fills that a client has received; it may come in several messages. */
type Message = { readonly seq: number; readonly prevSeq?: number; readonly fills: unknown[] }

/**
 * An exchange in which the test makes the trades. History answers in a later turn, up to one of the commands
 * that it has.
 */
class Exchange {
  readonly market = { seq: START, registry: { symbol: () => SYMBOL, asset: () => ASSET } }
  readonly updates: AccountUpdate[] = []
  /** Maximum number of updates in one answer of history. */
  pageMax = 3
  readonly #trades = { count: 0 }
  readonly feeds: Feeds

  constructor() {
    const history = { updates: (query: UpdatesQuery) => this.#answer(query) }
    const engine = { ask: async () => ({ seq: this.market.seq, balances: [] }) }
    const services = { history, engine, journal: 'a', market: this.market } as unknown as Services
    this.feeds = new Feeds({
      ...{ services: () => services, lane: new WorkLane() },
      logger: { debug: log, info: log, warn: log, error: (found: unknown) => expect(found).toBeUndefined() },
    })
  }

  /** A batch with, for each command, the parties of its trades. */
  batch(commands: readonly (readonly (readonly [number, number])[])[], hasEnds = true): void {
    const events: OrdersMatched[] = []
    const ends: number[] = []
    for (const trades of commands) {
      this.market.seq = seq(this.market.seq + 1)
      const caused = trades.map(([maker, taker]) => this.#matched(maker, taker))
      events.push(...caused)
      ends.push(events.length)
      this.#keep(caused)
    }
    const batch: EventBatch = { seq: this.market.seq, time: timeMs(5), events }
    this.feeds.publish(hasEnds ? { ...batch, ends } : batch)
  }

  /** Commands whose events are not published, as when a gateway has switched to another engine. */
  jump(commands: readonly (readonly (readonly [number, number])[])[]): void {
    for (const trades of commands) {
      this.market.seq = seq(this.market.seq + 1)
      this.#keep(trades.map(([maker, taker]) => this.#matched(maker, taker)))
    }
    this.feeds.restarted(this.market.seq)
  }

  #matched(maker: number, taker: number): OrdersMatched {
    const tradeNumber = ++this.#trades.count as TradeNumber
    const party = (account: number): TradeParty => ({
      ...{
        accountId: account as AccountId,
        orderNumber: (10 + account) as OrderNumber,
        orderTime: timeMs(1),
      },
      ...{ total: amount(100n), commission: amount(0n) },
    })
    return {
      ...{
        kind: 'OrdersMatched',
        symbolId: SYMBOL.id,
        tradeNumber,
        symbolTrade: 1,
        time: timeMs(5),
        price: price(100),
      },
      ...{ quantity: lots(1), takerSide: 'BUY', maker: party(maker), taker: party(taker) },
    }
  }

  #keep(caused: readonly OrdersMatched[]): void {
    for (const accountId of new Set(caused.flatMap((each) => [each.maker.accountId, each.taker.accountId]))) {
      const fills = caused.flatMap((each) =>
        (['maker', 'taker'] as const)
          .filter((role) => each[role].accountId === accountId)
          .map((role) => tradeRecord(each, role, SYMBOL)),
      )
      const { seq } = this.market
      this.updates.push({ seq, time: timeMs(5), accountId, open: [], ended: [], fills, balances: [] })
    }
  }

  async #answer({ accounts, atLeast }: UpdatesQuery) {
    await turn()
    expect(this.market.seq).toBeGreaterThanOrEqual(atLeast)
    const reached = this.market.seq
    return accounts.map(({ accountId, after }) => {
      const found = this.updates.filter((each) => each.accountId === accountId && each.seq > after)
      const page = found.slice(0, this.pageMax)
      return {
        updates: page,
        upTo: page.length < found.length ? (page.at(-1) as AccountUpdate).seq : reached,
      }
    })
  }
}

/** A connection that follows the fills of an account. */
class Client {
  readonly account: number
  readonly messages: Message[] = []
  readonly #reader: FeedReader
  readonly since: Seq | undefined
  takes = true
  isClosed = false

  constructor({ feeds }: Exchange, account: number, since: Seq | undefined) {
    this.account = account
    this.since = since
    this.#reader = new FeedReader({
      ...{ feeds, channel: 'fills', accountId: account as AccountId, since },
      output: {
        offer: (_, payloads) => {
          if (!this.takes) return false
          for (const payload of payloads) this.#take(JSON.parse(payload))
          return true
        },
        ended: (_, refusal) => expect(refusal).toBeUndefined(),
        left: () => {},
      },
      onCrash: (error) => {
        throw error
      },
    })
    this.#reader.begin()
  }

  #take(message: Message): void {
    const last = this.messages.at(-1)
    if (last?.seq !== message.seq) this.messages.push(message)
    else {
      expect(message.prevSeq).toBe(message.seq)
      last.fills.push(...message.fills)
    }
  }

  drain(): void {
    this.takes = true
    this.#reader.drained()
  }

  close(): void {
    this.isClosed = true
    this.#reader.close()
  }

  /**
   * Checks that the client received everything about its account, once and in order, up to its position. The
   * result says whether that is everything.
   */
  check({ updates }: Exchange): boolean {
    const [first, ...rest] = this.messages
    const begin = this.since ?? first?.seq
    const told = this.since === undefined ? rest : this.messages
    if (begin === undefined) return false
    const due = updates.filter((each) => each.accountId === this.account && each.seq > begin)
    const expected = due.map(({ seq, fills }, i) => [due[i - 1]?.seq ?? begin, seq, fills.length])
    const found = told.map((each) => [each.prevSeq ?? 0, each.seq, each.fills.length])
    expect(found).toEqual(expected.slice(0, found.length))
    return found.length === expected.length
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const account = fc.constantFrom(1, 2, OTHER)
const commands = fc.array(fc.array(fc.tuple(account, account), { maxLength: 3 }), {
  minLength: 1,
  maxLength: 4,
})
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('batch' as const), commands }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('old' as const), commands }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('jump' as const), commands }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('come' as const), account, isNew: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('go' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('full' as const), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('drain' as const), which: fc.nat(9) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('turns' as const), count: fc.nat(4) }) },
)

test('each client gets each fill of its account once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const exchange = new Exchange()
      const clients: Client[] = []
      const at = (which: number): Client | undefined => clients[which % Math.max(1, clients.length)]
      for (const each of steps) {
        if (each.kind === 'batch') exchange.batch(each.commands)
        else if (each.kind === 'old') exchange.batch(each.commands, false)
        else if (each.kind === 'jump') exchange.jump(each.commands)
        else if (each.kind === 'come')
          clients.push(new Client(exchange, each.account, each.isNew ? undefined : START))
        else if (each.kind === 'go') at(each.which)?.close()
        else if (each.kind === 'full') Object.assign(at(each.which) ?? {}, { takes: false })
        else if (each.kind === 'drain') at(each.which)?.drain()
        else for (let i = 0; i < each.count; i++) await turn()
        for (const client of clients) client.check(exchange)
      }
      const isDone = (client: Client): boolean => client.check(exchange) || client.isClosed
      while (!clients.every(isDone)) {
        for (const client of clients) client.drain()
        await turn()
      }
      for (const client of clients) client.check(exchange)
    }),
  )
})

test('fills are sent after the answers to their batch, and history is not asked for them', async () => {
  const exchange = new Exchange()
  const client = new Client(exchange, 1, START)
  while (exchange.feeds.accounts === 0) await turn()
  for (let i = 0; i < 10; i++) await turn()
  exchange.pageMax = 0
  exchange.batch([[[1, 2]], [], [[2, 1]]])
  expect(client.messages).toEqual([])
  await turn()
  expect(client.messages.map(({ seq }) => seq)).toEqual([11, 13])
})

test('more fills than are kept are read from history, and the kept ones are dropped', async () => {
  const exchange = new Exchange()
  exchange.pageMax = 1_000
  const [quick, slow] = [new Client(exchange, 1, START), new Client(exchange, 1, START)]
  for (let i = 0; i < 10; i++) await turn()
  slow.takes = false
  const trades = Array.from({ length: JOIN_FILLS_MAX }, () => [1, 2] as const)
  for (let fills = 0; fills <= 2 * KEPT_FILLS_MAX; fills += trades.length) {
    exchange.batch([trades])
    await turn()
  }
  slow.drain()
  while (!(quick.check(exchange) && slow.check(exchange))) await turn()
})
