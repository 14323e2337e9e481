/**
 * Price alerts: shown when the last price reaches them, stored in this browser, and watched while the page is
 * open.
 */
import { Decimal } from '../../../client/decimal.ts'
import { browserEntry, type Entry, membersOf } from '../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../shared/browser-storage.ts'
import { ALERTS_ENTRY } from './part-entries.ts'

export type PriceAlert = {
  readonly id: number
  readonly market: string
  /** As an exact decimal. */
  readonly price: string
  /** Whether the last price was below or above it when it was set. */
  readonly from: 'BELOW' | 'ABOVE'
}

/** Maximum number of alerts in all markets. */
export const ALERTS_MAX = 40
/**
 * Maximum number of watched markets: each takes a subscription, and the number of subscriptions of a
 * connection is limited.
 */
export const ALERT_MARKETS_MAX = 10

/** The reason why no further alert can be set; undefined if one can. */
export function whyNoAlert(
  alerts: readonly PriceAlert[],
  market: string,
  price: string,
): 'MANY' | 'MANY_MARKETS' | 'THERE' | undefined {
  if (alerts.some((one) => one.market === market && one.price === price)) return 'THERE'
  if (alerts.length >= ALERTS_MAX) return 'MANY'
  const markets = new Set(alerts.map((one) => one.market)).add(market)
  return markets.size > ALERT_MARKETS_MAX ? 'MANY_MARKETS' : undefined
}

/** `last`: the last price. An alert at exactly the last price is one for a rise. */
export function withAlert(
  alerts: readonly PriceAlert[],
  market: string,
  price: string,
  last: string,
): readonly PriceAlert[] {
  if (whyNoAlert(alerts, market, price) !== undefined) return alerts
  const id = 1 + Math.max(0, ...alerts.map((one) => one.id))
  const from = Decimal.from(last).compare(price) > 0 ? 'ABOVE' : 'BELOW'
  return [...alerts, { id, market, price, from }]
}

/** The alerts of a market that one of these trades has reached. */
export function reached(
  alerts: readonly PriceAlert[],
  market: string,
  prices: readonly string[],
): readonly PriceAlert[] {
  return alerts.filter((alert) => {
    if (alert.market !== market) return false
    const sign = alert.from === 'BELOW' ? 1 : -1
    return prices.some((price) => Decimal.from(price).compare(alert.price) * sign >= 0)
  })
}

/** Damaged entries are dropped. */
export function alertsEntry(storage: BrowserStorage): Entry<readonly PriceAlert[]> {
  return browserEntry<readonly PriceAlert[]>(storage, ALERTS_ENTRY, (kept) => {
    const alerts: PriceAlert[] = []
    for (const one of Array.isArray(kept) ? kept : []) {
      const { id, market, price, from } = membersOf(one)
      if (typeof id !== 'number' || typeof market !== 'string' || typeof price !== 'string') continue
      if (!/^\d{1,20}(?:\.\d{1,20})?$/.test(price) || (from !== 'BELOW' && from !== 'ABOVE')) continue
      if (whyNoAlert(alerts, market, price) === undefined) alerts.push({ id, market, price, from })
    }
    return alerts
  })
}
