/**
 * The other end of a conversation, as seen by order entry: its identity, the messages that it accepts, and
 * the way to send them.
 */
import type { Language } from '../../contract/language.ts'
import type { JsonWriter } from '../../units/json-writer.ts'
import type { FeedOutput } from '../private-feed/feed-reader.ts'
import type { EntryBudget } from './entry-budget.ts'
import type { Asked } from './entry-call.ts'

/** The other end of the conversation. */
export type EntryClient = {
  /** As received, for the comparison with a key's list of addresses. */
  readonly remoteAddress: string
  /** The address by which its weight is counted. */
  readonly limitKey: string
  readonly language: Language
}

/** An answer to one request. */
export type WordedAnswer = Pick<Asked, 'id' | 'isRepeat' | 'acknowledge'> & {
  /** The HTTP status. */
  readonly status: number
  /** Seconds, as HTTP's `Retry-After`; undefined if it has none. */
  readonly retryAfter: number | undefined
  /** The payload as JSON; a writer is only valid in this turn. */
  readonly body: string | JsonWriter
}

/** The way back to the client. No method throws. */
export interface EntryOutput {
  /** A frame may hold several messages, and the client may ask for that. */
  readonly hasFrames: boolean
  /** Allows several messages in a frame from now on. */
  sendMany(): void
  /** Sends an answer. */
  answer(answer: WordedAnswer): void
  /** Reports why the login has ended and, where known, after how many seconds another one is worthwhile. */
  loggedOut(bodyJson: string, retryAfter: number | undefined): void
  /** Ends the connection after the pending answers have been sent. */
  endConnection(): void
}

/** The destination of answers and of the private feed. */
export type EntryOutputs = { readonly output: EntryOutput; readonly feed: FeedOutput }

/** One conversation of a connection. */
export type Conversation = EntryOutputs & {
  readonly client: EntryClient
  readonly budget: EntryBudget
}
