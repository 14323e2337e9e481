/**
 * A request refused: a value, not an exception.
 */
import { type ErrorExtras } from '../../wire/error-body.ts'
import type { Language } from '../../wire/language.ts'
import type { Reason, ReasonArguments } from '../../wire/reasons/catalogue.ts'
import type { TextArgument } from '../../wire/reasons/entry.ts'
/** Of a refusal about a number: the nearest one that would pass, and the parameter that it would be sent in. */
export type Nearest = NonNullable<ErrorExtras['nearest']>
/** Why a request is refused, with what its texts need. Made by `refuse`, which keeps the two together. */
export declare class Refusal {
  readonly reason: Reason
  readonly args: Readonly<Record<string, TextArgument>>
  readonly extras: ErrorExtras
  constructor(reason: Reason, args: Readonly<Record<string, TextArgument>>, extras?: ErrorExtras)
  /** The same refusal of what is not there, with whether it never will be. */
  final(isFinal: boolean): Refusal
  /** The same refusal of a number, with the nearest that would pass; undefined: there is none. */
  near(nearest: Nearest | undefined): Refusal
  /** The body of the error, the same over every transport. */
  body(language: Language): string
}
/** A refusal whose arguments are those that the reason's texts name. */
export declare function refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): Refusal
