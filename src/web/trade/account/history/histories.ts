/** The three histories of an account, as defined by the exchange (docs/reference/orders.md). */
import type { LedgerEntry } from '../../../../client/interface/answers.ts'
import type { Fill, Order } from '../../../../client/interface/orders.ts'
import type { Side } from '../../../../client/interface/words.ts'
import { saveFile } from '../../../shared/save-file.ts'
import type { AccountRequests } from '../../state/trader.ts'
import { FILL_COLUMNS, LEDGER_COLUMNS, ORDER_COLUMNS } from './csv-table.ts'
import { History } from './history.ts'
import type { TimeRange } from './period.ts'

/** Empty texts select all orders. */
export type OrderFilter = {
  readonly symbol: string
  readonly side: Side | ''
  readonly status: Order['status'] | ''
}

export type FillFilter = { readonly symbol: string; readonly side: Side | '' }

export type LedgerFilter = { readonly asset: string; readonly cause: string }

export type Histories = {
  readonly orders: History<Order, OrderFilter>
  readonly fills: History<Fill, FillFilter>
  readonly ledger: History<LedgerEntry, LedgerFilter>
}

/** `untilReleased`: resolves when no pointer is pressed. */
export function historiesOf(requests: AccountRequests, untilReleased: () => Promise<void>): Histories {
  const now = () => requests.serverNow()
  return {
    orders: new History<Order, OrderFilter>({
      filter: { symbol: '', side: '', status: '' },
      columns: ORDER_COLUMNS,
      sourceOf: (filter, range) => orderSource(requests, filter, range),
      nameOf: ({ symbol }) => `orders-${symbol || 'all'}`,
      now,
      save: saveFile,
      untilReleased,
    }),
    fills: new History<Fill, FillFilter>({
      filter: { symbol: '', side: '' },
      columns: FILL_COLUMNS,
      sourceOf: (filter, range) => fillSource(requests, filter, range),
      nameOf: ({ symbol }) => `fills-${symbol || 'all'}`,
      now,
      save: saveFile,
      untilReleased,
    }),
    ledger: new History<LedgerEntry, LedgerFilter>({
      filter: { asset: '', cause: '' },
      columns: LEDGER_COLUMNS,
      sourceOf: (filter, range) => ledgerSource(requests, filter, range),
      nameOf: ({ asset }) => `ledger-${asset || 'all'}`,
      now,
      save: saveFile,
      untilReleased,
    }),
  }
}

function orderSource(requests: AccountRequests, { symbol, side, status }: OrderFilter, range: TimeRange) {
  return {
    read: async (before: string | undefined, limit: number, signal: AbortSignal) => {
      const asked = { ...range, symbol: symbol || undefined, before, limit }
      const { orders, next } = await requests.allOrders(asked, { signal, patienceMs: PATIENCE_MS })
      return { rows: orders, next }
    },
    placeOf: (order: Order) => order.id,
    accepts:
      side === '' && status === ''
        ? undefined
        : (order: Order) =>
            (side === '' || order.side === side) && (status === '' || order.status === status),
  }
}

function fillSource(requests: AccountRequests, { symbol, side }: FillFilter, range: TimeRange) {
  return {
    read: async (before: string | undefined, limit: number, signal: AbortSignal) => {
      const asked = { ...range, symbol: symbol || undefined, before, limit }
      const { fills, next } = await requests.myTrades(asked, { signal, patienceMs: PATIENCE_MS })
      return { rows: fills, next }
    },
    placeOf: (fill: Fill) => fill.id,
    accepts: side === '' ? undefined : (fill: Fill) => fill.side === side,
  }
}

function ledgerSource(requests: AccountRequests, { asset, cause }: LedgerFilter, range: TimeRange) {
  return {
    read: async (before: string | undefined, limit: number, signal: AbortSignal) => {
      const asked = { ...range, asset: asset || undefined, before, limit }
      const { entries, next } = await requests.accountLedger(asked, { signal, patienceMs: PATIENCE_MS })
      return { rows: entries, next }
    },
    placeOf: (entry: LedgerEntry) => entry.id,
    accepts: cause === '' ? undefined : (entry: LedgerEntry) => entry.cause === cause,
  }
}

/**
 * If the exchange requests a longer pause, the user sees an error instead of waiting without an explanation.
 */
const PATIENCE_MS = 8_000
