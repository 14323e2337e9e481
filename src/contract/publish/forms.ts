/**
 * The forms of values in requests, answers and messages: the notation of a decimal, a time or an id.
 * Descriptions are published in docs/api, so they are written for readers of those files.
 */
import { z } from 'zod'
import { UNITS_MAX } from '../../units/quantities.ts'

/** Exact, at least 0, without trailing zeros. */
export const decimal = z
  .string()
  .regex(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/)
  .meta({ description: 'An exact decimal, without trailing zeros.', examples: ['60000.5'] })

/** An exact decimal with a minus sign if it is negative, without trailing zeros. */
export const signedDecimal = z
  .string()
  .regex(/^(?:0|-?(?:[1-9]\d*(?:\.\d*[1-9])?|0\.\d*[1-9]))$/)
  .meta({ description: 'An exact decimal, with a minus sign if it is below zero, without trailing zeros.' })

/** A decimal with a sign if it is negative. */
export const fixedDecimal = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/)
  .meta({ description: 'An exact decimal, with all the decimals of its symbol.', examples: ['60000.50'] })

/** More than 15 significant digits do not fit into a double (docs/reference/http.md#answers). */
export const exactNumber = z.number().min(0).meta({
  description:
    'A plain decimal, exact, never with an exponent. More than 15 significant digits do not fit a double: read it as text if you need every digit.',
})

export const whole = z.int().min(0).meta({ description: 'A whole number.' })

export const timeMs = z
  .int()
  .min(0)
  .meta({ description: 'Milliseconds since 1970-01-01 UTC.', format: 'int64', examples: [1790000001123] })

export const isoTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  .meta({ description: 'ISO 8601 in UTC, with milliseconds.', examples: ['2026-09-21T14:13:21.123+00:00'] })

export const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  .meta({
    description: 'A UUID in lowercase letters.',
    format: 'uuid',
    examples: ['01a0c450-7063-7100-8000-000000000004'],
  })

export const symbolName = z
  .string()
  .regex(/^[^/]+\/[^/]+$/)
  .meta({ description: 'The name of a symbol: <BASE>/<QUOTE>.', examples: ['BTC/USDT'] })

export const assetCode = z.string().min(1).max(16).meta({ description: 'The code of an asset.' })

export const clientOrderId = z
  .string()
  .regex(/^[A-Za-z0-9._:/-]{1,36}$/)
  .meta({ description: 'A client order id.', examples: ['grid-17/b.4'] })

/** The number of a command in the journal. */
export const seq = z.int().min(0).meta({ description: 'The number of a command in the journal.' })

/** A word of a list that may grow: readers must accept new ones. */
export function openWord(words: readonly string[], description: string) {
  return z.string().meta({ description, 'x-extensible-enum': [...words] })
}

// Parameters are texts of a form; these schemas describe their meaning.

/** A decimal above zero (docs/reference/http.md#decimals). */
export const decimalParameter = z
  .string()
  .regex(/^(?=.*[1-9])\d+(?:\.\d+)?$/)
  .meta({ description: 'A decimal above zero, without sign, exponent, spaces or separators.' })

/** A time. */
export const timeParameter = z
  .int()
  .min(0)
  .max(UNITS_MAX)
  .meta({ description: 'Milliseconds since 1970-01-01 UTC.', format: 'int64' })

export const uuidParameter = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/)
  .meta({ format: 'uuid' })

/** An integer in a range, with its default. */
export function limitParameter(max: number, fallback: number, description: string) {
  return z.int().min(1).max(max).default(fallback).meta({ description })
}
