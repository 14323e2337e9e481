/**
 * Notices of changes that the user did not make: fills, orders that ended or were triggered, incoming and
 * outgoing money. Many of one kind are combined into one notice.
 */
import type { LedgerEntry } from '../../../client/interface/answers.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import { groupedText } from '../../shared/grouped-text.ts'
import { TEXTS } from '../../shared/texts/texts.ts'
import { endReasonText } from '../view/form/order-texts.ts'
import type { OrderHappening } from './account-book.ts'
import { type FilledSum, filledText, withFill, withOrder } from './filled-sum.ts'
import { GROUP_MS, type NoticeLog } from './notice-log.ts'
import { orderPhrase } from './order-phrase.ts'

export type AccountNoticesOptions = {
  readonly log: NoticeLog
  readonly now: () => number
  /** Called with the text about a fill. */
  readonly onFill: (say: () => string) => void
}

type Summed = { readonly sum: FilledSum; readonly at: number }

export class AccountNotices {
  readonly #log: NoticeLog
  readonly #now: () => number
  readonly #onFill: (say: () => string) => void
  /** Recent fills in one market on one side, by the name of their group. */
  readonly #filled = new Map<string, Summed>()

  constructor({ log, now, onFill }: AccountNoticesOptions) {
    this.#log = log
    this.#onFill = onFill
    this.#now = now
  }

  /** `orderOf`: the known state of an order. */
  fills(fills: readonly Fill[], orderOf: (id: string) => Order | undefined): void {
    for (const fill of fills) {
      const group = groupOf(fill)
      const sum = withFill(this.#sumOf(group), fill, orderOf(fill.orderId))
      this.#filledAs(group, sum)
    }
  }

  /** Called when orders change: the notices of their fills show the remaining quantity. */
  orders(orders: readonly Order[]): void {
    for (const order of orders) {
      const group = groupOf(order)
      const before = this.#sumOf(group)
      const sum = before && withOrder(before, order)
      if (sum !== undefined && sum !== before) this.#filledAs(group, sum)
    }
  }

  order({ kind, order }: OrderHappening): void {
    const { notices: words } = TEXTS
    const { id: orderId, type, endReason = '' } = order
    const news = { isNews: true, orderId }
    switch (kind) {
      case 'TRIGGERED': {
        const isProfit = type === 'TAKE_PROFIT' || type === 'TAKE_PROFIT_LIMIT'
        const say = () => (isProfit ? words.profitReached : words.stopReached)(orderPhrase(order))
        this.#log.add({ ...news, say })
        return
      }
      case 'CANCELED_ELSEWHERE': {
        const say = (count: number) =>
          count === 1 ? words.elsewhere(orderPhrase(order)) : words.manyElsewhere(count)
        this.#log.add({ ...news, say, group: 'elsewhere' })
        return
      }
      case 'ENDED': {
        const say = (count: number) => (count === 1 ? endedText(order) : manyEndedText(count, endReason))
        this.#log.add({ ...news, say, group: `ended ${endReason}` })
        return
      }
    }
  }

  transfer({ cause, amount, asset }: LedgerEntry): void {
    const { causes } = TEXTS.account.ledger
    const say = () =>
      TEXTS.notices.transfer(causes[cause as keyof typeof causes] ?? cause, groupedText(amount), asset)
    this.#log.add({ say, isNews: true })
  }

  #sumOf(group: string): FilledSum | undefined {
    const summed = this.#filled.get(group)
    return summed !== undefined && this.#now() - summed.at <= GROUP_MS ? summed.sum : undefined
  }

  #filledAs(group: string, sum: FilledSum): void {
    this.#filled.set(group, { sum, at: this.#now() })
    const orderId = sum.orders.kind === 'ONE' ? sum.orders.id : undefined
    const say = () => filledText(sum)
    this.#log.add({ say, isNews: true, orderId, group })
    this.#onFill(say)
  }
}

function groupOf({ symbol, side }: Pick<Order, 'symbol' | 'side'>): string {
  return `fills ${symbol} ${side}`
}

function endedText(order: Order): string {
  const { endReason = '' } = order
  const phrase = orderPhrase(order)
  return endReason === 'EXPIRED'
    ? TEXTS.notices.expired(phrase)
    : TEXTS.notices.ended(phrase, endReasonText(endReason))
}

function manyEndedText(count: number, endReason: string): string {
  return endReason === 'EXPIRED'
    ? TEXTS.notices.manyExpired(count)
    : TEXTS.notices.manyEnded(count, endReasonText(endReason))
}
