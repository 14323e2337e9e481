/**
 * Rooms of a made-up market whose turns are started by the test, and clients behind buffers that they empty
 * on demand.
 */
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import { BTC, ETH } from '../../../test/support/stream-server.ts'
import { SyntheticHistory } from '../../../test/support/synthetic-history.ts'
import { emptyBootstrap, SyntheticMarket } from '../../../test/support/synthetic-market.ts'
import type { EventBatch, ExchangeEvent } from '../../core/events/event.ts'
import { lots, price } from '../../units/quantities.ts'
import { MarketData } from '../../views/market-data.ts'
import { STREAM_DEFAULTS, type StreamConfig } from './config.ts'
import { ConnectionBudget } from './intake/limits.ts'
import { SendMemory } from './intake/send-memory.ts'
import type { Frame, Link } from './link.ts'
import { Rooms } from './rooms.ts'
import { Session } from './session.ts'

/** Trades in the first list after a join: more than any test has. */
export const ALL_TRADES = 1_000

type Due = { readonly task: () => void; readonly at: number }

/** With `sliceMs` 0 each turn is one step. Time passes only until the next turn that is due. */
export function broadcast(limits: Partial<StreamConfig> = {}, sliceMs = 0) {
  const config = { ...STREAM_DEFAULTS, tradesOnJoin: ALL_TRADES, ...limits }
  const market = new MarketData(emptyBootstrap([BTC, ETH]))
  const history = new SyntheticHistory([BTC, ETH])
  const source = new SyntheticMarket(randomNumbers(1))
  const clients: ManualClient[] = []
  const turnsDue: Due[] = []
  const pendingBytes = () => clients.reduce((sum, client) => sum + client.pending, 0)
  const clock = { now: 0 }
  let counts = 0
  const memory = new SendMemory({
    bytesMax: config.sendBuffersBytesMax,
    count: pendingBytes,
    now: () => (counts += 10),
  })
  const rooms = new Rooms({
    market,
    history,
    ...config,
    memory,
    pace: {
      now: () => clock.now,
      later: (task, delayMs) => {
        const due = { task, at: clock.now + delayMs }
        turnsDue.push(due)
        return () => void turnsDue.splice(turnsDue.indexOf(due), 1)
      },
      pauseMs: () => 0,
      sliceMs,
      turnBytes: Number.POSITIVE_INFINITY,
    },
  })
  const hooks = {
    /**
     * Called when the market has changed, by events or merely by time, and nothing has been published yet.
     */
    onApplied: (_events?: readonly ExchangeEvent[]) => {},
  }
  const apply = (batch: EventBatch) => {
    market.apply(batch)
    hooks.onApplied(batch.events)
    rooms.publish(batch)
  }
  const publish = () => {
    const batch = source.flush()
    history.apply(batch)
    apply(batch)
  }
  /** Runs the turn that is due first; false when none is. */
  const turn = (): boolean => {
    turnsDue.sort((a, b) => a.at - b.at)
    const due = turnsDue.shift()
    clock.now = Math.max(clock.now, due?.at ?? 0)
    due?.task()
    return due !== undefined
  }
  return {
    hooks,
    clock,
    config,
    market,
    rooms,
    source,
    publish,
    history,
    /**
     * The history answers a question with the batch included, and only then does the market receive the
     * batch.
     */
    publishLate: async () => {
      const batch = source.flush()
      history.apply(batch)
      await history.release()
      apply(batch)
    },
    /** The market applies a batch that rooms never receive. */
    applyUnseen: () => {
      const batch = source.flush()
      history.apply(batch)
      market.apply(batch)
      hooks.onApplied(batch.events)
    },
    /** Lets this much journal time pass without a command. */
    pass: (ms: number) => {
      const time = source.pass(ms)
      market.pass(time)
      hooks.onApplied()
      rooms.pass(time)
    },
    pendingBytes,
    /** Places this number of resting orders, each at a price of its own, for the next `sweep` to match. */
    rest: (levels: number) => {
      for (let i = 0; i < levels; i++) source.place(BTC.id, 'SELL', price(10_000 + i), 100)
      publish()
    },
    sweep: (levels: number) => {
      source.place(BTC.id, 'BUY', price(10_000 + levels), lots(100 * levels))
      publish()
    },
    connect: <Client extends ManualClient>(client: Client): Client => {
      clients.push(client)
      return client
    },
    /** The time at which the next turn is due; undefined if none is. */
    nextTurnAt: (): number | undefined => turnsDue.toSorted((a, b) => a.at - b.at)[0]?.at,
    turn,
    /** Runs all turns, and all queries to the history, until nothing is left to do. */
    settle: async () => {
      do {
        while (turn()) {}
        await history.release()
      } while (turnsDue.length + history.held > 0)
    },
  }
}

/** A client behind a buffer that it empties on demand. Subclasses process the events. */
export abstract class ManualClient implements Link {
  readonly messageBytes = 0
  readonly session: Session
  pending = 0
  writes = 0
  bytesWritten = 0
  /** Sends everything in the buffer at once. */
  isQuick = true

  constructor({ rooms, config, clock }: Pick<ReturnType<typeof broadcast>, 'rooms' | 'config' | 'clock'>) {
    const budget = new ConnectionBudget()
    this.session = new Session({ link: this, rooms, budget, config, language: 'en', now: () => clock.now })
  }

  abstract take(event: string, payload: unknown): void

  join(symbol: string): void {
    this.session.receive({ kind: 'join', symbol })
  }

  drain(): void {
    this.pending = 0
    this.session.freshen()
  }

  pendingBytes(): number {
    return this.pending
  }

  abort(): void {
    throw new Error('a client of market data is not cut off')
  }

  send(frames: readonly Frame[]): void {
    this.writes++
    for (const frame of frames) {
      this.bytesWritten += frame.length
      if (!this.isQuick) this.pending += frame.length
      const [event, payload] = JSON.parse(frame.text)
      this.take(event, payload)
    }
  }
}
