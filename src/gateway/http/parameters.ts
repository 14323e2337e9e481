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
 */
export class Parameters {
  readonly #valueByName = new Map<string, string>()
  readonly #repeated = new Set<string>()

  get(name: string): string | undefined {
    return this.#valueByName.get(name)
  }

  has(name: string): boolean {
    return this.#valueByName.has(name)
  }

  isRepeated(name: string): boolean {
    return this.#repeated.size > 0 && this.#repeated.has(name)
  }

  /** The first name that was given more than once, if any. */
  firstRepeated(): string | undefined {
    return this.#repeated.size === 0 ? undefined : this.#repeated.values().next().value
  }

  /** Every name, in the order given. */
  names(): IterableIterator<string> {
    return this.#valueByName.keys()
  }

  /**
   * Adds what an `application/x-www-form-urlencoded` text says, without its `?`. Empty pieces between `&` are
   * skipped; a piece without `=` is a name with an empty value.
   */
  addForm(text: string): FormFault | undefined {
    let start = 0
    while (start < text.length) {
      let end = text.indexOf('&', start)
      if (end < 0) end = text.length
      if (end > start) {
        const fault = this.#addPair(text, start, end)
        if (fault !== undefined) return fault
      }
      start = end + 1
    }
    return undefined
  }

  #addPair(text: string, start: number, end: number): FormFault | undefined {
    const equals = text.indexOf('=', start)
    const isBare = equals < 0 || equals >= end
    const name = decodeFormText(text.slice(start, isBare ? end : equals))
    const value = isBare ? '' : decodeFormText(text.slice(equals + 1, end))
    if (name === undefined || value === undefined) return 'MALFORMED'
    if (this.#valueByName.has(name)) {
      if (name !== '') this.#repeated.add(name)
    } else if (this.#valueByName.size >= PARAMETERS_MAX) return 'TOO_MANY'
    else this.#valueByName.set(name, value)
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
