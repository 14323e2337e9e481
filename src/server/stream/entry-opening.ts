/** Gives the conversations of one connection access to order entry. */
import type { EntryOutputs } from '../order-entry/conversation.ts'
import { EntryBudget } from '../order-entry/entry-budget.ts'
import type { OrderEntry } from '../order-entry/order-entry.ts'
import type { StreamConfig } from './config.ts'
import type { StreamClient } from './link.ts'
import type { EntryOpening } from './session.ts'

/**
 * For all conversations of a connection, which share the limit of pending requests; undefined if there is no
 * order entry.
 */
export function entryOpening(
  entry: OrderEntry | undefined,
  { remoteAddress, address, language }: StreamClient,
  { requestsUnderWayMax }: Pick<StreamConfig, 'requestsUnderWayMax'>,
  hasFrames: boolean,
): EntryOpening | undefined {
  if (entry === undefined) return undefined
  const budget = new EntryBudget(requestsUnderWayMax)
  const client = { remoteAddress, limitKey: address, language }
  return { open: (outputs: EntryOutputs) => entry.open(client, outputs, budget), hasFrames }
}
