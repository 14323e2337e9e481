/** The gateway's access to the history: sends queries to the follower thread, or over a link. */
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import {
  HISTORY_NAMES,
  type HistoryName,
  type HistoryPort,
  type HistoryValue,
  historyPort,
  receivedAnswer,
} from '../../engine/port/history-questions.ts'
import type { RequestTerms } from '../../engine/port/request-client.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { runtimeScheduler } from '../../storage/scheduler.ts'
import { type Channel, QuestionClient } from './channel.ts'
import type { HistoryQuestions } from './history-queries.ts'

export type HistoryClientOptions = {
  /** Maximum number of unanswered queries; above it the answer is OVERLOADED at once. */
  readonly inFlightMax: number
  /**
   * A query that is unanswered after this time, or at most a quarter later, is answered with OVERLOADED: the
   * history is too far behind.
   */
  readonly answerTimeoutMs: number
  /** The runtime's by default. */
  readonly scheduler?: Scheduler
}

const DEFAULT_HISTORY_CLIENT_OPTIONS: HistoryClientOptions = {
  inFlightMax: 10_000,
  answerTimeoutMs: 5_000,
}

const READ: RequestTerms = { lost: 'ENGINE_DOWN', late: 'OVERLOADED' }
const TERMS = Object.fromEntries(HISTORY_NAMES.map((name) => [name, READ])) as {
  readonly [Name in HistoryName]: RequestTerms
}

export type HistoryClient = HistoryPort & {
  /** Number of unanswered queries. */
  readonly inFlight: number
  /** Called when the follower has ended or is about to end: pending and new queries are rejected. */
  close(kind: 'STOPPING' | 'ENGINE_DOWN' | 'NO_LEADER'): void
}

/** The port of the history at the other end of `channel`. */
export function historyClient(
  channel: Channel,
  options: HistoryClientOptions = DEFAULT_HISTORY_CLIENT_OPTIONS,
): HistoryClient {
  const { inFlightMax, answerTimeoutMs, scheduler = runtimeScheduler } = options
  const questions = new QuestionClient<HistoryQuestions>(channel, {
    terms: TERMS,
    inFlightMax,
    faultOf,
    patience: { timeoutMs: answerTimeoutMs, later: (task, delayMs) => scheduler.later(task, delayMs) },
  })
  return {
    ...historyPort(async (name, fields) => {
      const answer: HistoryValue<typeof name> | Uint8Array = await questions.ask(name, fields)
      return answer instanceof Uint8Array ? receivedAnswer(name, answer) : answer
    }),
    get inFlight() {
      return questions.inFlight
    },
    close: (kind) => questions.close(kind),
  }
}

function faultOf(kind: EngineFaultKind): EngineFault {
  if (kind === 'STOPPING') return new EngineFault(kind, 'the history is stopping')
  if (kind === 'OVERLOADED')
    return new EngineFault(kind, 'the history is behind, and too many queries wait for it')
  if (kind === 'NO_LEADER') return new EngineFault(kind, 'no history can be reached')
  return new EngineFault(kind, 'the history has stopped')
}
