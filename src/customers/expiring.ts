/** Values in memory with an expiry time: a limited number, of which the oldest is dropped. */
import type { World } from './ports.ts'

/** Maximum number at once. */
const ENTRIES_MAX = 20_000

export class Expiring<Value> {
  readonly #world: Pick<World, 'monotonicMs'>
  readonly #byKey = new Map<string, { readonly value: Value; readonly until: number }>()

  constructor(world: Pick<World, 'monotonicMs'>) {
    this.#world = world
  }

  set(key: string, value: Value, lastsMs: number): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, { value, until: this.#world.monotonicMs() + lastsMs })
    if (this.#byKey.size <= ENTRIES_MAX) return
    for (const oldest of this.#byKey.keys()) {
      this.#byKey.delete(oldest)
      break
    }
  }

  /** Undefined if there is none, or it has expired. */
  get(key: string): Value | undefined {
    const known = this.#byKey.get(key)
    return known !== undefined && this.#world.monotonicMs() < known.until ? known.value : undefined
  }

  delete(key: string): void {
    this.#byKey.delete(key)
  }
}
