/** Load on a running sandbox, with requests under way at any moment at which it may end. */
import type { BourseProcess } from './bourse-process.ts'
import type { Trader } from './random-trader.ts'

/** Requests under way at a time for each account. */
const CONCURRENCY = 16

export type TradeOptions = {
  readonly traders: readonly Trader[]
  /** After so many answers ... */
  readonly target: number
  /** ... this is done to the node; by default nothing, and it must end by itself. */
  readonly end?: () => void
}

/**
 * Trades until `target` answers have come, then does `end` with requests under way; each client goes on until it gets
 * no answer. Resolves with the number of answers once the process has ended, by that or by itself.
 */
export async function tradeUntilEnd(running: BourseProcess, options: TradeOptions): Promise<number> {
  const { traders, target, end = () => {} } = options
  // Not of the file: on a full disk it is the one of an earlier run.
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
