/**
 * JSON that somebody else has written, parsed within bounds. What a text costs to parse is not its length: 16 KB can be 8,000 lists inside
 * one another, 5,000 empty ones, or an object of 1,700 names, and each takes a hundred times as long as one text of that length. So brackets and commas are
 * counted first, in one pass that makes nothing, and a text with too many is never parsed.
 */

/** Bounds of one text. */
export type JsonBounds = {
  /** Most lists and objects inside one another. At most 30. */
  readonly depthMax: number
  /** Most elements of one list. */
  readonly elementsMax: number
  /** Most members of one object. */
  readonly membersMax: number
  /** Most values in all: texts, numbers, lists, objects, whatever they are in. */
  readonly valuesMax: number
}

/** What there is too much of. */
export type JsonExcess = 'DEPTH' | 'ELEMENTS' | 'MEMBERS' | 'VALUES'

/**
 * Of a document that is as long as its writer needs it: an answer, a file, a line between processes. They are bounded by their bytes; this keeps
 * them from costing far more than those.
 */
export const DOCUMENT_JSON: JsonBounds = {
  depthMax: 30,
  elementsMax: 1_000_000,
  membersMax: 100_000,
  valuesMax: 4_000_000,
}

/** A text has more than its bounds allow, and was not parsed: to whoever asks for JSON it is none. */
export class JsonBoundsError extends SyntaxError {
  readonly excess: JsonExcess

  constructor(excess: JsonExcess, bounds: JsonBounds) {
    super(`expected JSON of at most ${bounds[BOUND_OF[excess]]} ${WORDS[excess]}`)
    this.name = 'JsonBoundsError'
    this.excess = excess
  }
}

/** The bound that an excess is beyond. */
export const BOUND_OF = {
  DEPTH: 'depthMax',
  ELEMENTS: 'elementsMax',
  MEMBERS: 'membersMax',
  VALUES: 'valuesMax',
} as const satisfies Record<JsonExcess, keyof JsonBounds>

const WORDS: Record<JsonExcess, string> = {
  DEPTH: 'lists and objects inside one another',
  ELEMENTS: 'elements of a list',
  MEMBERS: 'members of an object',
  VALUES: 'values',
}

const QUOTE = 0x22
const COMMA = 0x2c
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** What a text holds, as far as it was counted. */
export type JsonShape = {
  /** The first bound that it is beyond; counting ended there. */
  readonly excess: JsonExcess | undefined
  /** Elements or members of the outermost list or object; 1 for anything else. */
  readonly outermost: number
}

/**
 * Counts what a text holds from `start` on, without parsing it. Every text that is JSON is counted right, an empty list or object as if it
 * had one value; of any other text it says something, and parsing that fails.
 */
export function shapeOfJson(text: string, bounds: JsonBounds, start = 0): JsonShape {
  const { depthMax, elementsMax, membersMax, valuesMax } = bounds
  const { length } = text
  const counts = COUNTS
  let depth = 0
  /** A bit for each level: it is an object. */
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

/** By level; nothing is made for a text. */
const COUNTS = new Int32Array(32)

/** Where the text ends whose first quotation mark is at `start`. */
function endOfText(text: string, start: number): number {
  let at = start
  for (;;) {
    // The runtime's own search is many times as fast as looking at each character.
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
    let first = at
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if (((at - first) & 1) === 0) return at
  }
}

/** Parses a text within bounds. Throws a `SyntaxError` where it is no JSON, the `JsonBoundsError` among them where it has too much. */
export function parseJson(text: string, bounds: JsonBounds): unknown {
  return parseCounted(text, shapeOfJson(text, bounds), bounds)
}

/** The same of a text whose shape is known: `shape` is what `shapeOfJson` has said of it and the same bounds. */
export function parseCounted(text: string, { excess }: JsonShape, bounds: JsonBounds): unknown {
  if (excess !== undefined) throw new JsonBoundsError(excess, bounds)
  return JSON.parse(text)
}
