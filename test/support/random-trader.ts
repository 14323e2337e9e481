/**
 * A trader that places and cancels at random, records every answer, and can check the exchange against its
 * records through the interface alone.
 */
import { type Credentials, signed } from './bourse-process.ts'
import { units } from './exact.ts'

const SYMBOL = 'BTC/USDT'
/** Prices are within this distance of 50,000, so that many orders match. */
const PRICE_SPREAD = 200
const PAGE_SIZE = 1_000

type Placed = {
  readonly id: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  /** Requested (LIMIT) or executed (MARKET) quantity, in units of 10^-8. */
  readonly quantity: bigint
  /** A cancel was acknowledged, or was sent and never answered. */
  cancel: 'NONE' | 'DONE' | 'UNKNOWN'
}

type Body = {
  readonly status: boolean
  readonly reason?: string
  readonly data?: { readonly id: string; readonly qty: number }
}
type OpenOrder = {
  readonly id: string
  readonly qty: string
  readonly execQty: string
  readonly side: string
}
type HistoryItem = { readonly id: string; readonly orderId: string; readonly quantity: string }

export class Trader {
  readonly #account: Credentials
  readonly #random: () => number
  readonly #placedById = new Map<string, Placed>()
  /** Orders that a later step may cancel. */
  readonly #cancellable: Placed[] = []
  /** Number of orders sent without an answer: each may or may not exist. */
  #unknownPlacements = 0
  canceledCount = 0
  refusedCount = 0
  /** Number of orders refused for lack of space. */
  fullCount = 0

  constructor(account: Credentials, random: () => number) {
    this.#account = account
    this.#random = random
  }

  get placedCount(): number {
    return this.#placedById.size
  }

