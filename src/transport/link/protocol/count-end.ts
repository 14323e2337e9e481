/**
 * What gateways count together travels over their links in frames of its own, in order with all the rest. This is what a link knows of it:
 * bytes that come and go, and whether a command that carries a count may be carried out.
 */
import type { OrderCharge } from '../../../units/order-charge.ts'

/** Sends a message over a link; it never throws. */
export type SendCount = (message: Uint8Array) => void

/** The engine's end of one link. */
export interface CountEnd {
  /** A message of the gateway has come. Throws `BytesFault`, and then the link is cut. */
  receive(message: Uint8Array): void
  /** Counts what a command carries; false: it is too much, and the command must not be carried out. */
  admits(charge: OrderCharge): boolean
  /** Answers to commands are about to be sent: what they must find counted goes first. */
  flush(): void
  /** The link has ended. */
  close(): void
}

/** Begins to count for a gateway that has proved itself. */
export type OpenCountEnd = (gateway: string, send: SendCount) => CountEnd
