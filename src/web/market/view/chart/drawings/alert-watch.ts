/**
 * Watches the markets that have price alerts while the page is open, and says when one is reached: on the page, and by the browser where somebody has switched that on. It follows
 * their candles of a second: no price between two messages is missed.
 */
import type { Candle } from '../../../../../client/interface/answers.ts'
import type { KlineMessage } from '../../../../../client/interface/messages.ts'
import type { MarketStream } from '../../../../../client/stream/market-stream.ts'
import type { BrowserStorage } from '../../../../shared/browser-storage.ts'
import { groupedText } from '../../../../shared/grouped-text.ts'
import { pageNotifications } from '../../../../shared/notifications.ts'
import { TEXTS } from '../../../../shared/texts/texts.ts'
import { alertsEntry, type PriceAlert, reached, whyNoAlert, withAlert } from '../../../state/price-alerts.ts'

/** Least time between two messages of a market. The chart follows its candles at another pace: they are two subscriptions. */
const INTERVAL_MS = 1_000

export type AlertWatchOptions = {
  readonly stream: Pick<MarketStream, 'subscribe'>
  readonly storage: BrowserStorage
  readonly notify: (say: () => string) => void
}

export class AlertWatch {
  readonly #options: AlertWatchOptions
  readonly #entry: ReturnType<typeof alertsEntry>
  readonly #subscriptionByMarket = new Map<string, { close(): void }>()
  readonly #watchers: (() => void)[] = []
  /** When the newest candle began that is known of a market, in milliseconds. */
  readonly #newestByMarket = new Map<string, number>()
  /** By alert: of the candle that ran when it was set, and of earlier ones, no high or low counts. */
  readonly #sinceById = new Map<number, number>()
  #alerts: readonly PriceAlert[]

  constructor(options: AlertWatchOptions) {
    this.#options = options
    this.#entry = alertsEntry(options.storage)
    this.#alerts = this.#entry.read()
    // Another tab has set one, or has said that one is reached.
    this.#entry.watch(() => this.#show(this.#entry.read()))
    this.#follow()
  }

  /** Of all markets. */
  get alerts(): readonly PriceAlert[] {
    return this.#alerts
  }

  /** Calls when there are others. */
  watch(onChange: () => void): void {
    this.#watchers.push(onChange)
  }

  /** Why it was not set; undefined: it was. */
  add(market: string, price: string, last: string): ReturnType<typeof whyNoAlert> {
    const why = whyNoAlert(this.#alerts, market, price)
    if (why !== undefined) return why
    const alerts = withAlert(this.#alerts, market, price, last)
    this.#sinceById.set(alerts.at(-1)?.id ?? 0, this.#newestByMarket.get(market) ?? 0)
    this.#set(alerts)
    return undefined
  }

  remove(id: number): void {
    this.#set(this.#alerts.filter((alert) => alert.id !== id))
  }

  #set(alerts: readonly PriceAlert[]): void {
    this.#entry.write(alerts)
    this.#show(alerts)
  }

  #show(alerts: readonly PriceAlert[]): void {
    this.#alerts = alerts
    this.#follow()
    for (const onChange of this.#watchers) onChange()
  }

  #follow(): void {
    const wanted = new Set(this.#alerts.map(({ market }) => market))
    for (const [market, subscription] of this.#subscriptionByMarket) {
      if (wanted.has(market)) continue
      this.#subscriptionByMarket.delete(market)
      this.#newestByMarket.delete(market)
      subscription.close()
    }
    for (const market of wanted) {
      if (this.#subscriptionByMarket.has(market)) continue
      const subscription = this.#options.stream.subscribe(
        { channel: 'kline_1s', symbol: market, intervalMs: INTERVAL_MS },
        { onMessage: (message) => this.#take(market, message) },
      )
      this.#subscriptionByMarket.set(market, subscription)
    }
  }

  #take(market: string, { closed = [], current, prevSeq }: KlineMessage): void {
    const candles = current === undefined ? closed : [...closed, current]
    const newest = candles.at(-1)
    if (newest === undefined) return
    // The first message has the candles of before: of those the last price counts.
    const counted = prevSeq === undefined ? [newest] : candles
    const found = this.#alerts.filter((alert) => {
      const since = prevSeq === undefined ? newest[0] : (this.#sinceById.get(alert.id) ?? 0)
      return (
        reached(
          [alert],
          market,
          counted.flatMap((candle) => pricesOf(candle, since)),
        ).length > 0
      )
    })
    this.#newestByMarket.set(market, newest[0])
    if (found.length === 0) return
    for (const { id } of found) this.#sinceById.delete(id)
    this.#set(this.#alerts.filter((alert) => !found.includes(alert)))
    for (const alert of found) this.#say(alert)
  }

  #say({ market, price, from }: PriceAlert): void {
    const say = () => TEXTS.drawings.reached[from](market, groupedText(price))
    this.#options.notify(say)
    // Somebody may work elsewhere while the page is in sight.
    if (document.hidden || !document.hasFocus()) pageNotifications().raise(say())
  }
}

/** What counts of a candle: all that it reached where it began later, else where it is. */
function pricesOf([openTime, , high, low, close]: Candle, since: number): readonly string[] {
  return openTime > since ? [high, low] : [close]
}
