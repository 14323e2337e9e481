/**
 * Parameters as an `application/x-www-form-urlencoded` text, which is how query strings and bodies carry them. It is decoded
 * strictly: what is not well-formed is refused, never repaired.
 */
import type { Parameters } from '../common/parameters.ts'
import { type Refusal, refuse } from '../common/refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Why a text is no list of parameters. */
export type FormFault = 'MALFORMED' | 'TOO_MANY'

/**
 * Adds what a form says, without the `?` of a query string. Empty pieces between `&` are skipped; a piece without `=` is a name
 * with an empty value.
 */
export function addForm(parameters: Parameters, text: string): FormFault | undefined {
  const isPlain = !text.includes('%') && !text.includes('+')
  let start = 0
  while (start < text.length) {
    let end = text.indexOf('&', start)
    if (end < 0) end = text.length
    if (end > start) {
      const fault = addPair(parameters, text, start, end, isPlain)
      if (fault !== undefined) return fault
    }
    start = end + 1
  }
  return undefined
}

/** `isPlain`: nothing in `text` is encoded. */
function addPair(
  parameters: Parameters,
  text: string,
  start: number,
  end: number,
  isPlain: boolean,
): FormFault | undefined {
  const equals = text.indexOf('=', start)
  const isBare = equals < 0 || equals >= end
  const rawName = text.slice(start, isBare ? end : equals)
  const rawValue = isBare ? '' : text.slice(equals + 1, end)
  const name = isPlain ? rawName : decodeFormText(rawName)
  const value = isPlain ? rawValue : decodeFormText(rawValue)
  if (name === undefined || value === undefined) return 'MALFORMED'
  return parameters.add(name, value) ? undefined : 'TOO_MANY'
}

/** Decodes `+` and percent-encoded UTF-8; undefined when the encoding or the UTF-8 is broken. */
function decodeFormText(text: string): string | undefined {
  const hasPlus = text.includes('+')
  if (!hasPlus && !text.includes('%')) return text
  try {
    return decodeURIComponent(hasPlus ? text.replaceAll('+', ' ') : text)
  } catch {
    return undefined
  }
}

/** The text of a form body, still percent-encoded; a refusal (`4004`) when it is no form or not UTF-8. */
export function formText(body: Uint8Array, contentType: string | null): string | Refusal {
  if (!isFormType(contentType)) return refuse('UNSUPPORTED_CONTENT_TYPE', {})
  try {
    return decoder.decode(body)
  } catch {
    return refuse('UNREADABLE_BODY', {})
  }
}

function isFormType(contentType: string | null): boolean {
  if (contentType === null) return false
  if (contentType === FORM_TYPE) return true
  const [type = ''] = contentType.split(';')
  return type.trim().toLowerCase() === FORM_TYPE
}
