/**
 * A request refused: a value, not an exception.
 */
import type { Reason, ReasonArguments } from '../../wire/reasons/catalogue.ts'
import type { TextArgument } from '../../wire/reasons/entry.ts'

/** Why a request is refused, with what its texts need. Made by `refuse`, which keeps the two together. */
export class Refusal {
  readonly reason: Reason
  readonly args: Readonly<Record<string, TextArgument>>
  /** Of what is not there: whether it never will be; undefined: the refusal says nothing of that. */
  readonly isFinal: boolean | undefined

  constructor(reason: Reason, args: Readonly<Record<string, TextArgument>>, isFinal?: boolean) {
    this.reason = reason
    this.args = args
    this.isFinal = isFinal
  }

  /** The same refusal that says so. */
  final(isFinal: boolean): Refusal {
    return new Refusal(this.reason, this.args, isFinal)
  }
}

/** A refusal whose arguments are those that the reason's texts name. */
export function refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): Refusal {
  return new Refusal(reason, args)
}
