/**
 * A cache of bounded size by name, with all operations in constant time. When it is full, it evicts an entry
 * chosen at random among those not used since the last such choice (second chance). So one name too many
 * costs an occasional miss, whereas evicting the oldest entry would cost a miss each time if names are used
 * in turn; and names used only once do not drive out those in use.
 */

/** Number of slots examined for an unused one; the last of them is used in any case. */
const CHANCES = 4
/** Any number except 0: the start of the sequence of choices, which is the same in every run. */
const SEED = 0x9e37_79b9

type Entry<Value> = { readonly name: string; readonly value: Value; place: number; isInUse: boolean }

export class BoundedCache<Value> {
  readonly #entriesMax: number
  readonly #entryByName = new Map<string, Entry<Value>>()
  /** The same entries by slot. */
  readonly #entries: Entry<Value>[] = []
  #choice = SEED

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax
  }

  get size(): number {
    return this.#entries.length
  }

  get(name: string): Value | undefined {
    const entry = this.#entryByName.get(name)
    if (entry === undefined) return undefined
    entry.isInUse = true
    return entry.value
  }

  set(name: string, value: Value): void {
    const known = this.#entryByName.get(name)
    const place = known?.place ?? this.#freePlace()
    const entry = { name, value, place, isInUse: false }
    this.#entries[place] = entry
    this.#entryByName.set(name, entry)
  }

  delete(name: string): void {
    const entry = this.#entryByName.get(name)
    const last = this.#entries.at(-1)
    if (entry === undefined || last === undefined) return
    this.#entryByName.delete(name)
    last.place = entry.place
    this.#entries[entry.place] = last
    this.#entries.pop()
  }

  /** A slot beyond the last, or one whose entry was evicted. */
  #freePlace(): number {
    if (this.#entries.length < this.#entriesMax) return this.#entries.length
    let chosen = this.#choose()
    for (let chance = 1; chance < CHANCES && chosen.isInUse; chance++) {
      chosen.isInUse = false
      chosen = this.#choose()
    }
    this.#entryByName.delete(chosen.name)
    return chosen.place
  }

  #choose(): Entry<Value> {
    // Marsaglia's xorshift. Names may be used in turn; a sequence that visits all slots in turn could always
    // evict the name that is needed next.
    let choice = this.#choice
    choice ^= choice << 13
    choice ^= choice >>> 17
    choice ^= choice << 5
    this.#choice = choice >>> 0
    const place = Math.floor((this.#choice / 2 ** 32) * this.#entries.length)
    return this.#entries[place] as Entry<Value>
  }
}
