/** Limits on the cost of links for the end that accepts them. */
export type LinkLimits = {
  /** Maximum number of ends that have greeted. */
  readonly linksMax: number
  /** Maximum number of connections that have not greeted yet; each costs at most a message of 64 KiB. */
  readonly greetingsMax: number
  /** Maximum number of such connections from one address, so that other addresses can always connect. */
  readonly greetingsPerAddressMax: number
  /** Maximum number of unanswered requests, and of unanswered queries, of one gateway. */
  readonly inFlightMax: number
  /**
   * Maximum number of bytes that were sent to an end and not yet read; above it the end is disconnected, and
   * connects again.
   */
  readonly queueBytesMax: number
  /** Maximum time for the greeting of a connection. */
  readonly greetingTimeoutMs: number
  /** An end counts as lost if its machine sends nothing for this long; 8 to 960, in steps of 4. */
  readonly silenceSeconds: number
}

export const DEFAULT_LINK_LIMITS: LinkLimits = {
  linksMax: 64,
  greetingsMax: 128,
  greetingsPerAddressMax: 16,
  inFlightMax: 32_768,
  queueBytesMax: 64 * 1024 * 1024,
  greetingTimeoutMs: 5_000,
  silenceSeconds: 12,
}
