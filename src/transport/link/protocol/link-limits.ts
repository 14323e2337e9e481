/** What links may cost those who accept them. */
export type LinkLimits = {
  /** Most ends that have greeted. */
  readonly linksMax: number
  /** Most connections that have not greeted yet; each costs at most a message of 64 KiB. */
  readonly greetingsMax: number
  /** The same from one address: another address always finds room. */
  readonly greetingsPerAddressMax: number
  /** Most requests, and most questions, of one gateway without an answer. */
  readonly inFlightMax: number
  /** What an end has been sent and has not taken; above it the end is cut off, and begins again. */
  readonly queueBytesMax: number
  /** How long a connection may take to greet. */
  readonly greetingTimeoutMs: number
  /** An end whose machine says nothing for this long is gone; 8 to 960, in steps of 4. */
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
