/**
 * A page of a list that goes on elsewhere, as `data`: `{"<name>":[...],"next":"<place>"}`. `next` is what `before` takes to
 * go on from there; at the end of the list it is absent (docs/reference/orders.md#lists-that-go-on).
 */
import type { SuccessHeads } from './envelope.ts'
import type { Language } from './language.ts'

/** What stands before the rows. */
export function pageHead(heads: SuccessHeads, language: Language, name: string): string {
  return `${heads[language]},"data":{${JSON.stringify(name)}:[`
}

/** What stands behind them at the end of the list ... */
export const PAGE_END = ']}}'

/** ... and before it. */
export function placeEnd(next: string): string {
  return `],"next":${JSON.stringify(next)}}}`
}
