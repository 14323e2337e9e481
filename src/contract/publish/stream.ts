/**
 * Every message of the stream: its name, its sender, and its form as a JSON array (docs/reference/stream.md,
 * stream-extensions.md, private-feed.md and order-entry.md there). test/schemas compares the table with the
 * names that the stream uses.
 */
import { z } from 'zod'
import { SERVER_MESSAGES } from '../stream/server-messages.ts'
import type { MessageRow } from './stream-message.ts'
import { CLIENT_MESSAGES } from './stream-requests.ts'
import { zodShape } from './zod-shapes.ts'

export const MESSAGES: readonly MessageRow[] = [
  ...CLIENT_MESSAGES,
  ...SERVER_MESSAGES.map(({ shape, ...row }) => ({
    ...row,
    from: 'server' as const,
    schema: zodShape(shape),
  })),
]

/** The messages of one side, as one schema. */
export function anyMessageOf(from: MessageRow['from']): z.ZodType {
  return z.union(MESSAGES.filter((row) => row.from === from).map(({ schema }) => schema))
}
