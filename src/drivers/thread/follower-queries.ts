/**
 * Questions to the history, as they travel, and the follower's end of them. A question names the command that its
 * answer must show, and waits until the history has reached it.
 */
import type { WaitingList } from '../../engine/follower/waiting.ts'
import type { HistoryStore } from '../../engine/history.ts'
import type {
  OperatorAction,
  OperatorActionQuery,
  PublicTrade,
  TradePage,
  TradeQuery,
} from '../../engine/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import type { Seq } from '../../units/quantities.ts'
import { type Channel, type FaultMessage, faultMessage, listen } from './follower-channel.ts'

export type TradesQuestion = { readonly kind: 'trades'; readonly query: TradeQuery }
export type RecentTradesQuestion = {
  readonly kind: 'recentTrades'
  readonly symbolId: SymbolId
  readonly limit: number
  readonly upTo: Seq
}

export type OperatorActionsQuestion = {
  readonly kind: 'operatorActions'
  readonly query: OperatorActionQuery
}

/** `number` is unique among the sender's questions; the answer names it. */
export type HistoryQuestion = { readonly number: number } & (
  | TradesQuestion
  | RecentTradesQuestion
  | OperatorActionsQuestion
)

export type HistoryAnswer = { readonly number: number } & (
  | { readonly kind: 'trades'; readonly page: TradePage }
  | { readonly kind: 'recentTrades'; readonly trades: readonly PublicTrade[] }
  | { readonly kind: 'operatorActions'; readonly actions: readonly OperatorAction[] }
  | { readonly kind: 'fault'; readonly fault: FaultMessage }
)

/** Answers the gateway at the other end of `channel`. */
export function serveHistory(channel: Channel, store: HistoryStore, waiting: WaitingList): void {
  listen<HistoryQuestion>(channel, (question) => {
    answer(question, store, waiting)
      .catch(
        (error: unknown): HistoryAnswer => ({
          kind: 'fault',
          number: question.number,
          fault: faultMessage(error),
        }),
      )
      .then((found) => channel.postMessage(found))
  })
}

async function answer(
  question: HistoryQuestion,
  store: HistoryStore,
  waiting: WaitingList,
): Promise<HistoryAnswer> {
  const { number } = question
  if (question.kind === 'trades') {
    await waiting.reach(question.query.atLeast)
    return { kind: 'trades', number, page: await store.page(question.query) }
  }
  if (question.kind === 'operatorActions') {
    await waiting.reach(question.query.atLeast)
    return { kind: 'operatorActions', number, actions: await store.operatorActions(question.query) }
  }
  const { symbolId, limit, upTo } = question
  await waiting.reach(upTo)
  return { kind: 'recentTrades', number, trades: await store.recentTrades(symbolId, limit, upTo) }
}