  /** Another trader with the same records, for an exchange that continues from a copy of the same data. */
  fork(random: () => number): Trader {
    const twin = new Trader(this.#account, random)
    for (const placed of this.#placedById.values()) twin.#placedById.set(placed.id, { ...placed })
    for (const { id } of this.#cancellable) twin.#cancellable.push(twin.#placedById.get(id) as Placed)
    twin.#unknownPlacements = this.#unknownPlacements
    return twin
  }

  /** Sends one request; returns false if it got no answer, so that its outcome is unknown. */
  async act(baseUrl: string): Promise<boolean> {
    const dice = this.#random()
    if (dice < 0.25 && this.#cancellable.length > 0) return this.#cancel(baseUrl)
    if (dice < 0.35) return this.#refused(baseUrl)
    return this.#place(baseUrl, dice < 0.45 ? 'MARKET' : 'LIMIT')
  }

  async #place(baseUrl: string, type: 'LIMIT' | 'MARKET'): Promise<boolean> {
    const side = this.#random() < 0.5 ? 'BUY' : 'SELL'
    const quantity = (0.0001 + this.#random() * 0.01).toFixed(8)
    const price = (50_000 + (this.#random() - 0.5) * PRICE_SPREAD).toFixed(2)
    const fields = {
      LIMIT: { quantity, price },
      MARKET: side === 'BUY' ? { total: (1 + this.#random() * 500).toFixed(8) } : { quantity },
    }[type]
    const answer = await this.#send(baseUrl, 'POST', { symbol: SYMBOL, side, type, ...fields })
    if (answer === 'UNKNOWN') {
      this.#unknownPlacements++
      return false
    }
    if (!answer.status || answer.data === undefined) {
      this.refusedCount++
    } else {
      const asked = type === 'LIMIT' ? quantity : answer.data.qty.toFixed(8)
      const placed: Placed = { id: answer.data.id, side, type, quantity: units(asked), cancel: 'NONE' }
      this.#placedById.set(placed.id, placed)
      if (type === 'LIMIT') this.#cancellable.push(placed)
    }
    return true
  }

  async #cancel(baseUrl: string): Promise<boolean> {
    const at = Math.floor(this.#random() * this.#cancellable.length)
    const [placed] = this.#cancellable.splice(at, 1)
    if (placed === undefined) return true
    const answer = await this.#send(baseUrl, 'DELETE', { id: placed.id })
    if (answer === 'UNKNOWN') {
      placed.cancel = 'UNKNOWN'
      return false
    }
    if (answer.status) {
      placed.cancel = 'DONE'
      this.canceledCount++
    } else this.refusedCount++
    return true
  }

  /** An order for more than the account has: it is always refused, and must leave no trace. */
  async #refused(baseUrl: string): Promise<boolean> {
    const fields = { symbol: SYMBOL, side: 'SELL', type: 'LIMIT', quantity: '1000', price: '50000' }
    const answer = await this.#send(baseUrl, 'POST', fields)
    if (answer === 'UNKNOWN') return false
    if (answer.status) throw new Error('expected a refusal of an order without funds')
    this.refusedCount++
    return true
  }

  /**
   * A refused connection is UNKNOWN as well: the runtime repeats a request by itself when a kept-alive
   * connection breaks, and then reports only the second attempt.
   */
  async #send(
    baseUrl: string,
    method: 'POST' | 'DELETE',
    fields: Record<string, string>,
  ): Promise<Body | 'UNKNOWN'> {
    try {
      const response = await signed(baseUrl, this.#account, method, 'order', fields)
      const body = (await response.json()) as Body
      if (body.reason === 'STORAGE_FULL') this.fullCount++
      return body.reason === 'OUTCOME_UNKNOWN' ? 'UNKNOWN' : body
    } catch {
      return 'UNKNOWN'
    }
  }

  /** Compares the exchange with the recorded answers; throws at the first difference. */
  async audit(baseUrl: string): Promise<void> {
    const open = await this.#openOrders(baseUrl)
    const filled = await this.#filledByOrder(baseUrl)
    const strangers = new Set([...open.keys(), ...filled.keys()].filter((id) => !this.#placedById.has(id)))
    if (strangers.size > this.#unknownPlacements) {
      throw new Error(
        `${this.#account.name}: ${strangers.size} orders that were never acknowledged, ` +
          `${this.#unknownPlacements} requests without an answer`,
      )
    }
    for (const placed of this.#placedById.values()) {
      this.#auditOrder(placed, open.get(placed.id), filled.get(placed.id) ?? 0n)
    }
    await this.#auditLocked(baseUrl, open)
  }

  #auditOrder(placed: Placed, open: OpenOrder | undefined, filled: bigint): void {
    const { id, type, quantity, cancel } = placed
    const say = (problem: string) =>
      new Error(`${this.#account.name}: order ${id} (${type} ${quantity}) ${problem}`)
    if (open !== undefined) {
      if (cancel === 'DONE') throw say('was canceled, with an acknowledgement, and is open')
      if (type === 'MARKET') throw say('rests in the book')
      if (units(open.qty) !== quantity) throw say(`is open with quantity ${open.qty}`)
      if (units(open.execQty) !== filled) throw say(`says ${open.execQty} executed, history ${filled}`)
      return
    }
    if (filled > quantity) throw say(`filled ${filled}`)
    if (cancel === 'NONE' && filled !== quantity) throw say(`is gone with only ${filled} filled`)
  }

  /** Checks that the holds of sell orders equal their open quantities. */
  async #auditLocked(baseUrl: string, open: ReadonlyMap<string, OpenOrder>): Promise<void> {
    let resting = 0n
    for (const { side, qty, execQty } of open.values()) {
      if (side === 'SELL') resting += units(qty) - units(execQty)
    }
    type Wallet = { data: { acc: { Spot: { assetAccs: { asset: string; locked: string }[] } } } }
    const wallet = (await this.#get(baseUrl, 'wallet/balance', {})) as Wallet
    const locked = wallet.data.acc.Spot.assetAccs.find(({ asset }) => asset === 'BTC')?.locked ?? ''
    if (units(locked) !== resting)
      throw new Error(`${this.#account.name}: ${locked} BTC locked, ${resting} rest`)
  }

  async #openOrders(baseUrl: string): Promise<Map<string, OpenOrder>> {
    const orders = (await this.#get(baseUrl, 'order/active', { symbol: SYMBOL })) as OpenOrder[]
    return new Map(orders.map((order) => [order.id, order]))
  }

  async #filledByOrder(baseUrl: string): Promise<Map<string, bigint>> {
    const filled = new Map<string, bigint>()
    const seen = new Set<string>()
    for (let page = 0, pages = 1; page < pages; page++) {
      const fields = { page: String(page), size: String(PAGE_SIZE) }
      const answer = await this.#get(baseUrl, 'order/trade/history', fields)
      const { items, total_pages } = answer as { items: HistoryItem[]; total_pages: number }
      pages = total_pages
      for (const { id, orderId, quantity } of items) {
        // A trade of the account with itself consists of two items.
        const key = `${id} ${orderId}`
        if (seen.has(key))
          throw new Error(`${this.#account.name}: trade ${id} of order ${orderId} appears twice`)
        seen.add(key)
        filled.set(orderId, (filled.get(orderId) ?? 0n) + units(quantity))
      }
    }
    return filled
  }

  async #get(baseUrl: string, endpoint: string, fields: Record<string, string>): Promise<unknown> {
    const response = await signed(baseUrl, this.#account, 'GET', endpoint, fields)
    const text = await response.text()
    if (!response.ok) throw new Error(`${endpoint}: ${response.status} ${text}`)
    return JSON.parse(text)
  }
}
