/** Requests of the WebSocket API about the connection itself: all others are endpoints. */
import type { CheckedRow } from '../endpoints/row.ts'

export type SessionRow = CheckedRow & {
  readonly weight: number
  /** One sentence of documentation. */
  readonly about: string
}

const OPEN = { security: 'NONE', weight: 2, parameters: {} } as const
/** Signed; only reads. */
const SIGNED = { security: 'USER_DATA', weight: 2, parameters: {} } as const

export const SESSION_ROWS = {
  'session.logon': {
    ...SIGNED,
    about: 'further requests need no `apiKey` and no `signature`; only for Ed25519 keys',
  },
  'session.status': { ...OPEN, about: 'the key that is logged on, and the time of its logon' },
  'session.logout': { ...OPEN, about: 'the key is no longer logged on' },
  'session.subscriptions': { ...OPEN, about: 'lists the subscriptions of the connection' },
  'userDataStream.subscribe': { ...OPEN, about: 'subscribes to the account of the key that is logged on' },
  'userDataStream.subscribe.signature': { ...SIGNED, about: 'subscribes to the account of any key' },
  'userDataStream.unsubscribe': {
    ...OPEN,
    parameters: { subscriptionId: { form: 'WHOLE', min: 0, max: Number.MAX_SAFE_INTEGER } },
    about: 'ends the subscription, or all subscriptions of the connection',
  },
} as const satisfies Readonly<Record<string, SessionRow>>

export type SessionRequest = keyof typeof SESSION_ROWS

export function isSessionRequest(method: string): method is SessionRequest {
  return Object.hasOwn(SESSION_ROWS, method)
}
