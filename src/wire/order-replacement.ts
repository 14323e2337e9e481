/**
 * The answer to a replacement (docs/reference/order-changes.md#replace): what became of the cancel and of the new order, each in the
 * words of its own endpoint.
 */
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

/** The body that the endpoint of each would have answered with, and whether it was done. */
export type ReplacedPart = { readonly isDone: boolean; readonly body: string }

const REPLACED = successHeads({ en: 'The order has been replaced.', tr: 'Emrin yerine yenisi verildi.' })

/** `data` of either answer. */
export function replacementJson(canceled: ReplacedPart, placed: ReplacedPart): string {
  const result = ({ isDone }: ReplacedPart) => (isDone ? 'SUCCESS' : 'FAILURE')
  return (
    `{"cancelResult":"${result(canceled)}","newOrderResult":"${result(placed)}",` +
    `"cancelResponse":${canceled.body},"newOrderResponse":${placed.body}}`
  )
}

/** Both were done. */
export function replacedBody(dataJson: string, language: Language): string {
  return successBody(REPLACED, language, dataJson)
}
