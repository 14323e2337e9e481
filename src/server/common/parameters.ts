/**
 * The parameters of a request, independent of their encoding: names and their values as text. It is
 * independent of particular parameter names; `http/form.ts` reads parameters from forms.
 */

/** Maximum number of parameters of one request; far above the number that any endpoint accepts. */
export const PARAMETERS_MAX = 64

/**
 * Names and values as the client meant them. A name given again, in query string or body, is recorded as a
 * duplicate. A value without a name (`=1`) is ignored, however often it occurs: the first is kept, and none
 * counts as a duplicate. There are few parameters: two lists cost less than a map
 * (`npm run bench -- order-to-ack`).
 */
export class Parameters {
  readonly #names: string[]
  readonly #values: string[]
  /**
   * The names that were repeated, each once, in the order of their repetition; undefined if there are none.
   */
  #repeated: string[] | undefined

  /**
   * Distinct names, at most `PARAMETERS_MAX`, and the value of each. The caller must not use the two lists
   * afterwards.
   */
  constructor(names: string[] = [], values: string[] = []) {
    this.#names = names
    this.#values = values
  }

  get(name: string): string | undefined {
    return this.#values[this.#placeOf(name)]
  }

  has(name: string): boolean {
    return this.#placeOf(name) >= 0
  }

  isRepeated(name: string): boolean {
    return this.#repeated?.includes(name) === true
  }

  /** The first name that was given more than once, if any. */
  firstRepeated(): string | undefined {
    return this.#repeated?.[0]
  }

  /** Every name, in the order given. */
  names(): readonly string[] {
    return this.#names
  }

  /** -1 if absent. An order needs about forty lookups: the array's own search would be a call each time. */
  #placeOf(name: string): number {
    const names = this.#names
    for (let i = 0; i < names.length; i++) if (names[i] === name) return i
    return -1
  }

  /**
   * Adds a name with its value, both decoded; false when there are `PARAMETERS_MAX` already. A name given
   * again keeps its first value.
   */
  add(name: string, value: string): boolean {
    if (this.has(name)) {
      if (name === '' || this.isRepeated(name)) return true
      this.#repeated ??= []
      this.#repeated.push(name)
      return true
    }
    if (this.#names.length >= PARAMETERS_MAX) return false
    this.#names.push(name)
    this.#values.push(value)
    return true
  }
}
