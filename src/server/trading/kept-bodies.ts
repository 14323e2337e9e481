/**
 * Bodies that depend on the registry alone: each is created once, and kept for all requests until one of its
 * sources changes.
 */
import type { RegistryView } from '../../views/registry.ts'

/** `Key` distinguishes the bodies of one registry; there are few, and all of them are kept. */
export class KeptBodies<Key extends string> {
  readonly #byRegistry = new WeakMap<RegistryView, { readonly changes: number; bodies: Map<Key, Blob> }>()

  /**
   * The body under `key`: the body made before at the same count of `changes`, or else the result of `make`.
   * The runtime sends a Blob without copying it, so clients that do not read it hold no copy.
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
