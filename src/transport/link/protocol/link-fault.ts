/** Why there is no link between a gateway or a replica and an engine, in one set of words for both ends. */

/** By the code that a WebSocket is closed with (RFC 6455, section 7.4.2: 4000 to 4999 are the application's). */
export const LINK_CLOSE_CODES = {
  /** What came was no frame of the link, or not at that moment. */
  BAD_FRAME: 4400,
  /** The gateway does not know a secret that the engine takes, or the engine does not know the gateway's. */
  WRONG_SECRET: 4401,
  /** It sent what no end of its role may send. */
  FORBIDDEN: 4403,
  /** The two ends have no version of the link in common. */
  WRONG_VERSION: 4406,
  /** Nothing has come for too long. */
  SILENT: 4408,
  /** The gateway did not take what it was sent. */
  TOO_SLOW: 4429,
  /** The engine has as many gateways as it takes. */
  TOO_MANY: 4430,
  /** The journal of this engine lacks what the other end remembers as confirmed. */
  WITNESS: 4409,
  /** This engine does not lead, or leads no more. */
  NOT_LEADER: 4421,
  /** The engine is stopping, or has stopped. */
  STOPPING: 4503,
} as const

/**
 * `UNREACHABLE`: there is nobody, or an open link broke. `REFUSED`: somebody is there and no link can be opened: an HTTP status (429 of a port that is flooded), a
 * certificate that cannot be trusted, another protocol, a connection that is taken and ended before the greeting. `CLOSED`: this end has closed it.
 */
export type LinkFaultKind = keyof typeof LINK_CLOSE_CODES | 'UNREACHABLE' | 'REFUSED' | 'CLOSED'

export class LinkFault extends Error {
  override readonly name = 'LinkFault'
  readonly kind: LinkFaultKind
  /** With `NOT_LEADER`: the name of the engine that leads, where it is known. */
  readonly leader: string | undefined

  constructor(kind: LinkFaultKind, message: string, options?: ErrorOptions & { readonly leader?: string }) {
    super(message, options)
    this.kind = kind
    this.leader = options?.leader
  }
}

/** What the other end said with `code` and `reason` as it closed. */
export function closedBy(code: number, reason: string): LinkFault {
  const kinds = Object.keys(LINK_CLOSE_CODES) as (keyof typeof LINK_CLOSE_CODES)[]
  const kind = kinds.find((each) => LINK_CLOSE_CODES[each] === code)
  return kind === undefined
    ? new LinkFault('UNREACHABLE', `the connection has ended with code ${code}${reason && `: ${reason}`}`)
    : new LinkFault(kind, reason)
}
