/**
 * The JSON body of an operator's request. A duplicate name is an error: two different amounts must not be
 * ambiguous.
 */
import { type JsonBounds, parseJson } from '../../units/bounded-json.ts'
import { AdminRequestError, invalid } from './context.ts'

/** Requests are flat, with a list or two; the fields of a profile are a list of objects. */
const REQUEST_JSON: JsonBounds = { depthMax: 8, elementsMax: 1_000, membersMax: 100, valuesMax: 4_000 }

/** A JSON string, and the colon after it if it is a name. */
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g

/** An empty text is a request without fields. Requests are flat, so a name occurs once in the whole text. */
export function parseBody(text: string): unknown {
  if (text === '') return {}
  let body: unknown
  try {
    body = parseJson(text, REQUEST_JSON)
  } catch {
    throw new AdminRequestError('INVALID_BODY')
  }
  const names = new Set<string>()
  for (const [token, colon] of text.matchAll(TEXT)) {
    if (colon === undefined) continue
    const name = String(parseJson(token.slice(0, -colon.length), REQUEST_JSON))
    if (names.has(name)) throw invalid(name, 'appears twice')
    names.add(name)
  }
  return body
}

/** Reads the JSON of a request. Content types that a web form can send are refused. */
export async function readBody(request: Request): Promise<unknown> {
  const text = await request.text()
  const type = request.headers.get('content-type') ?? ''
  if (text !== '' && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new AdminRequestError('INVALID_CONTENT_TYPE')
  }
  return parseBody(text)
}
