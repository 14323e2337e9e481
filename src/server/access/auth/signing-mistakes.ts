/**
 * Texts that are often signed instead of the right one. If a signature matches one of them, its owner can
 * learn what was signed. They are derived only from the request, so that trying them takes the same work for
 * every key.
 */
import type { SignatureHint } from '../../../contract/signature-hints.ts'
import { PARAMETERS_MAX } from '../../common/parameters.ts'
import type { Signable } from './claim.ts'

/** Maximum length of a signed text for this search: some fifteen variants of it are each signed twice. */
const MISTAKEN_BYTES_MAX = 8 * 1024

export type Mistake = { readonly hint: SignatureHint; readonly text: string }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * None if the text is too long, is not UTF-8, or has more parameters than a request may have. `lines`: those
 * before the body of a strict signature.
 */
export function mistakenTexts(request: Signable, lines: string, isStrict: boolean): readonly Mistake[] {
  const { query } = request.target
  if (query.length + (request.body?.length ?? 0) > MISTAKEN_BYTES_MAX) return []
  const body = textOf(request.body)
  if (body === undefined || hasTooMany(query + body)) return []
  const right = isStrict ? lines + body : query + body
  const mistakes = isStrict ? strictMistakes(query, body, lines) : plainMistakes(query, body, lines)
  return mistakes.filter(({ text }) => text !== right)
}

function plainMistakes(query: string, body: string, lines: string): Mistake[] {
  const text = query + body
  const mistakes: Mistake[] = [
    { hint: 'SIGNED_NOTHING', text: '' },
    { hint: 'SIGNED_STRICT_LINES', text: lines + body },
    { hint: 'SIGNED_LINE_END', text: `${text}\n` },
    { hint: 'SIGNED_LINE_END', text: `${text}\r\n` },
    { hint: 'SIGNED_QUESTION_MARK', text: `?${text}` },
    { hint: 'SIGNED_SORTED', text: text.split('&').sort().join('&') },
    ...encodings(text),
  ]
  if (query === '' || body === '') return mistakes
  return [
    { hint: 'SIGNED_QUERY_ALONE', text: query },
    { hint: 'SIGNED_BODY_ALONE', text: body },
    { hint: 'SIGNED_BODY_FIRST', text: body + query },
    { hint: 'SIGNED_AMPERSAND', text: `${query}&${body}` },
    ...mistakes,
  ]
}

function strictMistakes(query: string, body: string, lines: string): Mistake[] {
  return [
    { hint: 'SIGNED_PLAIN_TEXT', text: query + body },
    { hint: 'SIGNED_LINE_END', text: `${lines}${body}\n` },
    { hint: 'SIGNED_LINE_END', text: lines.replaceAll('\n', '\r\n') + body },
    { hint: 'SIGNED_QUESTION_MARK', text: withQuestionMark(lines, query) + body },
  ]
}

function hasTooMany(text: string): boolean {
  return text.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX
}

/** Adds the question mark to the query string, which is the third line. */
function withQuestionMark(lines: string, query: string): string {
  const [method, path, , ...rest] = lines.split('\n')
  return [method, path, `?${query}`, ...rest].join('\n')
}

/** The same parameters in other encodings; those that do not exist are left out. */
function encodings(text: string): Mistake[] {
  const decoded = decodedText(text)
  const spaced = decodedText(text.replaceAll('+', ' '))
  if (decoded === undefined || spaced === undefined) return []
  const pairs = text.split('&').map((pair) => decodedText(pair.replaceAll('+', ' ')) ?? '')
  const encoded = pairs.map(encodedPair).join('&')
  return [
    { hint: 'SIGNED_DECODED', text: decoded },
    { hint: 'SIGNED_DECODED', text: spaced },
    { hint: 'SIGNED_ENCODED', text: encoded },
    { hint: 'SIGNED_ENCODED', text: encoded.replaceAll('%20', '+') },
    { hint: 'SIGNED_ENCODED', text: text.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()) },
  ]
}

function encodedPair(pair: string): string {
  const equals = pair.indexOf('=')
  if (equals < 0) return encodeURIComponent(pair)
  return `${encodeURIComponent(pair.slice(0, equals))}=${encodeURIComponent(pair.slice(equals + 1))}`
}

function decodedText(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function textOf(body: Uint8Array | undefined): string | undefined {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}
