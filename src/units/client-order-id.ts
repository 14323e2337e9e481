/** The form of a client order id (docs/reference/client-order-ids.md#the-id). */
import { CLIENT_ORDER_ID_MAX } from './limits.ts'

const CHARACTERS = /^[A-Za-z0-9._:/-]+$/

export function isClientOrderId(text: string): boolean {
  return text.length <= CLIENT_ORDER_ID_MAX && CHARACTERS.test(text)
}
