/**
 * The body of an error, for HTTP and for the stream's `error` event (interface 7.1, decisions "Errors").
 */
import type { Language } from './language.ts'
import { REASONS, type Reason, type ReasonArguments } from './reasons/catalogue.ts'
import type { TextArgument } from './reasons/entry.ts'

/** Longest argument shown in a text; a client's own words come back no longer than this. */
const ARGUMENT_TEXT_MAX = 120

/** `{"status":false,"code":...,"msg":[...],"reason":...}` with the text in `language`. */
export function errorBody<R extends Reason>(reason: R, args: ReasonArguments<R>, language: Language): string {
  const { code } = REASONS[reason]
  const text = reasonText(reason, args, language)
  return `{"status":false,"code":"${code}","msg":[${JSON.stringify(text)}],"reason":"${reason}"}`
}

/** The text of a reason with its arguments in place. */
export function reasonText<R extends Reason>(
  reason: R,
  args: ReasonArguments<R>,
  language: Language,
): string {
  const values: Readonly<Record<string, TextArgument | undefined>> = args
  return REASONS[reason][language].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? placeholder : argumentText(value, language)
  })
}

function argumentText(value: TextArgument, language: Language): string {
  const text = typeof value === 'object' ? value[language] : String(value)
  return text.length > ARGUMENT_TEXT_MAX ? `${text.slice(0, ARGUMENT_TEXT_MAX)}…` : text
}
