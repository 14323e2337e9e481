/**
 * The reasons why there is no link between a gateway or a replica and an engine, with the same names at both
 * ends.
 */

/**
 * The codes with which a WebSocket is closed (RFC 6455, section 7.4.2: 4000 to 4999 are the application's).
 */
export const LINK_CLOSE_CODES = {
  /** The received data was not a frame of the link, or was not expected at that time. */
  BAD_FRAME: 4400,
  /**
   * The gateway does not have a secret that the engine accepts, or the engine does not have the gateway's.
   */
  WRONG_SECRET: 4401,
  /** The peer sent a frame that its role may not send. */
  FORBIDDEN: 4403,
  /** The two ends have no version of the link in common. */
  WRONG_VERSION: 4406,
  /** No data was received for too long. */
  SILENT: 4408,
  /** The gateway did not read its data in time. */
  TOO_SLOW: 4429,
  /** The engine has as many gateways as it accepts. */
  TOO_MANY: 4430,
  /** A position that the other end remembers as confirmed is missing in this engine's journal. */
  WITNESS: 4409,
  /** This engine does not lead, or no longer leads. */
  NOT_LEADER: 4421,
  /** The engine is stopping, or has stopped. */
  STOPPING: 4503,
} as const

/**
 * `UNREACHABLE`: no peer, or an open link broke. `REFUSED`: there is a peer, but no link can be opened: an
 * HTTP status (429 from a flooded port), an untrusted certificate, another protocol, a connection that is
 * accepted and closed before the greeting. `CLOSED`: this end closed the link.
 */
export type LinkFaultKind = keyof typeof LINK_CLOSE_CODES | 'UNREACHABLE' | 'REFUSED' | 'CLOSED'

export class LinkFault extends Error {
  override readonly name = 'LinkFault'
  readonly kind: LinkFaultKind
  /** With `NOT_LEADER`: the name of the leading engine, if known. */
  readonly leader: string | undefined

  constructor(kind: LinkFaultKind, message: string, options?: ErrorOptions & { readonly leader?: string }) {
    super(message, options)
    this.kind = kind
    this.leader = options?.leader
  }
}

/** The fault for a close frame of the other end with `code` and `reason`. */
export function closedBy(code: number, reason: string): LinkFault {
  const kinds = Object.keys(LINK_CLOSE_CODES) as (keyof typeof LINK_CLOSE_CODES)[]
  const kind = kinds.find((each) => LINK_CLOSE_CODES[each] === code)
  return kind === undefined
    ? new LinkFault('UNREACHABLE', `the connection ended with code ${code}${reason && `: ${reason}`}`)
    : new LinkFault(kind, reason)
}
