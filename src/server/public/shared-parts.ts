/**
 * Parts that the gateway shares with a listener of the same exchange for another wire: the requests of that
 * listener are under the same limits, bans and services, and are counted with all others.
 */
import type { Reason } from '../../contract/reasons/catalogue.ts'
import type { KeyUse } from '../access/auth/key-use.ts'
import type { NonceStore } from '../access/auth/nonces.ts'
import type { SessionKeys } from '../access/auth/session-keys.ts'
import type { SignatureVerifier } from '../access/auth/signature.ts'
import type { AddressUse } from '../access/limits/address-limits.ts'
import type { CallLimits } from '../access/limits/call-limits.ts'
import type { Clock } from '../common/clock.ts'
import type { Logger } from '../common/logger.ts'
import type { Refusal } from '../common/refusal.ts'
import type { BodyReader } from '../listener/body.ts'
import type { Traffic } from '../monitoring/traffic.ts'
import type { OrderEntry } from '../order-entry/order-entry.ts'
import type { Services } from '../trading/services.ts'
import type { WorkLane } from '../trading/work-lane.ts'
import type { Admission } from './admission.ts'
import type { GatewayConfig } from './gateway-config.ts'

export type SharedParts = {
  readonly admission: Admission
  readonly config: GatewayConfig
  readonly clock: Clock
  readonly logger: Logger
  readonly limits: CallLimits
  readonly bodies: BodyReader
  readonly lane: WorkLane
  readonly traffic: Traffic
  readonly verifier: SignatureVerifier
  readonly keyUse: KeyUse
  /** The private feeds of all accounts. */
  readonly feeds: OrderEntry['feeds']
  /** Undefined where customers have no sessions. */
  readonly sessionKeys: SessionKeys | undefined
  /** Once the exchange runs: the used nonces, and the signatures that name no endpoint. */
  nonces(): NonceStore
  /** The services of the exchange once it runs; otherwise STARTING or STOPPING. */
  services(): Services | Refusal
  /** Calls `listener` from now on with each address, or wider network, that has been banned by its limits. */
  whenBanned(listener: (limitKey: string) => void): void
  /** Counts an answer with an error. */
  countRefused(use: AddressUse, reason: Reason): void
}
