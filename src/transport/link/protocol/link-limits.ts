/** Limits on the cost of links for the end that accepts them. */
export type LinkLimits = {
  /** Limit of ends that have greeted. */
  readonly linksMax: number
  /** Limit of connections that have not greeted yet; each costs at most a message of 64 KiB. */
  readonly greetingsMax: number
  /** The limit of such connections from one address, so that other addresses can always connect. */
  readonly greetingsPerAddressMax: number
  /** Limit of unanswered requests, and of unanswered questions, of one gateway. */
  readonly inFlightMax: number
  /**
   * Limit of data that was sent to an end and not yet read; above it the end is disconnected, and connects
   * again.
   */
  readonly queueBytesMax: number
  /** Longest time for the greeting of a connection. */
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
