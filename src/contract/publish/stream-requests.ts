/** Messages from clients. Parameters of requests are texts in the forms of HTTP, or exact numbers. */
import { z } from 'zod'
import {
  amendOrderParameters,
  batchParameters,
  cancelOrderParameters,
  countdownParameters,
  massCancelParameters,
  newOrderParameters,
  replaceOrderParameters,
} from '../endpoints/order-parameters.ts'
import { optional, type ParametersByName, time } from '../endpoints/parameter.ts'
import { BOOK_LEVELS, CHANNEL_NAMES, INTERVALS_MS } from '../stream/channels.ts'
import { PRIVATE_CHANNELS } from '../stream/private-feed.ts'
import { seq, symbolName, timeParameter, uuidParameter } from './forms.ts'
import type { MessageRow } from './stream-message.ts'
import { zodParameters } from './zod-parameters.ts'

const subscription = z
  .object({
    channel: z.enum(CHANNEL_NAMES),
    symbol: symbolName,
    levels: z
      .literal([...BOOK_LEVELS])
      .optional()
      .meta({ description: 'Only for book; default: all.' }),
    intervalMs: z
      .literal([...INTERVALS_MS])
      .optional()
      .meta({ description: 'Minimum time between two messages; default: at every change.' }),
  })
  .meta({ id: 'SubscriptionRequest', description: 'A public channel of a symbol.' })

const following = z
  .object({
    channel: z.enum(PRIVATE_CHANNELS),
    since: seq.optional().meta({ description: 'Begin with the updates after this command.' }),
    journal: z
      .string()
      .optional()
      .meta({ description: 'With since: the journal to which the number belongs.' }),
  })
  .meta({ id: 'FollowingRequest', description: 'A private channel.' })

const login = z
  .object({
    apiKey: z.string(),
    timestamp: timeParameter,
    recvWindow: z.int().min(0).max(60_000).optional(),
    nonce: z
      .string()
      .regex(/^[A-Za-z0-9_-]{16,64}$/)
      .optional(),
    signature: z.string().meta({
      description:
        'HMAC-SHA256, with the secret as key, of: login, a line feed, and apiKey=...&timestamp=...&recvWindow=...&nonce=..., in this order, without those that are not sent.',
    }),
    cancelOnDisconnect: z
      .union([z.boolean(), z.enum(['true', 'false'])])
      .optional()
      .meta({ description: 'Orders placed over this login end with its connection.' }),
    graceMs: z.int().min(0).max(60_000).optional(),
    session: uuidParameter.optional(),
    frames: z.enum(['one', 'many']).optional().meta({ description: 'Plain WebSocket only.' }),
  })
  .meta({ id: 'Login', description: 'A login.' })

/** The members of a request that state its sending time and the end of its validity. */
const windowMembers = {
  timestamp: timeParameter.optional(),
  recvWindow: z.int().min(0).max(60_000).optional(),
}
const timed = (parameters: ParametersByName): ParametersByName => ({
  ...parameters,
  deadline: optional(time('The latest time at which the request may take effect.')),
})

const requestId = z
  .union([z.string().min(1).max(64), z.int()])
  .meta({ description: 'Your own id for the request; it is returned unchanged.' })

function request(name: string, parameters: ParametersByName, summary: string, page: string): MessageRow {
  const schema = z.tuple([z.literal(name), requestId, zodParameters(parameters).extend(windowMembers)])
  return { id: name, from: 'client', name, summary, page, schema, answer: 'answer' }
}

const JOINING = 'stream.md#messages-from-the-client'
const SUBSCRIBING = 'stream-extensions.md#messages-from-the-client'

export const CLIENT_MESSAGES: readonly MessageRow[] = [
  {
    id: 'join',
    from: 'client',
    name: 'join',
    summary: 'Joins a symbol: orders and trades follow',
    page: JOINING,
    schema: z.tuple([z.literal('join'), symbolName]),
  },
  {
    id: 'change_room',
    from: 'client',
    name: 'change_room',
    summary: 'Leaves a symbol and joins another',
    page: JOINING,
    schema: z.tuple([z.literal('change_room'), symbolName, symbolName]),
  },
  {
    id: 'subscribe',
    from: 'client',
    name: 'subscribe',
    summary: 'Subscribes to a channel: its state follows, then its changes',
    page: SUBSCRIBING,
    schema: z.tuple([z.literal('subscribe'), z.union([subscription, following])]),
    answer: 'subscribed',
  },
  {
    id: 'unsubscribe',
    from: 'client',
    name: 'unsubscribe',
    summary: 'Ends a subscription, with the same options as in subscribe',
    page: SUBSCRIBING,
    schema: z.tuple([z.literal('unsubscribe'), z.union([subscription, following.pick({ channel: true })])]),
    answer: 'unsubscribed',
  },
  {
    id: 'login',
    from: 'client',
    name: 'login',
    summary: 'Logs the connection in',
    page: 'order-entry.md#login',
    schema: z.tuple([z.literal('login'), login]),
    answer: 'answer',
  },
  request('order.place', timed(newOrderParameters), 'Places an order', 'http.md#new-order'),
  request('order.cancel', cancelOrderParameters, 'Cancels an order', 'http.md#cancel-order'),
  request(
    'order.amend',
    timed(amendOrderParameters),
    "Lowers an order's quantity",
    'order-changes.md#lower-the-quantity',
  ),
  request(
    'order.cancelReplace',
    timed(replaceOrderParameters),
    'Cancels an order and places another one',
    'order-changes.md#replace',
  ),
  request('order.cancelAll', massCancelParameters, 'Cancels all open orders', 'timers.md#mass-cancel'),
  request(
    'order.countdownCancelAll',
    timed(countdownParameters),
    'Sets the countdown',
    'timers.md#countdown',
  ),
  request(
    'order.batch',
    timed(batchParameters),
    'Places and cancels several orders',
    'extensions.md#order-batch',
  ),
]
