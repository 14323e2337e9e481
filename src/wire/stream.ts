/**
 * The stream's messages (docs/reference/stream.md): names, what a client may say, and how a server event is written. Every
 * message is a JSON array whose first element is the event's name.
 */
import {
  type ChannelName,
  type ParameterFault,
  readSubscription,
  type Subscription,
} from './stream-channels.ts'

/**
 * docs/reference/stream.md#events-from-the-server, where `error` carries an error body; and
 * docs/reference/stream-extensions.md#events-from-the-server.
 */
export type ServerEvent =
  | 'orders'
  | 'trades'
  | 'buy_order_update'
  | 'sell_order_update'
  | 'matched_order'
  | 'error'
  | 'subscribed'
  | 'unsubscribed'
  | ChannelName

/** docs/reference/stream.md#messages-from-the-client, docs/reference/stream-extensions.md#messages-from-the-client */
export type ClientMessage =
  | { readonly kind: 'join'; readonly symbol: string }
  | { readonly kind: 'change_room'; readonly from: string; readonly to: string }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly subscription: Subscription }

/** Why a message is not one: it cannot be read, it is none that we know, or a parameter of it is wrong. */
export type MessageFault =
  | { readonly kind: 'fault'; readonly reason: 'UNREADABLE_MESSAGE' | 'UNKNOWN_MESSAGE' }
  | ParameterFault

export const UNREADABLE: MessageFault = { kind: 'fault', reason: 'UNREADABLE_MESSAGE' }
const UNKNOWN: MessageFault = { kind: 'fault', reason: 'UNKNOWN_MESSAGE' }

/** Reads the text of one frame. */
export function parseClientMessage(text: string): ClientMessage | MessageFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return UNREADABLE
  }
  return readClientMessage(value)
}

/** Reads a message that has been decoded: exactly the documented shapes, nothing more, nothing less. */
export function readClientMessage(value: unknown): ClientMessage | MessageFault {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return UNREADABLE
  const [name, first, second] = value as readonly unknown[]
  if (name === 'join' && value.length === 2 && typeof first === 'string') {
    return { kind: 'join', symbol: first }
  }
  if (
    name === 'change_room' &&
    value.length === 3 &&
    typeof first === 'string' &&
    typeof second === 'string'
  ) {
    return { kind: 'change_room', from: first, to: second }
  }
  if ((name === 'subscribe' || name === 'unsubscribe') && value.length === 2 && isObject(first)) {
    const subscription = readSubscription(first)
    return 'kind' in subscription ? subscription : { kind: name, subscription }
  }
  return UNKNOWN
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `["orders",{...}]` from a payload that is JSON text already. */
export function eventJson(event: ServerEvent, payloadJson: string): string {
  return `["${event}",${payloadJson}]`
}
