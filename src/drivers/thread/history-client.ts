/**
 * The gateway's way to the history: sends questions to the follower's thread and keeps a promise for each, but not
 * for ever and not too many.
 */
import type { Scheduler } from '../../engine/loop.ts'
import {
  EngineFault,
  type HistoryPort,
  type OperatorAction,
  type OperatorActionQuery,
  type PublicTrade,
  type TradePage,
  type TradeQuery,
} from '../../engine/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, faultOf, listen } from './follower-channel.ts'
import type {
  HistoryAnswer,
  OperatorActionsQuestion,
  RecentTradesQuestion,
  TradesQuestion,
} from './follower-queries.ts'
import { runtimeScheduler } from './scheduler.ts'

export type HistoryClientOptions = {
  /** Most questions without an answer; above it the answer is OVERLOADED at once. */
  readonly inFlightMax: number
  /** A question not answered after this long is OVERLOADED: the history is too far behind. */
  readonly answerTimeoutMs: number
  /** The runtime's, unless told otherwise. */
  readonly scheduler?: Scheduler
  /** Milliseconds that only ever grow; the runtime's, unless told otherwise. */
  readonly now?: () => number
}

const DEFAULT_HISTORY_CLIENT_OPTIONS: HistoryClientOptions = {
  inFlightMax: 10_000,
  answerTimeoutMs: 5_000,
}

type Pending = {
  readonly expiresAt: number
  readonly resolve: (answer: HistoryAnswer) => void
  readonly reject: (fault: EngineFault) => void
}

export class HistoryClient implements HistoryPort {
  readonly #channel: Channel
  readonly #options: HistoryClientOptions
  /** In the order in which they were asked, so the first one expires first. */
  readonly #pendingByNumber = new Map<number, Pending>()
  #lastNumber = 0
  readonly #scheduler: Scheduler
  readonly #now: () => number
  #cancelTimer: (() => void) | undefined
  #closed: EngineFault | undefined

  constructor(channel: Channel, options: HistoryClientOptions = DEFAULT_HISTORY_CLIENT_OPTIONS) {
    this.#channel = channel
    this.#options = options
    this.#scheduler = options.scheduler ?? runtimeScheduler
    this.#now = options.now ?? (() => performance.now())
    listen<HistoryAnswer>(channel, (answer) => this.#settle(answer))
  }

  /** Questions without an answer. */
  get inFlight(): number {
    return this.#pendingByNumber.size
  }

  async trades(query: TradeQuery): Promise<TradePage> {
    const answer = await this.#ask({ kind: 'trades', query })
    invariant(answer.kind === 'trades', () => `expected a page of trades, found ${answer.kind}`)
    return answer.page
  }

  async recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    const answer = await this.#ask({ kind: 'recentTrades', symbolId, limit, upTo })
    invariant(answer.kind === 'recentTrades', () => `expected recent trades, found ${answer.kind}`)
    return answer.trades
  }

  async operatorActions(query: OperatorActionQuery): Promise<readonly OperatorAction[]> {
    const answer = await this.#ask({ kind: 'operatorActions', query })
    invariant(answer.kind === 'operatorActions', () => `expected operators' actions, found ${answer.kind}`)
    return answer.actions
  }

  /** The follower is gone, or will be: rejects what waits and all that comes. */
  close(kind: 'STOPPING' | 'ENGINE_DOWN'): void {
    const fault = new EngineFault(
      kind,
      kind === 'STOPPING' ? 'the history is stopping' : 'the history has stopped',
    )
    this.#closed = fault
    this.#cancelTimer?.()
    for (const { reject } of this.#pendingByNumber.values()) reject(fault)
    this.#pendingByNumber.clear()
  }

  #ask(question: TradesQuestion | RecentTradesQuestion | OperatorActionsQuestion): Promise<HistoryAnswer> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    const { inFlightMax, answerTimeoutMs } = this.#options
    if (this.#pendingByNumber.size >= inFlightMax) {
      return Promise.reject(
        new EngineFault('OVERLOADED', `${inFlightMax} questions already wait for the history`),
      )
    }
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber
      this.#channel.postMessage({ number, ...question })
      this.#pendingByNumber.set(number, { expiresAt: this.#now() + answerTimeoutMs, resolve, reject })
      this.#cancelTimer ??= this.#scheduler.later(() => this.#expire(), answerTimeoutMs)
    })
  }

  #settle(answer: HistoryAnswer): void {
    const pending = this.#pendingByNumber.get(answer.number)
    // An answer that came too late has nobody left to take it.
    if (pending === undefined) return
    this.#pendingByNumber.delete(answer.number)
    if (answer.kind === 'fault') pending.reject(faultOf(answer.fault))
    else pending.resolve(answer)
  }

  /** Rejects what has waited too long; one timer serves all. */
  #expire(): void {
    this.#cancelTimer = undefined
    const now = this.#now()
    for (const [number, { expiresAt, reject }] of this.#pendingByNumber) {
      if (expiresAt > now) {
        this.#cancelTimer = this.#scheduler.later(() => this.#expire(), Math.ceil(expiresAt - now))
        return
      }
      this.#pendingByNumber.delete(number)
      const waited = `${this.#options.answerTimeoutMs} ms`
      reject(new EngineFault('OVERLOADED', `the history did not reach what was asked for within ${waited}`))
    }
  }
}
