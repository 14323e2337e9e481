/**
 * The answer to a replacement (docs/reference/order-changes.md#replace): the outcomes of the cancel and of
 * the new order, each in the form of its own endpoint.
 */
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'

/** The body of the separate endpoint's answer, and whether the part was carried out. */
export type ReplacedPart = { readonly isDone: boolean; readonly body: string }

const REPLACED = successHeads({ en: 'The order has been replaced.', tr: 'Emrin yerine yenisi verildi.' })

/** `data` of the answer, whether both parts were carried out or only one. */
export function replacementJson(canceled: ReplacedPart, placed: ReplacedPart): string {
  const result = ({ isDone }: ReplacedPart) => (isDone ? 'SUCCESS' : 'FAILURE')
  return (
    `{"cancelResult":"${result(canceled)}","newOrderResult":"${result(placed)}",` +
    `"cancelResponse":${canceled.body},"newOrderResponse":${placed.body}}`
  )
}

/** The answer if both parts were carried out. */
export function replacedBody(dataJson: string, language: Language): string {
  return successBody(REPLACED, language, dataJson)
}
