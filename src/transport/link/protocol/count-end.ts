/**
 * Counts that gateways share are sent over their links in dedicated frames, in order with all others. This is
 * the link's interface to them: incoming and outgoing bytes, and whether a command with a charge may be
 * carried out.
 */
import type { OrderCharge } from '../../../units/order-charge.ts'

/** Sends a message over a link; it never throws. */
export type SendCount = (message: Uint8Array) => void

/** The engine's end of one link. */
export interface CountEnd {
  /** Called when a message arrives from the gateway. Throws `BytesFault`; the link is then cut. */
  receive(message: Uint8Array): void
  /** Counts the charge of a command. False if it exceeds the limit: the command must not be carried out. */
  admits(charge: OrderCharge): boolean
  /** Called when answers to commands are about to be sent; the counts that they require are sent first. */
  flush(): void
  /** Called when the link has ended. */
  close(): void
}

/** Starts the counts of an authenticated gateway. */
export type OpenCountEnd = (gateway: string, send: SendCount) => CountEnd
