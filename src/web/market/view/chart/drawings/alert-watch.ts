/**
 * Watches the markets with price alerts while the page is open, and notifies when one is reached: on the
 * page, and through the browser if that is enabled. It follows their one-second candles, so that no price
 * between two messages is missed.
 */
import type { Candle } from '../../../../../client/interface/answers.ts'
import type { KlineMessage } from '../../../../../client/interface/messages.ts'
import type { MarketStream } from '../../../../../client/stream/market-stream.ts'
import type { BrowserStorage } from '../../../../shared/browser-storage.ts'
import { groupedText } from '../../../../shared/grouped-text.ts'
import { pageNotifications } from '../../../../shared/notifications.ts'
import { TEXTS } from '../../../../shared/texts/texts.ts'
import { alertsEntry, type PriceAlert, reached, whyNoAlert, withAlert } from '../../../state/price-alerts.ts'

/**
 * Shortest time between two messages of a market. It differs from that of the chart, so that the two are
 * separate subscriptions.
 */
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
  /** The opening time of the newest known candle of a market, in milliseconds. */
  readonly #newestByMarket = new Map<string, number>()
  /**
   * By alert: the opening time of the candle in which it was set. Highs and lows of this candle and of
   * earlier ones do not count.
   */
  readonly #sinceById = new Map<number, number>()
  #alerts: readonly PriceAlert[]

  constructor(options: AlertWatchOptions) {
    this.#options = options
    this.#entry = alertsEntry(options.storage)
    this.#alerts = this.#entry.read()
    // Another tab has set an alert, or has shown that an alert was reached.
    this.#entry.watch(() => this.#show(this.#entry.read()))
    this.#follow()
  }

  /** The alerts of all markets. */
  get alerts(): readonly PriceAlert[] {
    return this.#alerts
  }

  /** Calls the listener when they have changed. */
  watch(onChange: () => void): void {
    this.#watchers.push(onChange)
  }

  /** The reason why the alert was not set; undefined if it was. */
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
    // The first message contains earlier candles, of which only the last price counts.
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
    // The user may work elsewhere while the page is visible.
    if (document.hidden || !document.hasFocus()) pageNotifications().raise(say())
  }
}

/** The counted part of a candle: its whole range if it began later, otherwise its last price. */
function pricesOf([openTime, , high, low, close]: Candle, since: number): readonly string[] {
  return openTime > since ? [high, low] : [close]
}
