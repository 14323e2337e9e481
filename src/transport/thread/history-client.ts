/**
 * The gateway's way to the history: sends questions to the follower's thread.
 */

import type { PublicTrade } from '../../core/exchange/view.ts'
import type { HistoryOrder } from '../../engine/history/order-history.ts'
import { readUpdatesAnswers } from '../../engine/history/update-answer-codec.ts'
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import type {
  CandlePage,
  CandleQuery,
  EventQuery,
  EventsAnswer,
  FillPage,
  FillQuery,
  HistoryPort,
  LedgerPage,
  LedgerQuery,
  NumberedOrdersQuery,
  OperatorAction,
  OperatorActionQuery,
  OrderPage,
  OrderQuery,
  PastEventPage,
  PastEventQuery,
  PositionPage,
  PositionQuery,
  TradePage,
  TradeQuery,
  UpdatesAnswer,
  UpdatesQuery,
} from '../../engine/port/ports.ts'
import type { RequestTerms } from '../../engine/port/request-client.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, QuestionClient } from './channel.ts'
import type { HistoryQuestions } from './history-queries.ts'

export type HistoryClientOptions = {
  /** Most questions without an answer; above it the answer is OVERLOADED at once. */
  readonly inFlightMax: number
  /** A question not answered after this long, or at most a quarter longer, is OVERLOADED: the history is too far behind. */
  readonly answerTimeoutMs: number
  /** The runtime's, by default. */
  readonly scheduler?: Scheduler
}

const DEFAULT_HISTORY_CLIENT_OPTIONS: HistoryClientOptions = {
  inFlightMax: 10_000,
  answerTimeoutMs: 5_000,
}

const READ: RequestTerms = { lost: 'ENGINE_DOWN', late: 'OVERLOADED' }

export class HistoryClient implements HistoryPort {
  readonly #questions: QuestionClient<HistoryQuestions>

  constructor(channel: Channel, options: HistoryClientOptions = DEFAULT_HISTORY_CLIENT_OPTIONS) {
    const { inFlightMax, answerTimeoutMs, scheduler = runtimeScheduler } = options
    this.#questions = new QuestionClient<HistoryQuestions>(channel, {
      terms: {
        trades: READ,
        fills: READ,
        ledger: READ,
        positions: READ,
        orders: READ,
        numberedOrders: READ,
        recentTrades: READ,
        candles: READ,
        updates: READ,
        operatorActions: READ,
        events: READ,
        pastEvents: READ,
      },
      inFlightMax,
      faultOf,
      patience: { timeoutMs: answerTimeoutMs, later: (task, delayMs) => scheduler.later(task, delayMs) },
    })
  }

  /** Questions without an answer. */
  get inFlight(): number {
    return this.#questions.inFlight
  }

  trades(query: TradeQuery): Promise<TradePage> {
    return this.#questions.ask('trades', query)
  }

  fills(query: FillQuery): Promise<FillPage> {
    return this.#questions.ask('fills', query)
  }

  ledger(query: LedgerQuery): Promise<LedgerPage> {
    return this.#questions.ask('ledger', query)
  }

  positions(query: PositionQuery): Promise<PositionPage> {
    return this.#questions.ask('positions', query)
  }

  orders(query: OrderQuery): Promise<OrderPage> {
    return this.#questions.ask('orders', query)
  }

  numberedOrders(query: NumberedOrdersQuery): Promise<readonly HistoryOrder[]> {
    return this.#questions.ask('numberedOrders', query)
  }

  recentTrades(symbolId: SymbolId, limit: number, upTo: Seq): Promise<readonly PublicTrade[]> {
    return this.#questions.ask('recentTrades', { symbolId, limit, upTo })
  }

  candles(query: CandleQuery): Promise<CandlePage> {
    return this.#questions.ask('candles', query)
  }

  async updates(query: UpdatesQuery): Promise<readonly UpdatesAnswer[]> {
    const answers = await this.#questions.ask('updates', query)
    return answers instanceof Uint8Array ? readUpdatesAnswers(answers) : answers
  }

  operatorActions(query: OperatorActionQuery): Promise<readonly OperatorAction[]> {
    return this.#questions.ask('operatorActions', query)
  }

  events(query: EventQuery): Promise<EventsAnswer> {
    return this.#questions.ask('events', query)
  }

  pastEvents(query: PastEventQuery): Promise<PastEventPage> {
    return this.#questions.ask('pastEvents', query)
  }

  /** The follower is gone, or will be: rejects what waits and all that comes. */
  close(kind: 'STOPPING' | 'ENGINE_DOWN' | 'NO_LEADER'): void {
    this.#questions.close(kind)
  }
}

function faultOf(kind: EngineFaultKind): EngineFault {
  if (kind === 'STOPPING') return new EngineFault(kind, 'the history is stopping')
  if (kind === 'OVERLOADED') return new EngineFault(kind, 'the history is behind, and too much waits for it')
  if (kind === 'NO_LEADER') return new EngineFault(kind, 'no history can be reached')
  return new EngineFault(kind, 'the history has stopped')
}
