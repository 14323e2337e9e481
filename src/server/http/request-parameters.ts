/**
 * Converts the raw query and body of a request to its parameters. Both are signed as one text, so the
 * parameters are read from that text, and the positions of the boundary between them are restricted: it can
 * never change the meaning of the request (docs/reference/authentication.md#signature).
 */

import { PARAMETERS_MAX, Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { addForm, type FormFault, formText } from './form.ts'

/**
 * Characters that no form contains, but texts signed for other purposes do: a login must never be accepted as
 * a request.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression searches for control characters
const CONTROL_CHARACTER = /[\0-\x1f\x7f]/

/** Reads the query string and the body, joined as they were signed. A body that cannot be read is `4004`. */
export function readParameters(
  query: string,
  body: Uint8Array | undefined,
  contentType: string | null,
): Parameters | Refusal {
  const bodyText = body === undefined ? '' : formText(body, contentType)
  if (bodyText instanceof Refusal) return bodyText
  if (!isSeparated(query, bodyText)) return refuse('SEPARATOR_REQUIRED', {})
  const text = query === '' ? bodyText : query + bodyText
  if (CONTROL_CHARACTER.test(text)) return refuse('CONTROL_CHARACTER', {})
  const parameters = new Parameters()
  const fault = addForm(parameters, text)
  return fault === undefined ? parameters : formRefusal(fault, bodyText)
}

/** Refuses the first name that was given more than once, whatever it is. */
export function repetition(parameters: Parameters): Refusal | undefined {
  const name = parameters.firstRepeated()
  return name === undefined ? undefined : refuse('DUPLICATE_PARAMETER', { name })
}

/**
 * True unless the boundary between query and body is inside a parameter, where another cut could turn one
 * parameter into two.
 */
function isSeparated(query: string, body: string): boolean {
  return query === '' || body === '' || query.endsWith('&') || body.startsWith('&')
}

/** The refusal that specifies the wrong part: the body if it is malformed in itself, otherwise the query. */
function formRefusal(fault: FormFault, body: string): Refusal {
  if (fault === 'TOO_MANY') return refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
  return addForm(new Parameters(), body) === 'MALFORMED'
    ? refuse('UNREADABLE_BODY', {})
    : refuse('UNREADABLE_QUERY', {})
}
