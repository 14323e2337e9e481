/** Load on a running sandbox, with requests in flight whenever it may end. */
import type { BourseProcess } from './bourse-process.ts'
import type { Trader } from './random-trader.ts'

/** Number of requests in flight at the same time for each account. */
const CONCURRENCY = 16

export type TradeOptions = {
  readonly traders: readonly Trader[]
  /** After this number of answers ... */
  readonly target: number
  /** ... this is called. By default nothing is called, and the node must end by itself. */
  readonly end?: () => void
}

/**
 * Trades until `target` answers have arrived, then calls `end` with requests in flight; each client continues
 * until it gets no answer. Resolves with the number of answers once the process has exited, because of `end`
 * or by itself.
 */
export async function tradeUntilEnd(running: BourseProcess, options: TradeOptions): Promise<number> {
  const { traders, target, end = () => {} } = options
  // Not read from the file: on a full disk that would be the URL of an earlier run.
  const baseUrl = await running.ready
  let answers = 0
  const reached = Promise.withResolvers<void>()
  const trade = async (trader: Trader): Promise<void> => {
    while (await trader.act(baseUrl)) {
      if (++answers === target) reached.resolve()
    }
  }
  const loops = traders.flatMap((trader) => Array.from({ length: CONCURRENCY }, () => trade(trader)))
  await Promise.race([reached.promise, running.child.exited])
  end()
  await Promise.all(loops)
  await running.exited()
  return answers
}
