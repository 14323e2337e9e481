/** Which faults a graded bot encounters, and when: the same for the same seed and duration. */
import type { FaultRequest } from '../../../contract/admin/operations/faults.ts'

export type PlannedFault = {
  /** From the bot's start, in milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  readonly request: FaultRequest
}

const ORDER_HTTP = 'POST /api/v3/order'
const ORDER_STREAM = 'order.place'

/** `seconds`: how long the bot runs. The first tenth and the last sixth of it are healthy. */
export function faultPlan(seed: number, seconds: number): readonly PlannedFault[] {
  const planned = (from: number, to: number, request: FaultRequest): PlannedFault => ({
    fromMs: Math.round(from * seconds * 10),
    toMs: Math.round(to * seconds * 10),
    request: { ...request, seed },
  })
  const retryAfterSeconds = Math.max(1, Math.round(seconds / 20))
  return [
    ...[ORDER_HTTP, ORDER_STREAM].flatMap((endpoint) => [
      planned(10, 35, { kind: 'LOST_ANSWER', endpoint, times: 1 }),
      planned(10, 35, { kind: 'LOST_ANSWER', endpoint, percent: 20 }),
    ]),
    planned(30, 50, { kind: 'LATENCY', latencyMs: 50, spreadMs: 250 }),
    planned(36, 50, { kind: 'DISCONNECT', times: 2 }),
    planned(36, 50, { kind: 'DISCONNECT', percent: 3 }),
    planned(52, 60, { kind: 'RATE_LIMIT', times: 1, retryAfterSeconds }),
    planned(62, 82, { kind: 'CLOCK', aheadMs: 30_000 }),
  ]
}
