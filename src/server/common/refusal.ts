/**
 * A request refused: a value, not an exception.
 */
import { type ErrorExtras, errorBody, type Nearest } from '../../wire/error-body.ts'
import type { Language } from '../../wire/language.ts'
import { REASONS, type Reason, type ReasonArguments } from '../../wire/reasons/catalogue.ts'
import type { TextArgument } from '../../wire/reasons/entry.ts'

/** A clock is put right by a person, or by a time service within its next rounds. */
const CLOCK_RETRY_SECONDS = 30
/** Another engine claims within a second or two. */
const LEADER_RETRY_SECONDS = 1

/** Why a request is refused, with what its texts need. Made by `refuse`, which keeps the two together. */
export class Refusal {
  readonly reason: Reason
  readonly args: Readonly<Record<string, TextArgument>>
  readonly extras: ErrorExtras

  constructor(reason: Reason, args: Readonly<Record<string, TextArgument>>, extras: ErrorExtras = {}) {
    this.reason = reason
    this.args = args
    this.extras = extras
  }

  /** The same refusal of what is not there, with whether it never will be. */
  final(isFinal: boolean): Refusal {
    return new Refusal(this.reason, this.args, { ...this.extras, isFinal })
  }

  /** The same refusal of a part alone: what was done nevertheless, as JSON, and whether all of it is an answer that was given before. */
  partly(data: string, isRepeat: boolean): Refusal {
    return new Refusal(this.reason, this.args, { ...this.extras, data, isRepeat })
  }

  /** The same refusal of what may be asked again after so many seconds; undefined: nobody knows when. */
  after(seconds: number | undefined): Refusal {
    return seconds === undefined
      ? this
      : new Refusal(this.reason, this.args, { ...this.extras, retryAfter: seconds })
  }

  /**
   * Whole seconds after which it is worth asking again, which every transport says in its way; undefined: nobody knows, or it takes
   * something else than time.
   */
  get retryAfter(): number | undefined {
    const { reason, args, extras } = this
    if (reason === 'NO_LEADER') return LEADER_RETRY_SECONDS
    if (reason === 'CLOCK_NOT_TRUSTED') return CLOCK_RETRY_SECONDS
    if (extras.retryAfter !== undefined) return extras.retryAfter
    // An answer makes room.
    if (reason === 'REQUESTS_UNDER_WAY') return undefined
    const { status } = REASONS[reason]
    const isLimit = status === 429 || status === 418 || reason === 'ANSWERS_UNDER_WAY'
    return isLimit ? Number(args.seconds ?? 1) : undefined
  }

  /** The same refusal of a number, with the nearest that would pass; undefined: there is none. */
  near(nearest: Nearest | undefined): Refusal {
    return nearest === undefined ? this : new Refusal(this.reason, this.args, { ...this.extras, nearest })
  }

  /** The same refusal without what is nearest, for answers of the common interface. */
  bare(): Refusal {
    if (this.extras.nearest === undefined) return this
    return new Refusal(this.reason, this.args, { ...this.extras, nearest: undefined })
  }

  /** The body of the error, the same over every transport. */
  body(language: Language): string {
    // `refuse` made the pair, so the arguments are those of the reason.
    return errorBody(this.reason, this.args as ReasonArguments<Reason>, language, this.extras)
  }
}

/** A refusal whose arguments are those that the reason's texts name. */
export function refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): Refusal {
  return new Refusal(reason, args)
}
