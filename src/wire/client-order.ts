/** What is known of an order by its client order id (docs/reference/client-order-ids.md#ask-what-became-of-an-order). */
import type { Uuid } from '../units/ids.ts'
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

export type ClientOrderFields = {
  readonly id: Uuid
  readonly clientOrderId: string
  readonly symbol: string
  readonly createdAt: TimeMs
  readonly isWorking: boolean
}

const FOUND = successHeads({ en: 'The order has been found.', tr: 'Emir bulundu.' })

export function clientOrderBody(order: ClientOrderFields, language: Language): string {
  const { id, clientOrderId, symbol, createdAt, isWorking } = order
  return successBody(FOUND, language, JSON.stringify({ id, clientOrderId, symbol, createdAt, isWorking }))
}
