// tool: rings; place: src/core/ledger/violation-market.ts; says: ring-import
import type { OrderBook } from '../market/order-book.ts'

export type Wrong = OrderBook
