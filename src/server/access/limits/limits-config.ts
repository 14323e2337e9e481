/**
 * The limits of the public server, as configured, and the two sets of defaults
 * (docs/reference/configuration.md#limits).
 */

/** Maximum number of orders of an account in a fixed window. */
export type OrderWindow = {
  /** Short name, also the end of the header `X-MBX-ORDER-COUNT-...`: `10S`, `1M`, `1D`. */
  readonly name: string
  readonly windowMs: number
  readonly ordersMax: number
}

export type LimitsConfig = {
  /** False switches rate limits, the malformed-request limit and bans off, for load tests. */
  readonly isEnabled: boolean
  /** Maximum weight that one address may use in a minute. */
  readonly weightPerMinuteMax: number
  /**
   * Maximum number of stream connections that one address may open in a minute, including refused ones;
   * further ones are refused.
   */
  readonly openingsPerMinuteMax: number
  readonly orderWindows: readonly OrderWindow[]
  /**
   * Maximum number of malformed or unauthorized requests of one address in a minute; beyond it, 403 for the
   * rest of the minute.
   */
  readonly malformedPerMinuteMax: number
  /** Maximum number of answers with 429 to an address in a minute; after one more it is banned. */
  readonly refusalsBeforeBan: number
  readonly banMsMin: number
  readonly banMsMax: number
  /** Maximum number of bytes that long pending answers may hold in memory, for all addresses together. */
  readonly answerBytesMax: number
  /** Maximum number of bytes that long pending answers to one address may hold in memory. */
  readonly answerBytesPerAddressMax: number
  /** Maximum number of addresses, and of accounts, remembered at a time. */
  readonly entriesMax: number
}

const MIB = 1024 * 1024
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** For an exchange open to the public. */
export const DEFAULT_LIMITS: LimitsConfig = {
  isEnabled: true,
  weightPerMinuteMax: 6_000,
  openingsPerMinuteMax: 600,
  orderWindows: [
    { name: '10S', windowMs: 10_000, ordersMax: 100 },
    { name: '1D', windowMs: DAY_MS, ordersMax: 200_000 },
  ],
  malformedPerMinuteMax: 600,
  refusalsBeforeBan: 100,
  banMsMin: 2 * MINUTE_MS,
  banMsMax: 3 * DAY_MS,
  answerBytesMax: 256 * MIB,
  answerBytesPerAddressMax: 16 * MIB,
  entriesMax: 100_000,
}

/** For experiments: neither manual use nor a test suite reaches these limits, but a flood does. */
export const SANDBOX_LIMITS: LimitsConfig = {
  ...DEFAULT_LIMITS,
  weightPerMinuteMax: 600_000,
  openingsPerMinuteMax: 60_000,
  orderWindows: [{ name: '1M', windowMs: MINUTE_MS, ordersMax: 100_000 }],
  malformedPerMinuteMax: 100_000,
  refusalsBeforeBan: 10_000,
}
