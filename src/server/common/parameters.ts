/**
 * The parameters of a request, however they came: names and their values as text. It knows no parameter by name, and no
 * encoding: `http/form.ts` reads them from forms.
 */

/** Most parameters of one request; far above what any endpoint takes. */
export const PARAMETERS_MAX = 64

/**
 * Names and values as the client meant them. A name given again, in either place, is remembered as repeated. A value
 * without a name (`=1`) means nothing to anybody, however often it comes: the first is kept, none is a repetition.
 * There are few: two lists cost less than a map (`npm run bench -- order-to-ack`).
 */
export class Parameters {
  readonly #names: string[]
  readonly #values: string[]
  /** Each once, in the order in which they were given again; undefined: none was. */
  #repeated: string[] | undefined

  /** Names that differ, at most `PARAMETERS_MAX`, and the value of each. Both lists are given away. */
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

  /** -1: it was not given. An order asks some forty times: the array's own search would be a call each. */
  #placeOf(name: string): number {
    const names = this.#names
    for (let i = 0; i < names.length; i++) if (names[i] === name) return i
    return -1
  }

  /** Adds a name with its value, both decoded; false when there are `PARAMETERS_MAX` already. A name given again keeps its first value. */
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
