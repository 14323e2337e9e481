/**
 * The parameters of a request, from the query string and from a form body, decoded strictly: what is not
 * well-formed is refused, never repaired. It knows no parameter by name.
 */

/** Most parameters of one request; far above what any endpoint takes. */
export const PARAMETERS_MAX = 64

/** Why a text is no list of parameters. */
export type FormFault = 'MALFORMED' | 'TOO_MANY'

/**
 * Names and values as the client meant them. A name given again, in either place, is remembered as repeated. A value
 * without a name (`=1`) means nothing to anybody, however often it comes: the first is kept, none is a repetition.
 * There are few: two lists cost less than a map (bench: order-to-ack).
 */
export class Parameters {
  readonly #names: string[] = []
  readonly #values: string[] = []
  /** Each once, in the order in which they were given again. */
  readonly #repeated: string[] = []

  get(name: string): string | undefined {
    return this.#values[this.#names.indexOf(name)]
  }

  has(name: string): boolean {
    return this.#names.includes(name)
  }

  isRepeated(name: string): boolean {
    return this.#repeated.includes(name)
  }

  /** The first name that was given more than once, if any. */
  firstRepeated(): string | undefined {
    return this.#repeated[0]
  }

  /** Every name, in the order given. */
  names(): readonly string[] {
    return this.#names
  }

  /**
   * Adds what an `application/x-www-form-urlencoded` text says, without its `?`. Empty pieces between `&` are
   * skipped; a piece without `=` is a name with an empty value.
   */
  addForm(text: string): FormFault | undefined {
    const isPlain = !text.includes('%') && !text.includes('+')
    let start = 0
    while (start < text.length) {
      let end = text.indexOf('&', start)
      if (end < 0) end = text.length
      if (end > start) {
        const fault = this.#addPair(text, start, end, isPlain)
        if (fault !== undefined) return fault
      }
      start = end + 1
    }
    return undefined
  }

  /** `isPlain`: nothing in `text` is encoded. */
  #addPair(text: string, start: number, end: number, isPlain: boolean): FormFault | undefined {
    const equals = text.indexOf('=', start)
    const isBare = equals < 0 || equals >= end
    const rawName = text.slice(start, isBare ? end : equals)
    const rawValue = isBare ? '' : text.slice(equals + 1, end)
    const name = isPlain ? rawName : decodeFormText(rawName)
    const value = isPlain ? rawValue : decodeFormText(rawValue)
    if (name === undefined || value === undefined) return 'MALFORMED'
    if (this.has(name)) {
      if (name !== '' && !this.isRepeated(name)) this.#repeated.push(name)
      return undefined
    }
    if (this.#names.length >= PARAMETERS_MAX) return 'TOO_MANY'
    this.#names.push(name)
    this.#values.push(value)
    return undefined
  }
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
