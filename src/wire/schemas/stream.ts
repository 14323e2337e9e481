/**
 * Every message of the stream: its name, who sends it, and its form as a JSON array (docs/reference/stream.md, stream-extensions.md,
 * private-feed.md and order-entry.md there). test/schemas holds the table to the names that the stream knows.
 */
import { z } from 'zod'
import { SERVER_MESSAGES } from './stream-events.ts'
import type { MessageRow } from './stream-message.ts'
import { CLIENT_MESSAGES } from './stream-requests.ts'

export const MESSAGES: readonly MessageRow[] = [...CLIENT_MESSAGES, ...SERVER_MESSAGES]

/** What one side may send, as one schema. */
export function anyMessageOf(from: MessageRow['from']): z.ZodType {
  return z.union(MESSAGES.filter((row) => row.from === from).map(({ schema }) => schema))
}
