/** The state of an order in the words of this wire. */
import type { END_REASONS } from '../../../contract/api/order-fields.ts'

type EndReason = (typeof END_REASONS)[number]

export type WireOrderStatus =
  | 'NEW'
  | 'PENDING_NEW'
  | 'PARTIALLY_FILLED'
  | 'FILLED'
  | 'CANCELED'
  | 'EXPIRED'
  | 'EXPIRED_IN_MATCH'

/** CANCELED if the account, or something that it has set up, canceled it; EXPIRED if a rule ended it. */
export const STATUS_OF_END: Readonly<Record<EndReason, WireOrderStatus>> = {
  USER: 'CANCELED',
  DEAD_MAN: 'CANCELED',
  LIST: 'CANCELED',
  DISCONNECT: 'CANCELED',
  IOC: 'EXPIRED',
  MARKET_REMAINDER: 'EXPIRED',
  OPERATOR: 'EXPIRED',
  STEPS: 'EXPIRED',
  TRIGGER_REFUSED: 'EXPIRED',
  EXPIRED: 'EXPIRED',
  PENDING_REFUSED: 'EXPIRED',
  SELF_TRADE: 'EXPIRED_IN_MATCH',
}

/** Whether an order waits for a price, or has waited for it. */
export function isConditional({
  stopPrice,
  trailingDelta,
}: Pick<Shown, 'stopPrice' | 'trailingDelta'>): boolean {
  return Boolean(stopPrice) || trailingDelta !== undefined
}

type Shown = {
  readonly status: string
  readonly endReason?: string | undefined
  readonly isWorking?: boolean | undefined
  readonly stopPrice?: unknown
  readonly trailingDelta?: unknown
}

export function orderStatus({ status, endReason, isWorking, ...order }: Shown): WireOrderStatus {
  if (status === 'CANCELED') return STATUS_OF_END[endReason as EndReason] ?? 'CANCELED'
  // It waits for the working order of its list, not for a price.
  if (status === 'NEW' && isWorking === false && !isConditional(order)) return 'PENDING_NEW'
  return status as WireOrderStatus
}
