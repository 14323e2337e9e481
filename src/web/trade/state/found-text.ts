/** The message about a request of an earlier page, or another tab, once its outcome is known. */
import { TEXTS } from '../../shared/texts/texts.ts'
import { orderPhrase } from './order-phrase.ts'
import type { Found } from './sending/outcomes.ts'

/** A placed order is described by the exchange's figures. Of other requests, the browser has only the id. */
export function foundText(found: Found): string {
  return found.kind === 'PLACED'
    ? TEXTS.found.PLACED(found.placed.orders.map(orderPhrase).join(' · '))
    : TEXTS.found[found.kind](found.attempt.clientOrderId)
}
