/** What is said of something that an earlier page, or another tab, has sent, once it is known what became of it. */
import { TEXTS } from '../../shared/texts/texts.ts'
import { orderPhrase } from './order-phrase.ts'
import type { Found } from './sending/outcomes.ts'

/** What was placed is named by its figures, as the exchange has them. Of what was not, the browser has kept the id alone. */
export function foundText(found: Found): string {
  return found.kind === 'PLACED'
    ? TEXTS.found.PLACED(found.placed.orders.map(orderPhrase).join(' · '))
    : TEXTS.found[found.kind](found.attempt.clientOrderId)
}
