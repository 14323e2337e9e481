/** Queries to the history as they are sent between threads and over links, and the follower's end of them. */
import type { WaitingList } from '../../engine/follower/waiting.ts'
import {
  type HistoryAnswers,
  type HistoryFields,
  type HistoryName,
  type HistoryValue,
  historyCalls,
  reachedHistory,
  sentAnswer,
} from '../../engine/port/history-questions.ts'
import { ByteWriter } from '../../units/bytes.ts'
import { answerQuestions, type Channel } from './channel.ts'

/** Some answers from a thread are bytes; over a link they are plain values, like all others. */
export type HistoryQuestions = {
  readonly [Name in HistoryName]: {
    readonly fields: HistoryFields<Name>
    readonly value: HistoryValue<Name> | Uint8Array
  }
}

/**
 * Answers the gateway at the other end of `channel`: a query waits until the history has reached the command
 * that the answer must include.
 */
export function serveHistory(channel: Channel, store: HistoryAnswers, waiting: WaitingList): void {
  const writer = new ByteWriter()
  const history = reachedHistory(store, (seq) => waiting.reach(seq))
  answerQuestions<HistoryQuestions>(
    channel,
    historyCalls<Uint8Array>(async (name, fields) => sentAnswer(writer, name, await history[name](fields))),
  )
}
