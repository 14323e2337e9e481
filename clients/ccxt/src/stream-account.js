/**
 * The private feed: orders, trades and balances of the account as they change. After a reconnect the client
 * presents the last position of each channel and receives what it missed, so that a lost connection loses no
 * change and no trade.
 */
import { sum } from './decimals.js'
import { hashOf } from './stream.js'
import { Updates } from './updates.js'

export function withAccountStream(Exchange) {
  return class extends Exchange {
    handleEvent(client, event, values) {
      const [payload] = values
      const take = payload?.journal === undefined ? undefined : this.takerOf(event)
      if (take === undefined) super.handleEvent(client, event, values)
      else this.handlePrivate(client, event, payload, take)
    }

    takerOf(channel) {
      if (channel === 'orders') return this.takeOrders
      if (channel === 'fills') return this.takeFills
      return channel === 'balances' ? this.takeBalances : undefined
    }

    /** The next message of a private channel, after the messages missed since the last one. */
    async followPrivate(channel, messageHash) {
      await this.logIn()
      return this.follow('private', [{ channel, ...this.streamState.places[channel] }], [messageHash])
    }

    handlePrivate(client, channel, payload, take) {
      const hash = hashOf({ channel })
      const state = client.following?.[hash]
      // A long state arrives in several messages, of which only the first replaces the known state.
      const goesOn = state?.isStateOpen === true
      const kind = this.followed(client, hash, payload)
      if (kind === undefined) return
      state.isStateOpen = kind === 'state' && payload.more === true
      take.call(this, client, payload, kind === 'state' && !goesOn)
      if (!payload.more) this.streamState.places[channel] = { since: payload.seq, journal: payload.journal }
    }

    async watchOrders(symbol = undefined, since = undefined, limit = undefined, _params = {}) {
      return this.watchRows('orders', 'orders', symbol, since, limit)
    }

    async watchMyTrades(symbol = undefined, since = undefined, limit = undefined, _params = {}) {
      return this.watchRows('fills', 'myTrades', symbol, since, limit)
    }

    async watchRows(channel, member, symbol, since, limit) {
      await this.loadMarkets()
      const market = symbol === undefined ? undefined : this.market(symbol).symbol
      const messageHash = market === undefined ? channel : `${channel}:${market}`
      if (!this[member]?.hasNew(market)) await this.followPrivate(channel, messageHash)
      return this.newOf(this[member], market, since, limit)
    }

    async unWatchOrders(_symbol = undefined, _params = {}) {
      return this.unWatchPrivate('orders')
    }

    async unWatchMyTrades(_symbol = undefined, _params = {}) {
      return this.unWatchPrivate('fills')
    }

    /** Unsubscribes and forgets the state: the next subscription begins with the state at that time. */
    async unWatchPrivate(channel) {
      const result = await this.unfollow('private', { channel })
      delete this.streamState.places[channel]
      if (channel === 'orders') this.orders = undefined
      if (channel === 'fills') this.myTrades = undefined
      return result
    }

    takeOrders(client, { orders }, isState) {
      if (isState || this.orders === undefined) {
        this.orders = new Updates(this.options.ordersLimit, ({ id }) => id)
      }
      // The state has the newest item first, a list the newest last.
      const rows = isState ? orders.toReversed() : orders
      this.appendAll(
        client,
        'orders',
        this.orders,
        rows.map((order) => this.parseOrder(order)),
      )
    }

    takeFills(client, { fills }) {
      // For a trade of an account with itself both sides have the same id.
      this.myTrades ??= new Updates(this.options.tradesLimit, ({ id, order }) => `${id}:${order}`)
      this.appendAll(
        client,
        'fills',
        this.myTrades,
        fills.map((fill) => this.parseTrade(fill)),
      )
    }

    appendAll(client, channel, list, items) {
      for (const item of items) list.append(item)
      for (const symbol of new Set(items.map((item) => item.symbol)))
        client.resolve(list, `${channel}:${symbol}`)
      if (items.length > 0) client.resolve(list, channel)
    }

    async watchBalance(_params = {}) {
      await this.loadMarkets()
      if (!this.streamState.isBalanceNew) await this.followPrivate('balances', 'balances')
      this.streamState.isBalanceNew = false
      return this.balance
    }

    takeBalances(client, payload, isState) {
      const known = isState
        ? {}
        : this.omit(this.balance, ['info', 'timestamp', 'datetime', 'free', 'used', 'total'])
      const result = {
        ...known,
        info: payload,
        timestamp: payload.time,
        datetime: this.iso8601(payload.time),
      }
      for (const { asset, free, locked, freeze } of payload.balances) {
        result[this.safeCurrencyCode(asset)] = { free, used: sum(locked, freeze) }
      }
      this.balance = this.safeBalance(result)
      this.streamState.isBalanceNew = true
      if (!payload.more) client.resolve(this.balance, 'balances')
    }
  }
}
