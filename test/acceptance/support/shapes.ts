/** Forms of fields in answers, for comparing whole objects: the exact set of fields, each with its form. */
import { expect } from 'bun:test'

const DECIMAL = '(?:0|[1-9]\\d*)(?:\\.\\d*[1-9])?'

/** A JSON number, written as a plain decimal without trailing zeros. */
export const NUMBER = expect.stringMatching(new RegExp(`^#${DECIMAL}$`))
/** A JSON number: milliseconds since 1970, of this century. */
export const MILLISECONDS = expect.stringMatching(/^#[1-9]\d{12}$/)
/** A string that is a plain decimal without trailing zeros. */
export const DECIMAL_STRING = expect.stringMatching(new RegExp(`^${DECIMAL}$`))
export const UUID = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)
/** ISO 8601 in UTC, with milliseconds and an offset. */
export const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
const TEXTS = [expect.stringMatching(/\S/)]

/** The envelope of a success; with `data` if it is given. */
export function success(data?: unknown): object {
  return { status: true, code: '0000', msg: TEXTS, ...(data === undefined ? {} : { data }) }
}

/** The body of an error. */
export function failure(code: string, reason: string): object {
  return { status: false, code, msg: TEXTS, reason }
}
