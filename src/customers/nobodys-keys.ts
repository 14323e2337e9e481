/**
 * Keys that belong to no person. A removal deletes a person's rows and then destroys the key. If the process
 * ends in between, the key stays, and older copies of these rows can be read with it: such a key is found and
 * destroyed.
 */
import type { World } from './ports.ts'
import type { Store } from './store/store.ts'

/**
 * A key is created before the rows that it seals. Requests and their transactions are much shorter, and check
 * the key again (`KeyFile.requireKey`).
 */
export const NOBODYS_MS_MIN = 3_600_000
/** Number of keys that one call examines. */
const PAGE = 5_000
/** Maximum number of keys that one call destroys. */
const DUE_MAX = 50
/** Maximum number of such keys that are remembered; further ones are found later. */
const WAITING_MAX = 1_000

type Parts = {
  readonly store: Pick<Store, 'keys' | 'people'>
  readonly world: Pick<World, 'monotonicMs'>
  /** Counts found when the store is compared with the journal. */
  readonly found: { readonly missing: number; readonly old: number; readonly trailDiffers: number }
}

export class NobodysKeys {
  readonly #parts: Parts
  readonly #page: number
  /** The last owner of the previous page. */
  #after = ''
  /** The monotonic time at which each key was first found, by owner. */
  readonly #foundMsByOwner = new Map<string, number>()

  constructor(parts: Parts, page = PAGE) {
    this.#parts = parts
    this.#page = page
  }

  /**
   * Called at intervals: examines some keys, and destroys those that have belonged to no person for an hour.
   * Returns the number of destroyed keys. A store that lacks customers of the journal, or is older, may be
   * replaced by a newer copy, which needs the keys: in this case no key is destroyed.
   */
  sweep(): number {
    const { store, found } = this.#parts
    if (found.missing > 0 || found.old > 0 || found.trailDiffers > 0) {
      this.#foundMsByOwner.clear()
      return 0
    }
    const due = this.#due()
    for (const owner of due) store.keys.destroy(owner)
    this.#findMore()
    return due.length
  }

  /** Some of the keys that still belong to no person after an hour. */
  #due(): readonly string[] {
    const { store, world } = this.#parts
    const untilMs = world.monotonicMs() - NOBODYS_MS_MIN
    const old = [...this.#foundMsByOwner].filter(([, foundMs]) => foundMs <= untilMs).slice(0, DUE_MAX)
    for (const [owner] of old) this.#foundMsByOwner.delete(owner)
    return old.map(([owner]) => owner).filter((owner) => !store.people.isOwner(owner))
  }

  #findMore(): void {
    const { store, world } = this.#parts
    const owners = store.keys.ownersAfter(this.#after, this.#page)
    const last = owners.at(-1)
    if (last !== undefined) {
      const known = store.people.ownersBetween(this.#after, last)
      for (const owner of owners)
        if (!known.has(owner) && this.#foundMsByOwner.size < WAITING_MAX && !this.#foundMsByOwner.has(owner))
          this.#foundMsByOwner.set(owner, world.monotonicMs())
    }
    this.#after = owners.length < this.#page ? '' : (last ?? '')
  }
}
