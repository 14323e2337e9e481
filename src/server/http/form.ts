/**
 * Parameters as an `application/x-www-form-urlencoded` text, the encoding of query strings and bodies. It is
 * decoded strictly: malformed text is refused, never repaired.
 */
import type { Parameters } from '../common/parameters.ts'
import { type Refusal, refuse } from '../common/refusal.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The reasons why a text is not a list of parameters. */
export type FormFault = 'MALFORMED' | 'TOO_MANY'

/**
 * Maximum number of pairs of a form whose texts are cached, provided that the texts and the form are short.
 */
const REMEMBERED_PAIRS = 16
const REMEMBERED_LENGTH_MAX = 32
const REMEMBERED_FORM_LENGTH_MAX = 1_024

/**
 * The texts at each position of earlier forms. Most forms resemble the previous one, and an equal text is
 * reused as the same object: a new one would cost an allocation, and a hash for each table in which it is
 * looked up.
 */
const lastNames: string[] = []
const lastValues: string[] = []

/**
 * Adds the pairs of a form, without the `?` of a query string. Empty pieces between `&` are skipped; a piece
 * without `=` is a name with an empty value.
 */
export function addForm(parameters: Parameters, text: string): FormFault | undefined {
  const isPlain = !text.includes('%') && !text.includes('+')
  const isShort = isPlain && text.length <= REMEMBERED_FORM_LENGTH_MAX
  let start = 0
  for (let pair = 0; start < text.length; ) {
    let end = text.indexOf('&', start)
    if (end < 0) end = text.length
    if (end > start) {
      const isAdded = isShort && pair < REMEMBERED_PAIRS
      const fault = isAdded
        ? addShortPair(parameters, text, start, end, pair)
        : addPair(parameters, text, start, end, isPlain)
      if (fault !== undefined) return fault
      pair++
    }
    start = end + 1
  }
  return undefined
}

/** Adds a pair without percent-encoding; `pair` is its index in the form, from 0. */
function addShortPair(
  parameters: Parameters,
  text: string,
  start: number,
  end: number,
  pair: number,
): FormFault | undefined {
  const nameEnd = endOfName(text, start, end)
  const name = remembered(lastNames, pair, text, start, nameEnd)
  const value = remembered(lastValues, pair, text, Math.min(nameEnd + 1, end), end)
  return parameters.add(name, value) ? undefined : 'TOO_MANY'
}

/** The text from `start` to `end`; the previous object if it was the same at this index. */
function remembered(last: string[], place: number, text: string, start: number, end: number): string {
  const known = last[place]
  if (known !== undefined && known.length === end - start && standsAt(text, start, known)) return known
  const found = text.slice(start, end)
  if (end - start <= REMEMBERED_LENGTH_MAX) last[place] = found
  return found
}

/** Like `text.startsWith(known, start)`, without a call. */
function standsAt(text: string, start: number, known: string): boolean {
  for (let at = 0; at < known.length; at++) {
    if (text.charCodeAt(start + at) !== known.charCodeAt(at)) return false
  }
  return true
}

/** The end of a pair's name: its `=`, or the end of the pair. */
function endOfName(text: string, start: number, end: number): number {
  const equals = text.indexOf('=', start)
  return equals < 0 || equals > end ? end : equals
}

/** `isPlain`: nothing in `text` is encoded. */
function addPair(
  parameters: Parameters,
  text: string,
  start: number,
  end: number,
  isPlain: boolean,
): FormFault | undefined {
  const nameEnd = endOfName(text, start, end)
  const rawName = text.slice(start, nameEnd)
  const rawValue = text.slice(Math.min(nameEnd + 1, end), end)
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

/** The text of a form body, still percent-encoded; a refusal (`4004`) when it is not a form or not UTF-8. */
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
