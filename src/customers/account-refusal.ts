/** The refusal of a customer's request: a value, not an exception. */
import type { ReasonArguments, SpokenReason } from '../contract/reasons/catalogue.ts'
import type { TextArgument } from '../contract/reasons/entry.ts'

export class AccountRefusal {
  readonly reason: SpokenReason
  readonly args: Readonly<Record<string, TextArgument>>

  constructor(reason: SpokenReason, args: Readonly<Record<string, TextArgument>>) {
    this.reason = reason
    this.args = args
  }
}

export function refused<R extends SpokenReason>(reason: R, args: ReasonArguments<R>): AccountRefusal {
  return new AccountRefusal(reason, args)
}
