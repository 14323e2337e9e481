/**
 * The body of an error, for HTTP and for the stream's `error` event (docs/reference/errors.md), and the texts of reasons.
 */
import type { Language } from './language.ts'
import {
  ALL_REASONS,
  type AnyReason,
  REASONS,
  type Reason,
  type ReasonArguments,
} from './reasons/catalogue.ts'
import type { TextArgument } from './reasons/entry.ts'

/** Longest argument shown in a text; a client's own words come back no longer than this. */
const ARGUMENT_TEXT_MAX = 120

/** The same of an argument in two languages, which is ours: the names of all parameters of a list of three orders have room. */
const OWN_TEXT_MAX = 1_000

/** Of a refusal about a number: the nearest one that would pass, and the parameter that it would be sent in. */
export type Nearest = { readonly parameter: string; readonly value: string }

/** What some refusals say beside their reason (docs/reference/errors.md#beside-the-reason). */
export type ErrorExtras = {
  /** Of what is not there: whether it never will be. */
  readonly isFinal?: boolean | undefined
  /** Undefined where the refusal is about no number, or where none would pass. */
  readonly nearest?: Nearest | undefined
  /** What was done nevertheless, as JSON. */
  readonly data?: string
  /** It is an answer that was given before: the transport marks it. */
  readonly isRepeat?: boolean
  /** Seconds after which it may be asked again, where that is planned: the transport says so. */
  readonly retryAfter?: number
}

/** `{"status":false,"code":...,"msg":[...],"reason":...}` with the text in `language`, and what is said beside the reason. */
export function errorBody<R extends Reason>(
  reason: R,
  args: ReasonArguments<R>,
  language: Language,
  { isFinal, nearest, data }: ErrorExtras = {},
): string {
  const { code } = REASONS[reason]
  const text = JSON.stringify(reasonMessage(reason, args, language))
  const final = isFinal === undefined ? '' : `,"isFinal":${isFinal}`
  const near =
    nearest === undefined
      ? ''
      : `,"nearest":${JSON.stringify(nearest.value)},"parameter":${JSON.stringify(nearest.parameter)}`
  const done = data === undefined ? '' : `,"data":${data}`
  return `{"status":false,"code":"${code}","msg":[${text}],"reason":"${reason}"${final}${near}${done}}`
}

/** The text of a reason with its arguments in place. */
export function reasonMessage<R extends Reason>(
  reason: R,
  args: ReasonArguments<R>,
  language: Language,
): string {
  return filled(REASONS[reason][language], args, language)
}

/** The English text of a reason with its arguments in place, for operators. */
export function reasonText<R extends AnyReason>(reason: R, args: ReasonArguments<R>): string {
  return filled(ALL_REASONS[reason].en, args, 'en')
}

function filled(
  text: string,
  values: Readonly<Record<string, TextArgument | undefined>>,
  language: Language,
): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? placeholder : argumentText(value, language)
  })
}

function argumentText(value: TextArgument, language: Language): string {
  const [text, max] =
    typeof value === 'object' ? [value[language], OWN_TEXT_MAX] : [String(value), ARGUMENT_TEXT_MAX]
  return text.length > max ? `${text.slice(0, max)}…` : text
}
