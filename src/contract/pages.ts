/**
 * A page of a list as `data`: `{"<name>":[...],"next":"<place>"}`. `next` is the `before` of the following
 * request; at the end of the list it is absent (docs/reference/orders.md#paged-lists).
 */
import { optional, text } from '../units/shapes/shape.ts'
import type { SuccessHeads } from './envelope.ts'
import type { Language } from './language.ts'

/** The place at which the list continues. */
export const NEXT = optional(text('The parameter `before` of the next request; absent at the end.'))

/** The text before the rows. */
export function pageHead(heads: SuccessHeads, language: Language, name: string): string {
  return `${heads[language]},"data":{${JSON.stringify(name)}:[`
}

/** The text after the rows of the last page. */
export const PAGE_END = ']}}'

/** The text after the rows of any other page. */
export function placeEnd(next: string): string {
  return `],"next":${JSON.stringify(next)}}}`
}
