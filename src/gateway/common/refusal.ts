/**
 * A request refused: a value, not an exception.
 */
import type { Reason, ReasonArguments } from '../../wire/reasons/catalogue.ts'
import type { TextArgument } from '../../wire/reasons/entry.ts'

/** Why a request is refused, with what its texts need. Made by `refuse`, which keeps the two together. */
export class Refusal {
  readonly reason: Reason
  readonly args: Readonly<Record<string, TextArgument>>

  constructor(reason: Reason, args: Readonly<Record<string, TextArgument>>) {
    this.reason = reason
    this.args = args
  }
}

/** A refusal whose arguments are those that the reason's texts name. */
export function refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): Refusal {
  return new Refusal(reason, args)
}
