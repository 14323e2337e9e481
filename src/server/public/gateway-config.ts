/** Settings of the gateway. */
import { DEFAULT_LIMITS, type LimitsConfig, SANDBOX_LIMITS } from '../access/limits/limits-config.ts'

export type GatewayConfig = {
  readonly limits: LimitsConfig
  /** Addresses and CIDR ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[]
  /** Largest body of a request; a larger one is answered with 413. */
  readonly bodyBytesMax: number
  /** Time limit for a body to arrive; after it, the answer is 408. */
  readonly bodyTimeoutMs: number
  /**
   * Largest sum of address and headers of a request; a larger one is answered with 431. The runtime itself
   * allows 16 KiB.
   */
  readonly headerBytesMax: number
}

export const GATEWAY_DEFAULTS: GatewayConfig = {
  limits: DEFAULT_LIMITS,
  trustedProxies: [],
  bodyBytesMax: 64 * 1024,
  bodyTimeoutMs: 10_000,
  headerBytesMax: 12 * 1024,
}

export const SANDBOX_GATEWAY: GatewayConfig = { ...GATEWAY_DEFAULTS, limits: SANDBOX_LIMITS }
