/**
 * The body of an error, for HTTP and for the stream's `error` event (docs/reference/errors.md), and the texts
 * of reasons.
 */
import {
  component,
  constant,
  decimal,
  flag,
  object,
  openWord,
  optional,
  type Shape,
  text,
  word,
} from '../units/shapes/shape.ts'
import { MESSAGES } from './envelope.ts'
import type { Language } from './language.ts'
import {
  ALL_REASONS,
  type AnyReason,
  REASON_NAMES,
  type Reason,
  type ReasonArguments,
  SPOKEN_REASONS,
  type SpokenReason,
} from './reasons/catalogue.ts'
import type { TextArgument } from './reasons/entry.ts'

const REFUSAL = {
  status: constant(false),
  code: word(
    ['4001', '4004', '0014'],
    '4001: the request is wrong, or refused. 4004: it cannot be read. 0014: not now.',
  ),
  msg: MESSAGES,
  reason: openWord(
    REASON_NAMES,
    'The reason: finer than code, and stable. New reasons may be added: treat an unknown one by its code.',
  ),
}

/** Members after `reason` exist only for some reasons (docs/reference/refusals.md). */
export const ERROR = component('Error', 'The request was refused.', {
  ...REFUSAL,
  isFinal: optional(flag('For an order or list that was not found: true if it will never be placed.')),
  nearest: optional(decimal('The nearest value that the violated rule allows; it can be sent unchanged.')),
  parameter: optional(text('The parameter for which that value is meant.')),
})

/** A refusal with the part that was carried out nevertheless. */
export const refusalWith = <Data>(reason: Reason, data: Shape<Data>) =>
  object({ ...REFUSAL, reason: constant(reason), data })

/** A refusal preceded by another member: the end of a subscription by the server. */
export const refusalOf = <Value>(name: string, member: Shape<Value>) => object({ [name]: member, ...REFUSAL })

/** Longest argument shown in a text; a client's own input is never repeated longer than this. */
const ARGUMENT_TEXT_MAX = 120

/**
 * Longest argument in two languages, which the server itself has written: the names of all parameters of a
 * list of three orders fit.
 */
const OWN_TEXT_MAX = 1_000

/** For a refusal about a number: the nearest acceptable one, and the parameter to send it in. */
export type Nearest = { readonly parameter: string; readonly value: string }

/** Additional fields of some refusals (docs/reference/refusals.md). */
export type ErrorExtras = {
  /** For something that was not found: whether it will never exist. */
  readonly isFinal?: boolean | undefined
  /** Undefined if the refusal is not about a number, or no number is acceptable. */
  readonly nearest?: Nearest | undefined
  /** The part that was carried out nevertheless, as JSON. */
  readonly data?: string
  /** A repeated answer: the transport marks it. */
  readonly isRepeat?: boolean
  /** Seconds until the request may be repeated, if known: the transport sends them. */
  readonly retryAfter?: number
}

/**
 * `{"status":false,"code":...,"msg":[...],"reason":...}` with the text in `language`, and the additional
 * members.
 */
export function errorBody<R extends SpokenReason>(
  reason: R,
  args: ReasonArguments<R>,
  language: Language,
  { isFinal, nearest, data }: ErrorExtras = {},
): string {
  const { code } = SPOKEN_REASONS[reason]
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
export function reasonMessage<R extends SpokenReason>(
  reason: R,
  args: ReasonArguments<R>,
  language: Language,
): string {
  return filled(SPOKEN_REASONS[reason][language], args, language)
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
