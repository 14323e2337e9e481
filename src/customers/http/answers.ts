/** Answers to customers: the envelope of the trading interface, with headers that forbid caching. */
import type { AccountRow } from '../../contract/customers/row.ts'
import { successBody, successHeads } from '../../contract/envelope.ts'
import { errorBody } from '../../contract/error-body.ts'
import type { Language } from '../../contract/language.ts'
import { type ReasonArguments, SPOKEN_REASONS, type SpokenReason } from '../../contract/reasons/catalogue.ts'
import { jsonOf } from '../../units/shapes/shape-json.ts'
import type { AccountRefusal } from '../account-refusal.ts'

const HEADS = successHeads({ en: 'Done.', tr: 'Tamam.' })

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json;charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

export function succeeded({ answer, status }: AccountRow, data: unknown, language: Language): Response {
  const json = answer === undefined ? undefined : jsonOf(answer, data)
  return new Response(successBody(HEADS, language, json), {
    status: status ?? 200,
    headers: headersIn(language),
  })
}

export function failed({ reason, args }: AccountRefusal, language: Language): Response {
  const { status } = SPOKEN_REASONS[reason]
  const body = errorBody(reason, args as ReasonArguments<SpokenReason>, language)
  const headers = new Headers(headersIn(language))
  if (status === 503) headers.set('Retry-After', '1')
  return new Response(body, { status, headers })
}

function headersIn(language: Language): Record<string, string> {
  return { ...HEADERS, 'Content-Language': language }
}
