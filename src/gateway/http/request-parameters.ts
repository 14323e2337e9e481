/**
 * From the raw query and body of a request to its parameters (decisions: "Parameters", "Errors").
 */
import { formText } from './body.ts'
import { type FormFault, PARAMETERS_MAX, Parameters } from './parameters.ts'
import { Refusal, refuse } from './refusal.ts'

/** Decodes the body first (a fault is `4004`), then the query string; a name in both is a repeated one. */
export function readParameters(
  query: string,
  body: Uint8Array | undefined,
  contentType: string | null,
): Parameters | Refusal {
  const parameters = new Parameters()
  if (body !== undefined) {
    const text = formText(body, contentType)
    if (text instanceof Refusal) return text
    const fault = parameters.addForm(text)
    if (fault !== undefined) return formRefusal(fault, 'UNREADABLE_BODY')
  }
  const fault = parameters.addForm(query)
  return fault === undefined ? parameters : formRefusal(fault, 'UNREADABLE_QUERY')
}

function formRefusal(fault: FormFault, malformed: 'UNREADABLE_BODY' | 'UNREADABLE_QUERY'): Refusal {
  return fault === 'MALFORMED'
    ? refuse(malformed, {})
    : refuse('TOO_MANY_PARAMETERS', { max: PARAMETERS_MAX })
}
