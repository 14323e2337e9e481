/**
 * Bodies that are made of the registry alone: each is made once, and kept for all requests until something that it is made of
 * changes.
 */
import type { RegistryView } from '../../views/registry.ts'

/** `Key` tells the bodies of one registry apart; there are few, and all of them are kept. */
export class KeptBodies<Key extends string> {
  readonly #byRegistry = new WeakMap<RegistryView, { readonly changes: number; bodies: Map<Key, Blob> }>()

  /**
   * The body under `key`: what `make` says, unless it was made when the count of `changes` was the same. The runtime sends a
   * Blob from where it is: those who do not read it hold no copy of it.
   */
  get(registry: RegistryView, changes: number, key: Key, make: () => string): Blob {
    let kept = this.#byRegistry.get(registry)
    if (kept?.changes !== changes) {
      kept = { changes, bodies: new Map() }
      this.#byRegistry.set(registry, kept)
    }
    const known = kept.bodies.get(key)
    if (known !== undefined) return known
    const body = new Blob([make()])
    kept.bodies.set(key, body)
    return body
  }
}
