/** What the server before the stream counts of addresses: requests that open a connection come to it alone, and what they cost counts with all else. */
import type { Reason } from '../../../wire/reasons/catalogue.ts'
import type { Refusal } from '../../common/refusal.ts'

/** Addresses are given as they are counted (`StreamClient.address`). */
export type AddressCounts = {
  /** Counts a connection that is to be opened, before anything is done for it; a refusal: it is not to be. */
  opening(address: string): Refusal | undefined
  /** A request was answered with a refusal. */
  refused(address: string, reason: Reason): void
  /** A connection was cut off because of what it sent. */
  cut(address: string): void
}
