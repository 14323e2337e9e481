/** What has happened to the account by itself, in words: fills, orders that ended or were triggered, money that came or went. Many of a kind are one notice. */
import { Decimal } from '../../../client/decimal.ts'
import type { LedgerEntry } from '../../../client/interface/answers.ts'
import type { Fill, Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import { endReasonText } from '../view/order-words.ts'
import type { OrderHappening } from './account-book.ts'
import { GROUP_MS, type NoticeLog } from './notice-log.ts'

/** What was filled in one market on one side within a moment. */
type Filled = {
  readonly quantity: Decimal
  readonly low: Decimal
  readonly high: Decimal
  readonly count: number
  readonly at: number
}

type Counted = { readonly count: number; readonly at: number }

export class AccountNotices {
  readonly #log: NoticeLog
  readonly #now: () => number
  readonly #filled = new Map<string, Filled>()
  readonly #ended = new Map<string, Counted>()

  constructor(log: NoticeLog, now: () => number) {
    this.#log = log
    this.#now = now
  }

  fills(fills: readonly Fill[]): void {
    for (const fill of fills) {
      const group = `fills ${fill.symbol} ${fill.side}`
      const { quantity, low, high, count } = this.#summed(group, fill)
      const about = [TEXTS.side[fill.side], quantity.toString(), fill.symbol] as const
      const { fills: words } = TEXTS
      const text =
        count === 1
          ? words.notice(...about, fill.price)
          : low.compare(high) === 0
            ? words.some(...about, fill.price, String(count))
            : words.range(...about, low.toString(), high.toString(), String(count))
      this.#log.tell({ text, isNews: true, group })
    }
  }

  order({ kind, order }: OrderHappening): void {
    const { notices: words } = TEXTS
    const about = aboutOrder(order)
    switch (kind) {
      case 'TRIGGERED':
        this.#log.tell({ text: words.triggered(about), isNews: true })
        return
      case 'CANCELED_ELSEWHERE':
        this.#endedAs('elsewhere', words.elsewhere(about), words.manyElsewhere)
        return
      case 'ENDED': {
        const reason = endReasonText(order.endReason ?? '')
        this.#endedAs(reason, words.ended(about, reason), (count) => words.manyEnded(count, reason))
        return
      }
    }
  }

  transfer({ cause, amount, asset }: LedgerEntry): void {
    const { causes } = TEXTS.account.ledger
    const word = causes[cause as keyof typeof causes] ?? cause
    this.#log.tell({ text: TEXTS.notices.transfer(word, amount, asset), isNews: true })
  }

  #summed(group: string, { quantity, price }: Fill): Filled {
    const at = this.#now()
    const before = this.#filled.get(group)
    const one = Decimal.from(price)
    const sum: Filled =
      before === undefined || at - before.at > GROUP_MS
        ? { quantity: Decimal.from(quantity), low: one, high: one, count: 1, at }
        : {
            quantity: before.quantity.plus(quantity),
            low: one.compare(before.low) < 0 ? one : before.low,
            high: one.compare(before.high) > 0 ? one : before.high,
            count: before.count + 1,
            at,
          }
    this.#filled.set(group, sum)
    return sum
  }

  #endedAs(kind: string, one: string, many: (count: string) => string): void {
    const at = this.#now()
    const before = this.#ended.get(kind)
    const count = before === undefined || at - before.at > GROUP_MS ? 1 : before.count + 1
    this.#ended.set(kind, { count, at })
    this.#log.tell({ text: count === 1 ? one : many(String(count)), isNews: true, group: `ended ${kind}` })
  }
}

function aboutOrder({ side, symbol, quantity, total, price, stopPrice }: Order): string {
  const what = TEXTS.orders.about(TEXTS.side[side], quantity ?? total ?? '–', price ?? stopPrice ?? '–')
  return `${symbol}: ${what}`
}
