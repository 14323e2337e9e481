/**
 * From the raw query and body of a request to its parameters. Both are signed as one text, so the parameters are read from
 * that text, and where it may be cut is limited: a cut can never change what the request means
 * (docs/reference/http.md#signature).
 */

import { PARAMETERS_MAX, Parameters } from '../common/parameters.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import { addForm, type FormFault, formText } from './form.ts'

/** What no form has, and what texts that are signed for another purpose do have: a login must never be a request. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
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

/** True unless the joint of the two stands inside a parameter, where another cut could make two parameters of one. */
function isSeparated(query: string, body: string): boolean {
  return query === '' || body === '' || query.endsWith('&') || body.startsWith('&')
}

/** Says which part is at fault: the body when it is broken by itself, else the query. */
function formRefusal(fault: FormFault, body: string): Refusal {
  if (fault === 'TOO_MANY') return refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
  return addForm(new Parameters(), body) === 'MALFORMED'
    ? refuse('UNREADABLE_BODY', {})
    : refuse('UNREADABLE_QUERY', {})
}
