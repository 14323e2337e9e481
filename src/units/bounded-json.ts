/**
 * JSON from outside, parsed within limits. The cost of parsing a text does not depend on its length alone: 16
 * KB can be 8,000 nested lists, 5,000 empty ones, or an object with 1,700 names, and each of these takes a
 * hundred times as long as a single string of that length. So brackets and commas are counted first, in one
 * pass without allocation, and a text with too many is never parsed.
 */

/** Limits for one text. */
export type JsonBounds = {
  /** Maximum depth of nested lists and objects. At most 30. */
  readonly depthMax: number
  /** Maximum number of elements in one list. */
  readonly elementsMax: number
  /** Maximum number of members in one object. */
  readonly membersMax: number
  /** Maximum number of values in all: texts, numbers, lists and objects at any depth. */
  readonly valuesMax: number
}

/** The limit that was exceeded. */
export type JsonExcess = 'DEPTH' | 'ELEMENTS' | 'MEMBERS' | 'VALUES'

/**
 * Limits for a document as long as its writer needs: an answer, a file, a line between processes. Its size in
 * bytes is limited elsewhere; these limits keep its cost in proportion to that size.
 */
export const DOCUMENT_JSON: JsonBounds = {
  depthMax: 30,
  elementsMax: 1_000_000,
  membersMax: 100_000,
  valuesMax: 4_000_000,
}

/** A text exceeds its limits and was not parsed: for a reader of JSON it is invalid. */
export class JsonBoundsError extends SyntaxError {
  readonly excess: JsonExcess

  constructor(excess: JsonExcess, bounds: JsonBounds) {
    super(`expected JSON with at most ${bounds[BOUND_OF[excess]]} ${WORDS[excess]}`)
    this.name = 'JsonBoundsError'
    this.excess = excess
  }
}

/** The limit that was exceeded. */
export const BOUND_OF = {
  DEPTH: 'depthMax',
  ELEMENTS: 'elementsMax',
  MEMBERS: 'membersMax',
  VALUES: 'valuesMax',
} as const satisfies Record<JsonExcess, keyof JsonBounds>

const WORDS: Record<JsonExcess, string> = {
  DEPTH: 'nested lists and objects',
  ELEMENTS: 'elements in a list',
  MEMBERS: 'members in an object',
  VALUES: 'values',
}

const QUOTE = 0x22
const COMMA = 0x2c
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** The counts of a text, up to the point where counting ended. */
export type JsonShape = {
  /** The first limit exceeded, at which counting ended; undefined if there is none. */
  readonly excess: JsonExcess | undefined
  /** Elements or members of the outermost list or object; 1 for any other value. */
  readonly outermost: number
}

/**
 * Counts the parts of a text from `start` on, without parsing it. The counts are right for every JSON text,
 * except that an empty list or object counts as if it had one value. For any other text they have no meaning,
 * and parsing fails.
 */
export function shapeOfJson(text: string, bounds: JsonBounds, start = 0): JsonShape {
  const { depthMax, elementsMax, membersMax, valuesMax } = bounds
  const { length } = text
  const counts = COUNTS
  let depth = 0
  /** One bit for each level: set for an object. */
  let objects = 0
  let values = 1
  counts[0] = 1
  counts[1] = 1
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfText(text, at)
    } else if (code === COMMA) {
      const count = (counts[depth] as number) + 1
      counts[depth] = count
      values++
      const isObject = ((objects >> depth) & 1) === 1
      if (count > (isObject ? membersMax : elementsMax))
        return { excess: isObject ? 'MEMBERS' : 'ELEMENTS', outermost: counts[1] as number }
      if (values > valuesMax) return { excess: 'VALUES', outermost: counts[1] as number }
    } else if (code === LIST || code === OBJECT) {
      if (++depth > depthMax) return { excess: 'DEPTH', outermost: counts[1] as number }
      counts[depth] = 1
      objects = code === OBJECT ? objects | (1 << depth) : objects & ~(1 << depth)
      if (++values > valuesMax) return { excess: 'VALUES', outermost: counts[1] as number }
    } else if ((code === LIST_END || code === OBJECT_END) && depth > 0) {
      depth--
    }
  }
  return { excess: undefined, outermost: counts[1] as number }
}

/** By level; reused, so that no memory is allocated for a text. */
const COUNTS = new Int32Array(32)

/** The end of the string whose first quotation mark is at `start`. */
function endOfText(text: string, start: number): number {
  let at = start
  for (;;) {
    // The runtime's own search is many times as fast as a loop over the characters.
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let first = at
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if (((at - first) & 1) === 0) return at
  }
}

/**
 * Parses a text within limits. Throws a `SyntaxError` if it is not JSON, in particular a `JsonBoundsError` if
 * it exceeds a limit.
 */
export function parseJson(text: string, bounds: JsonBounds): unknown {
  return parseCounted(text, shapeOfJson(text, bounds), bounds)
}

/**
 * Parses a text that was counted: `shape` is the result of `shapeOfJson` with the same limits. Throws as
 * `parseJson` does.
 */
export function parseCounted(text: string, { excess }: JsonShape, bounds: JsonBounds): unknown {
  if (excess !== undefined) throw new JsonBoundsError(excess, bounds)
  return JSON.parse(text)
}

/** A number as it was written. */
export class WrittenNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown

/**
 * Like `parseJson`, with a `WrittenNumber` in the place of each number: for texts whose digits are signed.
 * `1.0` and `0.10` keep their zeros, and no digit is lost.
 */
export function parseJsonAsWritten(text: string, bounds: JsonBounds): unknown {
  const { excess } = shapeOfJson(text, bounds)
  if (excess !== undefined) throw new JsonBoundsError(excess, bounds)
  const keepDigits: Reviver = (_, value, { source }) =>
    typeof value === 'number' ? new WrittenNumber(source ?? String(value)) : value
  // The third argument is part of ECMAScript 2025, which the compiler's library does not yet declare.
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown)
}
