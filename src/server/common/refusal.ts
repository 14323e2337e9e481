/**
 * A request refused: a value, not an exception.
 */
import { type ErrorExtras, errorBody, type Nearest } from '../../contract/error-body.ts'
import type { Language } from '../../contract/language.ts'
import { REASONS, type Reason, type ReasonArguments } from '../../contract/reasons/catalogue.ts'
import type { TextArgument } from '../../contract/reasons/entry.ts'

/** A person corrects the clock, or a time service does so at one of its next adjustments. */
const CLOCK_RETRY_SECONDS = 30
/** Another engine takes over within a second or two. */
const LEADER_RETRY_SECONDS = 1

/**
 * The reason of a refusal, with the values that its texts need. Created by `refuse`, which keeps the two
 * together.
 */
export class Refusal {
  readonly reason: Reason
  readonly args: Readonly<Record<string, TextArgument>>
  readonly extras: ErrorExtras

  constructor(reason: Reason, args: Readonly<Record<string, TextArgument>>, extras: ErrorExtras = {}) {
    this.reason = reason
    this.args = args
    this.extras = extras
  }

  /** The same refusal for a missing object; `isFinal`: the object will never exist. */
  final(isFinal: boolean): Refusal {
    return new Refusal(this.reason, this.args, { ...this.extras, isFinal })
  }

  /**
   * The same refusal for only a part of the request. `data`: the parts that were done, as JSON; `isRepeat`:
   * the complete answer was given before.
   */
  partly(data: string, isRepeat: boolean): Refusal {
    return new Refusal(this.reason, this.args, { ...this.extras, data, isRepeat })
  }

  /** The same refusal for requests that may be repeated after this many seconds; undefined if unknown. */
  after(seconds: number | undefined): Refusal {
    return seconds === undefined
      ? this
      : new Refusal(this.reason, this.args, { ...this.extras, retryAfter: seconds })
  }

  /**
   * Seconds after which a retry is worthwhile, which each transport reports in its own way; undefined if
   * unknown, or if waiting does not help.
   */
  get retryAfter(): number | undefined {
    const { reason, args, extras } = this
    if (reason === 'NO_LEADER') return LEADER_RETRY_SECONDS
    if (reason === 'CLOCK_NOT_TRUSTED') return CLOCK_RETRY_SECONDS
    if (extras.retryAfter !== undefined) return extras.retryAfter
    // Each answer makes room for another request.
    if (reason === 'REQUESTS_UNDER_WAY') return undefined
    const { status } = REASONS[reason]
    const isLimit = status === 429 || status === 418 || reason === 'ANSWERS_UNDER_WAY'
    return isLimit ? Number(args.seconds ?? 1) : undefined
  }

  /** The same refusal of a number, with the nearest accepted one; unchanged if `nearest` is undefined. */
  near(nearest: Nearest | undefined): Refusal {
    return nearest === undefined ? this : new Refusal(this.reason, this.args, { ...this.extras, nearest })
  }

  /** The same refusal without the nearest value, for answers of the common interface. */
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

/** A refusal with the arguments that the reason's texts need. */
export function refuse<R extends Reason>(reason: R, args: ReasonArguments<R>): Refusal {
  return new Refusal(reason, args)
}
