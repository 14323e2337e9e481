/**
 * The stream's messages (docs/reference/stream.md): names, valid client messages, and the form of server
 * events. Every message is a JSON array whose first element is the event's name.
 */

import {
  BOUND_OF,
  type JsonBounds,
  type JsonExcess,
  type JsonShape,
  parseCounted,
  shapeOfJson,
} from '../../units/bounded-json.ts'
import { requestIdForm } from '../expectations.ts'
import type { Localised } from '../language.ts'
import type { ChannelName } from './channels.ts'
import { isPrivateChannel, type PrivateChannel } from './private-feed.ts'
import { type ParameterFault, readSubscription, type Subscription } from './stream-channels.ts'

/**
 * docs/reference/stream.md#events-from-the-server, where `error` carries an error body;
 * docs/reference/stream-extensions.md#events-from-the-server; and docs/reference/order-entry.md#requests.
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
  | 'answer'
  | 'loggedOut'
  | 'shutdown'
  | 'stale'
  | 'live'
  | PrivateChannel
  | ChannelName

/**
 * A client's id for its request, returned in the answer: a text in JSON, or an integer, which is not
 * converted to text needlessly.
 */
export type RequestId = string | number

/**
 * docs/reference/stream.md#messages-from-the-client,
 * docs/reference/stream-extensions.md#messages-from-the-client and docs/reference/order-entry.md#requests
 */
export type ClientMessage =
  | { readonly kind: 'join'; readonly symbol: string }
  | { readonly kind: 'change_room'; readonly from: string; readonly to: string }
  | { readonly kind: 'subscribe' | 'unsubscribe'; readonly subscription: Subscription }
  | { readonly kind: 'follow' | 'unfollow'; readonly channel: PrivateChannel; readonly fields: object }
  | { readonly kind: 'login'; readonly fields: object }
  | {
      readonly kind: 'request'
      readonly name: string
      readonly id: RequestId
      readonly fields: object
    }

/** The reason why a message is invalid: it is unreadable, unknown, or has an invalid parameter. */
export type MessageFault =
  | { readonly kind: 'fault'; readonly reason: 'UNREADABLE_MESSAGE' | 'UNKNOWN_MESSAGE' }
  | { readonly kind: 'fault'; readonly reason: 'MESSAGE_TOO_LARGE'; readonly limit: Localised }
  | ParameterFault

export const UNREADABLE: MessageFault = { kind: 'fault', reason: 'UNREADABLE_MESSAGE' }
const UNKNOWN: MessageFault = { kind: 'fault', reason: 'UNKNOWN_MESSAGE' }

/** The prefix of names of requests. */
const REQUEST_PREFIX = 'order.'

/** Longest id of a request. */
const REQUEST_ID_MAX = 64

/**
 * Bounds of a frame's text: each message has at most one object of texts and numbers. The number of values is
 * more than any frame of orders needs.
 */
export const FRAME_JSON: JsonBounds = { depthMax: 8, elementsMax: 256, membersMax: 128, valuesMax: 4_096 }

/** The fault of a frame that is longer than allowed before a login. */
export function longBeforeLogin(bytesMax: number): MessageFault {
  return tooLarge({ en: `${bytesMax} bytes before a login`, tr: `${bytesMax} bayt (girişten önce)` })
}

/** The exceeded bound of a frame (docs/reference/stream.md#frames). */
const EXCESS: Record<JsonExcess, (max: number) => Localised> = {
  DEPTH: (max) => ({ en: `${max} lists and objects inside one another`, tr: `iç içe ${max} liste ve nesne` }),
  ELEMENTS: (max) => ({
    en: `${max} messages in a frame, or elements in a list`,
    tr: `bir çerçevede ${max} mesaj veya bir listede ${max} öğe`,
  }),
  MEMBERS: (max) => ({ en: `${max} members in an object`, tr: `bir nesnede ${max} alan` }),
  VALUES: (max) => ({ en: `${max} values`, tr: `${max} değer` }),
}

/** Maximum number of messages in a frame, and of packets in a polling body. */
export const MOST_MESSAGES = EXCESS.ELEMENTS(FRAME_JSON.elementsMax)

function tooLarge(limit: Localised): MessageFault {
  return { kind: 'fault', reason: 'MESSAGE_TOO_LARGE', limit }
}

/** The counts of a frame's text, made without parsing it; its JSON begins at `start`. */
export function shapeOfFrame(text: string, start = 0): JsonShape {
  return shapeOfJson(text, FRAME_JSON, start)
}

/** The fault of a frame that exceeds a bound. */
export function faultOfShape({ excess }: JsonShape): MessageFault | undefined {
  return excess === undefined ? undefined : tooLarge(EXCESS[excess](FRAME_JSON[BOUND_OF[excess]]))
}

/** A list of lists: several messages. */
const SEVERAL = /^[ \t\r\n]*\[[ \t\r\n]*\[/

/** The number of messages in a frame's text. */
export function messagesIn(text: string, { outermost }: JsonShape): number {
  return SEVERAL.test(text) ? outermost : 1
}

/** Reads the text of one frame: a message, or an array of several. */
export function parseClientFrame(
  text: string,
  shape = shapeOfFrame(text),
): readonly (ClientMessage | MessageFault)[] {
  const fault = faultOfShape(shape)
  if (fault !== undefined) return [fault]
  let value: unknown
  try {
    value = parseCounted(text, shape, FRAME_JSON)
  } catch {
    return [UNREADABLE]
  }
  return Array.isArray(value) && Array.isArray(value[0])
    ? value.map(readClientMessage)
    : [readClientMessage(value)]
}

/** Reads a decoded message: only exactly the documented forms are valid. */
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
    const channel = 'channel' in first ? first.channel : undefined
    if (isPrivateChannel(channel)) {
      return { kind: name === 'subscribe' ? 'follow' : 'unfollow', channel, fields: first }
    }
    const subscription = readSubscription(first)
    return 'kind' in subscription ? subscription : { kind: name, subscription }
  }
  if (name === 'login' && value.length === 2 && isObject(first)) return { kind: 'login', fields: first }
  if (typeof name === 'string' && name.startsWith(REQUEST_PREFIX) && value.length === 3 && isObject(second)) {
    const id = requestIdOf(first)
    return id === undefined ? WITHOUT_ID : { kind: 'request', name, id, fields: second }
  }
  return UNKNOWN
}

const WITHOUT_ID: MessageFault = {
  kind: 'fault',
  reason: 'INVALID_PARAMETER',
  name: 'requestId',
  expected: requestIdForm(REQUEST_ID_MAX),
}

function requestIdOf(id: unknown): RequestId | undefined {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : undefined
  return typeof id === 'string' && id !== '' && id.length <= REQUEST_ID_MAX ? JSON.stringify(id) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The payload of `stale` (docs/reference/stream-extensions.md#stale): the time since which the data is stale,
 * in milliseconds of Unix time.
 */
export function staleJson(since: number): string {
  return `{"since":${since}}`
}

/**
 * The payload of `live` (docs/reference/stream-extensions.md#stale): everything that follows is as of this
 * command, or later.
 */
export function liveJson(seq: number): string {
  return `{"seq":${seq}}`
}

/** The payload of `shutdown` (docs/reference/stream-extensions.md#shutdown). */
export function shutdownJson(reconnectAfterMs: number): string {
  return `{"reconnectAfterMs":${reconnectAfterMs}}`
}

/** `["orders",{...}]` from a payload that is already JSON text. */
export function eventJson(event: ServerEvent, payloadJson: string): string {
  return `["${event}",${payloadJson}]`
}
