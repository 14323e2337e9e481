/** The parts used by order entry, which are those of requests over HTTP. */
import type { Reason } from '../../contract/reasons/catalogue.ts'
import type { KeyUse } from '../access/auth/key-use.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SessionKeys } from '../access/auth/session-keys.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import type { CallLimits } from '../access/limits/call-limits.ts'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import type { Refusal } from '../common/refusal.ts'
import type { Feeds } from '../private-feed/feeds.ts'
import type { Services } from '../trading/services.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import type { OrderSessions } from './order-sessions.ts'
import type { TurnClock } from './turn-clock.ts'
import type { UnderWay } from './under-way.ts'

/** The counters of requests. */
export type EntryTraffic = {
  started(): void
  answered(name: string, tookMs: number): void
  refused(reason: Reason): void
}

export type OrderEntryOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly verifier: SignatureVerifier
  readonly keyUse: KeyUse
  readonly limits: CallLimits
  readonly lane: WorkLane
  readonly traffic: EntryTraffic
  readonly nextRequestId: () => string
  /** The available services; a refusal while the service starts or stops. */
  readonly services: () => Services | Refusal
  readonly nonces: () => NonceStore
  /** The keys of customers' sessions; undefined if there are none. */
  readonly sessionKeys?: SessionKeys | undefined
}

export type EntryParts = OrderEntryOptions & {
  readonly underWay: UnderWay
  readonly turn: TurnClock
  readonly feeds: Feeds
  readonly orderSessions: OrderSessions
}
