/** Why there is no link between a gateway and an engine, in one set of words for both ends. */

/** By the code that a WebSocket is closed with (RFC 6455, section 7.4.2: 4000 to 4999 are the application's). */
export const LINK_CLOSE_CODES = {
  /** What came was no frame of the link, or not at that moment. */
  BAD_FRAME: 4400,
  /** The gateway does not know a secret that the engine takes, or the engine does not know the gateway's. */
  WRONG_SECRET: 4401,
  /** The two ends have no version of the link in common. */
  WRONG_VERSION: 4406,
  /** Nothing has come for too long. */
  SILENT: 4408,
  /** The gateway did not take what it was sent. */
  TOO_SLOW: 4429,
  /** The engine has as many gateways as it takes. */
  TOO_MANY: 4430,
  /** The engine is stopping, or has stopped. */
  STOPPING: 4503,
} as const

/** `UNREACHABLE`: there is nobody, or the connection broke. `CLOSED`: this end has closed it. */
export type LinkFaultKind = keyof typeof LINK_CLOSE_CODES | 'UNREACHABLE' | 'CLOSED'

export class LinkFault extends Error {
  override readonly name = 'LinkFault'
  readonly kind: LinkFaultKind

  constructor(kind: LinkFaultKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
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
