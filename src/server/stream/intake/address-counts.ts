/**
 * Counts by address in the server before the stream: requests that open a connection reach only the server,
 * and their cost counts like everything else.
 */
import type { Reason } from '../../../contract/reasons/catalogue.ts'
import type { Refusal } from '../../common/refusal.ts'

/** Addresses are given as they are counted (`StreamClient.address`). */
export type AddressCounts = {
  /**
   * Counts a connection that is about to be opened, before any other work for it; a refusal means that it
   * must not be opened.
   */
  opening(address: string): Refusal | undefined
  /** Called when a request was answered with a refusal. */
  refused(address: string, reason: Reason): void
  /** Called when a connection was closed because of the data that it sent. */
  cut(address: string): void
}
