/** The last prices of all markets, loaded periodically while the account is live. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import type { Trader } from '../state/trader.ts'

const PRICES_EVERY_MS = 10_000

/** Empty while they are unknown. */
export function useLastPrices(trader: Trader): readonly PriceTicker[] {
  const prices = useSignal<readonly PriceTicker[]>([])
  const isLive = trader.account.isLive.value
  useEffect(() => {
    // Without current prices no values are shown: old ones would seem to be current.
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
