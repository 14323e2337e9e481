/**
 * Updates of an account in the form of a channel. Each is formatted once, however many connections of the
 * account receive it.
 */

import { fillJson } from '../../contract/api/fills.ts'
import { orderJson } from '../../contract/api/order-object.ts'
import { balanceJson, type PrivateChannel } from '../../contract/stream/private-feed.ts'
import type { Balance, OpenOrder } from '../../core/questions/view.ts'
import type { TradingSymbol } from '../../core/registry/records.ts'
import type { AccountUpdate } from '../../engine/port/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import { invariant } from '../../units/invariant.ts'
import type { RegistryView } from '../../views/registry.ts'
import { historyItem } from '../description/history-item.ts'
import { endedObject, openOrderJson } from '../description/order-objects.ts'
import type { WorkLane } from '../trading/work-lane.ts'

/** The rows of a message have at most this length together, unless a single row is longer. */
const PART_LENGTH = 32 * 1024

/** This number of rows are formatted in one piece: about 2 ms. */
const ROWS_AT_ONCE = 500

export class FeedPayloads {
  readonly #registry: RegistryView
  readonly #partsByUpdate: Record<PrivateChannel, WeakMap<AccountUpdate, readonly string[]>> = {
    orders: new WeakMap(),
    fills: new WeakMap(),
    balances: new WeakMap(),
  }

  constructor(registry: RegistryView) {
    this.#registry = registry
  }

  /** The rows of an update by message, separated by commas; empty if the channel shows none of the update. */
  partsOf(channel: PrivateChannel, update: AccountUpdate): readonly string[] {
    const known = this.#partsByUpdate[channel].get(update)
    if (known !== undefined) return known
    const parts = inParts(this.#rowsOf(channel, update))
    this.#partsByUpdate[channel].set(update, parts)
    return parts
  }

  /** Creates the parts of a long update in pieces; undefined if it is short, or they exist already. */
  prepare(channel: PrivateChannel, update: AccountUpdate, lane: WorkLane): Promise<void> | undefined {
    const { open, ended, fills, balances } = update
    const count = { orders: open.length + ended.length, fills: fills.length, balances: balances.length }
    if (count[channel] <= ROWS_AT_ONCE || this.#partsByUpdate[channel].has(update)) return undefined
    return this.#inPieces(channel, update, lane)
  }

  async #inPieces(channel: PrivateChannel, update: AccountUpdate, lane: WorkLane): Promise<void> {
    const words = this.#rowsOf(channel, update)
    const rows: string[] = []
    for (let isMore = true; isMore; ) {
      isMore = await lane.further(() => {
        const end = rows.length + ROWS_AT_ONCE
        for (let row = words.next(); row.done !== true; row = words.next()) {
          if (rows.push(row.value) === end) return true
        }
        return false
      })
    }
    this.#partsByUpdate[channel].set(update, inParts(rows))
  }

  orders(orders: readonly OpenOrder[]): readonly string[] {
    return inParts(orders.map((order) => openOrderJson(order, this.symbol(order.symbolId), this.#registry)))
  }

  balances(balances: readonly Balance[]): readonly string[] {
    return inParts(balances.map((balance) => this.#balance(balance)))
  }

  *#rowsOf(
    channel: PrivateChannel,
    { open, ended, fills, balances }: AccountUpdate,
  ): Generator<string, void> {
    switch (channel) {
      case 'orders':
        for (const order of open) yield openOrderJson(order, this.symbol(order.symbolId), this.#registry)
        for (const order of ended) {
          const symbol = this.symbol(order.symbolId)
          yield orderJson(endedObject(order, symbol, this.#registry), symbol)
        }
        return
      case 'fills':
        for (const fill of fills) {
          yield fillJson({ ...historyItem(fill, this.#registry), isMaker: fill.isMaker })
        }
        return
      case 'balances':
        for (const balance of balances) yield this.#balance(balance)
    }
  }

  #balance(balance: Balance): string {
    const asset = this.#registry.asset(balance.assetId)
    invariant(asset !== undefined, () => `a balance has asset ${balance.assetId}, which is not listed`)
    return balanceJson({ ...balance, asset })
  }

  symbol(id: SymbolId): TradingSymbol {
    const symbol = this.#registry.symbol(id)
    invariant(symbol !== undefined, () => `an order has symbol ${id}, which is not listed`)
    return symbol
  }
}

function inParts(rows: Iterable<string>): readonly string[] {
  const parts: string[] = []
  let part = ''
  for (const row of rows) {
    if (part === '') part = row
    else if (part.length + row.length < PART_LENGTH) part += `,${row}`
    else {
      parts.push(part)
      part = row
    }
  }
  if (part !== '') parts.push(part)
  return parts
}
