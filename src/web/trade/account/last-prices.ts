/** The last prices of all markets, asked for again and again while the account is live. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import type { Trader } from '../state/trader.ts'

const PRICES_EVERY_MS = 10_000

/** None: not known, or not any more. */
export function useLastPrices(trader: Trader): readonly PriceTicker[] {
  const prices = useSignal<readonly PriceTicker[]>([])
  const isLive = trader.account.isLive.value
  useEffect(() => {
    // What is not known now has no value: an old one is not shown as if it were.
    prices.value = []
    if (!isLive) return
    const stop = new AbortController()
    const ask = () => {
      trader.prices(stop.signal).then(
        (found) => {
          if (!stop.signal.aborted) prices.value = found
        },
        () => {
          if (!stop.signal.aborted) prices.value = []
        },
      )
    }
    ask()
    const timer = setInterval(ask, PRICES_EVERY_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [trader, isLive])
  return prices.value
}
