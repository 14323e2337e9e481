/** The message about a request, once its outcome is known. */
import { BourseError, RefusedError } from '../../../../client/errors.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { amountText, codesOf, orderPhrase } from '../order-phrase.ts'
import { refusalText } from '../refusal-text.ts'
import { messageOf } from '../trading-state.ts'
import type { Subject } from './outgoing.ts'

export function placedText(subject: Subject): string {
  const { notices: words } = TEXTS
  switch (subject.kind) {
    case 'ORDER':
      return words.placed(orderPhrase(subject.order))
    case 'LIST':
      return words.placedList(subject.list, phrases(subject))
    case 'REPLACEMENT':
      return words.edited(orderPhrase(subject.order), orderPhrase(subject.before))
  }
}

/** `quantity`: the new one. */
export function amendedText(order: Order, quantity: string): string {
  const before = amountText(order.quantity ?? '0', codesOf(order.symbol).base)
  return TEXTS.notices.edited(orderPhrase({ ...order, quantity }), before)
}

/** The request was not carried out, and never will be. */
export function neverText(subject: Subject): string {
  const { notices: words } = TEXTS
  return subject.kind === 'REPLACEMENT'
    ? words.neverEdited(orderPhrase(subject.before))
    : words.neverPlaced(phrases(subject))
}

export function refusedText(subject: Subject, error: unknown): string {
  const { notices: words } = TEXTS
  if (subject.kind !== 'REPLACEMENT') return words.notPlaced(phrases(subject), messageOf(error))
  const before = orderPhrase(subject.before)
  if (!isHalfDone(error)) return words.notEdited(before, messageOf(error))
  const why = whyNotPlaced(error)
  return why === undefined ? words.halfEditedLost(before) : words.halfEdited(before, why)
}

/** Whether the old order of a replacement was canceled, and the new one was not placed. */
export function isHalfDone(error: unknown): error is BourseError {
  return error instanceof BourseError && error.outcome === 'PARTLY_DONE'
}

/** The exchange's refusal of the new order; undefined if its answer was lost. */
function whyNotPlaced(error: BourseError): string | undefined {
  const answer = error instanceof RefusedError ? error.replacement?.newOrderResponse : undefined
  return answer === undefined || answer.status ? undefined : refusalText({ ...answer, messages: answer.msg })
}

function phrases(subject: Exclude<Subject, { readonly kind: 'REPLACEMENT' }>): string {
  const orders = subject.kind === 'ORDER' ? [subject.order] : subject.orders
  return orders.map(orderPhrase).join(' · ')
}
